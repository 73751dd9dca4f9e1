#include "vmd/accel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#define KVM_PATH	"/dev/kvm"

const char *
accel_name(enum accel_kind k)
{
	return k == ACCEL_WITH_KVM ? "kvm" : "tcg";
}

gid_t
accel_kvm_group(void)
{
	struct stat st;

	/* Group 0 is nobody's to give away. */
	return stat(KVM_PATH, &st) == 0 && st.st_gid != 0 ? st.st_gid : (gid_t)-1;
}

#ifdef __x86_64__

#define GUEST_MEMORY	0x10000u
#define GUEST_CODE	0x1000u
#define SET_BYTES	8		/* of the kernel's sigset: 64 signals */
#define LIMIT_MS	250		/* a real KVM needs about one for the longer program */

struct program {
	const char	*what;
	const uint8_t	*code;
	size_t		 len;
};

struct machine {
	int		 kvm, vm, cpu;	/* -1: not open */
	uint8_t		*memory;
	struct kvm_run	*run;
	size_t		 run_bytes;
};

static void
machine_deinit(struct machine *m)
{
	if (m->run)
		munmap(m->run, m->run_bytes);
	if (m->cpu >= 0)
		close(m->cpu);
	if (m->vm >= 0)
		close(m->vm);
	if (m->memory)
		munmap(m->memory, GUEST_MEMORY);
	if (m->kvm >= 0)
		close(m->kvm);
}

static int
machine_map(struct machine *m)
{
	struct kvm_userspace_memory_region region = { .memory_size = GUEST_MEMORY };
	void *p = mmap(NULL, GUEST_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	    -1, 0);
	int n;

	if (p == MAP_FAILED)
		return -errno;
	m->memory = p;
	region.userspace_addr = (uintptr_t)p;
	n = ioctl(m->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (n < 0 || ioctl(m->vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return -errno;
	m->cpu = ioctl(m->vm, KVM_CREATE_VCPU, 0);
	if (m->cpu < 0)
		return -errno;
	p = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_SHARED, m->cpu, 0);
	if (p == MAP_FAILED)
		return -errno;
	m->run = p;
	m->run_bytes = (size_t)n;
	return 0;
}

/* One processor in flat 32-bit protected mode, no paging, at the program's start. */
static int
machine_set_up(struct machine *m, const struct program *p)
{
	struct kvm_regs regs = { .rip = GUEST_CODE, .rflags = 2, .rsp = GUEST_MEMORY / 2 };
	struct kvm_segment code = { .limit = 0xffffffff, .selector = 8, .type = 11, .present = 1,
	    .db = 1, .s = 1, .g = 1 };
	struct kvm_segment data = code;
	struct kvm_sregs sregs;

	memcpy(m->memory + GUEST_CODE, p->code, p->len);
	if (ioctl(m->cpu, KVM_GET_SREGS, &sregs) < 0)
		return -errno;
	data.selector = 16;
	data.type = 3;
	sregs.cs = code;
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = data;
	sregs.cr0 = 0x33;	/* PE MP ET NE: a floating-point unit that raises its errors */
	sregs.cr4 = 0x600;	/* OSFXSR OSXMMEXCPT */
	if (ioctl(m->cpu, KVM_SET_SREGS, &sregs) < 0 || ioctl(m->cpu, KVM_SET_REGS, &regs) < 0)
		return -errno;
	return 0;
}

static int
machine_init(struct machine *m, const struct program *p)
{
	int r;

	*m = (struct machine){ .kvm = -1, .vm = -1, .cpu = -1 };
	m->kvm = open(KVM_PATH, O_RDWR | O_CLOEXEC);
	if (m->kvm < 0)
		return -errno;
	m->vm = ioctl(m->kvm, KVM_CREATE_VM, 0);
	if (m->vm < 0)
		return -errno;
	r = machine_map(m);
	return r < 0 ? r : machine_set_up(m, p);
}

/* A timer whose signal ends KVM_RUN: blocked in this thread, open to it inside KVM_RUN only. */
static int
arm_limit(const struct machine *m, const sigset_t *outside, timer_t *ret)
{
	/* A length and, in as many bytes, the kernel's own set of signals. */
	_Alignas(struct kvm_signal_mask) uint8_t inside[sizeof(struct kvm_signal_mask) + SET_BYTES]
	    = { 0 };
	uint8_t *set = inside + offsetof(struct kvm_signal_mask, sigset);
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	const struct itimerspec limit = { .it_value.tv_nsec = LIMIT_MS * 1000000L };

	/* Everything this thread blocks stays blocked, but for the timer's signal. */
	for (int sig = 1; sig <= 64; sig++)
		if (sig != SIGRTMIN && sigismember(outside, sig) == 1)
			set[(sig - 1) / 8] |= (uint8_t)(1u << (sig - 1) % 8);
	memcpy(inside, &(const uint32_t){ SET_BYTES }, sizeof(uint32_t));
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (ioctl(m->cpu, KVM_SET_SIGNAL_MASK, inside) < 0)
		return -errno;
	if (timer_create(CLOCK_MONOTONIC, &event, ret) < 0)
		return -errno;
	if (timer_settime(*ret, 0, &limit, NULL) < 0) {
		int e = errno;

		(void)timer_delete(*ret);
		return -e;
	}
	return 0;
}

static int
run_limited(struct machine *m, const struct program *p, char why[static ACCEL_WHY_MAX])
{
	const struct timespec no_wait = { 0 };
	sigset_t own, before;
	timer_t timer;
	int r, e;

	(void)sigemptyset(&own);
	(void)sigaddset(&own, SIGRTMIN);
	r = -pthread_sigmask(SIG_BLOCK, &own, &before);
	if (r < 0)
		return r;
	r = arm_limit(m, &before, &timer);
	if (r == 0) {
		r = ioctl(m->cpu, KVM_RUN, 0) < 0 ? -errno : 0;
		(void)timer_delete(timer);
		do		/* take the signal before it is open to everyone again */
			e = sigtimedwait(&own, NULL, &no_wait);
		while (e > 0 || (e < 0 && errno == EINTR));
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r == -EINTR) {
		(void)snprintf(why, ACCEL_WHY_MAX, "KVM is too slow: %s took over %d ms", p->what,
		    LIMIT_MS);
		return -ENOTSUP;
	}
	if (r == 0 && m->run->exit_reason != KVM_EXIT_HLT) {
		(void)snprintf(why, ACCEL_WHY_MAX, "KVM cannot run %s: exit reason %u", p->what,
		    m->run->exit_reason);
		return -ENOTSUP;
	}
	return r;
}

int
accel_probe_kvm(char why[static ACCEL_WHY_MAX])
{
	static const uint8_t floating[] = { 0x9b, 0xdb, 0xe3, 0xf4 };	/* fwait; fninit; hlt */
	static const uint8_t loop[] = {
		0xb9, 0x40, 0x42, 0x0f, 0x00,	/* mov ecx, 1000000 */
		0x49, 0x75, 0xfd,		/* 1: dec ecx; jnz 1b */
		0xf4,				/* hlt */
	};
	static const struct program programs[] = {
		{ "floating point", floating, sizeof(floating) },
		{ "a loop of a million turns", loop, sizeof(loop) },
	};

	why[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		struct machine m;
		int r = machine_init(&m, &programs[i]);

		if (r == 0)
			r = run_limited(&m, &programs[i], why);
		machine_deinit(&m);
		if (r < 0 && why[0] == '\0')
			(void)snprintf(why, ACCEL_WHY_MAX, "%s: %s", KVM_PATH, strerror(-r));
		if (r < 0)
			return r;
	}
	return 0;
}

#else

int
accel_probe_kvm(char why[static ACCEL_WHY_MAX])
{
	(void)snprintf(why, ACCEL_WHY_MAX, "KVM is known to work on x86-64 only");
	return -ENOTSUP;
}

#endif

int
accel_choose(enum accel_setting s, enum accel_kind *ret, char why[static ACCEL_WHY_MAX])
{
	int r = 0;

	why[0] = '\0';
	if (s != ACCEL_TCG)
		r = accel_probe_kvm(why);
	if (s == ACCEL_KVM && r < 0)
		return r;
	*ret = s == ACCEL_TCG || r < 0 ? ACCEL_WITH_TCG : ACCEL_WITH_KVM;
	return 0;
}
