/*
 * stepclock - preloaded: CLOCK_REALTIME of this process alone, stepped while it runs, since the
 * machine's own cannot be.  The file STEPCLOCK holds the step in seconds; it is read at each call.
 * Waits for an instant of that clock behave as the kernel's do: a step moves their end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLICE_NS	20000000
#define MONOTONIC_MAX	4096

/* What the C library has of that name: dlsym's object pointer as a function's. */
union next {
	void	*object;
	int	(*gettime)(clockid_t, struct timespec *);
	int	(*timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int	(*init)(pthread_cond_t *, const pthread_condattr_t *);
};

/* Conditions on CLOCK_MONOTONIC are left alone. */
static pthread_cond_t *_Atomic monotonic[MONOTONIC_MAX];

static long
step_s(void)
{
	const char *path = getenv("STEPCLOCK");
	char text[32];
	ssize_t n;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

static void
real(clockid_t id, struct timespec *ret)
{
	union next next = { .object = dlsym(RTLD_NEXT, "clock_gettime") };

	next.gettime(id, ret);
}

int
clock_gettime(clockid_t id, struct timespec *ret)
{
	real(id, ret);
	if (id == CLOCK_REALTIME)
		ret->tv_sec += step_s();
	return 0;
}

int
gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	tv->tv_sec = t.tv_sec;
	tv->tv_usec = t.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *ret)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (ret)
		*ret = t.tv_sec;
	return t.tv_sec;
}

int
pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
	clockid_t id = CLOCK_REALTIME;
	union next next = { .object = dlsym(RTLD_NEXT, "pthread_cond_init") };

	if (a)
		pthread_condattr_getclock(a, &id);
	for (size_t i = 0; i < MONOTONIC_MAX; i++) {
		if (monotonic[i] == c)
			monotonic[i] = NULL;
		if (!monotonic[i] && id == CLOCK_MONOTONIC) {
			monotonic[i] = c;
			break;
		}
	}
	return next.init(c, a);
}

static int
is_monotonic(const pthread_cond_t *c)
{
	for (size_t i = 0; i < MONOTONIC_MAX; i++)
		if (monotonic[i] == c)
			return 1;
	return 0;
}

int
pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
    const struct timespec *restrict until)
{
	union next next = { .object = dlsym(RTLD_NEXT, "pthread_cond_timedwait") };
	struct timespec now, slice;
	int r;

	if (is_monotonic(c))
		return next.timedwait(c, m, until);
	do {
		clock_gettime(CLOCK_REALTIME, &now);
		if (now.tv_sec > until->tv_sec ||
		    (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec))
			return ETIMEDOUT;
		real(CLOCK_REALTIME, &slice);
		slice.tv_nsec += SLICE_NS;
		if (slice.tv_nsec >= 1000000000) {
			slice.tv_nsec -= 1000000000;
			slice.tv_sec++;
		}
		r = next.timedwait(c, m, &slice);
	} while (r == ETIMEDOUT);
	return r;
}
