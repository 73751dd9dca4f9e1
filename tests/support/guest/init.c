/*
 * init.c - PID 1 of the demo guest, and its `efivar` command.  Mounts what it needs, loads the
 * modules that the image's maker listed, counts its boots in a UEFI variable, says both values
 * on the serial console, offers a shell there, and powers off when ACPI asks.
 *
 *	efivar get NAME | set NAME VALUE | del NAME		(Linux efivarfs, our vendor GUID)
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define GUID	"3b6f4a52-9d1e-4c77-8a0b-5f1d2c3e4a60"
#define VARS	"/sys/firmware/efi/efivars"
#define COUNTER	"SpinifexBoots"
#define VALUE_MAX	4096

static int
var_path(const char *name, char *ret, size_t size)
{
	int n = snprintf(ret, size, VARS "/%s-" GUID, name);

	return n > 0 && (size_t)n < size ? 0 : -ENAMETOOLONG;
}

/* efivarfs makes files immutable, so that rm -rf cannot brick a machine. */
static void
var_unlock(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), flags = 0;

	if (fd < 0)
		return;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && flags & FS_IMMUTABLE_FL) {
		flags &= ~FS_IMMUTABLE_FL;
		(void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
	}
	close(fd);
}

static int
var_get(const char *name, char ret[static VALUE_MAX + 1])
{
	char path[512], buf[VALUE_MAX + 4];
	ssize_t n;
	int fd;

	if (var_path(name, path, sizeof(path)) < 0)
		return -ENAMETOOLONG;
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return -errno;
	n = read(fd, buf, sizeof(buf));
	close(fd);
	if (n < 4)
		return n < 0 ? -errno : -EIO;
	memcpy(ret, buf + 4, (size_t)n - 4);
	ret[n - 4] = '\0';
	return 0;
}

static int
var_set(const char *name, const char *value)
{
	/* non-volatile, boot service and runtime access */
	struct { uint32_t attributes; char value[VALUE_MAX]; } v = { .attributes = 7 };
	size_t len = strlen(value);
	char path[512];
	ssize_t n;
	int fd;

	if (len > VALUE_MAX || var_path(name, path, sizeof(path)) < 0)
		return -E2BIG;
	memcpy(v.value, value, len);
	var_unlock(path);
	if ((fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) < 0)
		return -errno;
	n = write(fd, &v, 4 + len);		/* one write is one SetVariable */
	int r = n == (ssize_t)(4 + len) ? 0 : n < 0 ? -errno : -EIO;

	close(fd);
	return r;
}

static int
var_del(const char *name)
{
	char path[512];

	if (var_path(name, path, sizeof(path)) < 0)
		return -ENAMETOOLONG;
	var_unlock(path);
	return unlink(path) < 0 ? -errno : 0;
}

static int
efivar_main(int argc, char **argv)
{
	char value[VALUE_MAX + 1];
	int r;

	if (argc == 3 && !strcmp(argv[1], "get")) {
		if ((r = var_get(argv[2], value)) == 0)
			printf("%s\n", value);
	} else if (argc == 4 && !strcmp(argv[1], "set")) {
		r = var_set(argv[2], argv[3]);
	} else if (argc == 3 && !strcmp(argv[1], "del")) {
		r = var_del(argv[2]);
	} else {
		fprintf(stderr, "usage: efivar get NAME | set NAME VALUE | del NAME\n");
		return 2;
	}
	if (r < 0)
		fprintf(stderr, "efivar: %s: %s\n", argv[2], strerror(-r));
	return r < 0 ? 1 : 0;
}

static void
mount_all(void)
{
	static const struct { const char *what, *where, *type; } m[] = {
		{ "proc", "/proc", "proc" }, { "sysfs", "/sys", "sysfs" },
		{ "devtmpfs", "/dev", "devtmpfs" }, { "tmpfs", "/run", "tmpfs" },
	};

	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++)
		if (mount(m[i].what, m[i].where, m[i].type, 0, NULL) < 0 && errno != EBUSY)
			printf("guest: mount %s: %s\n", m[i].where, strerror(errno));
}

static void
load_modules(void)
{
	FILE *f = fopen("/modules/order", "r");
	char name[256], path[300];

	while (f && fgets(name, sizeof(name), f)) {
		name[strcspn(name, "\n")] = '\0';
		snprintf(path, sizeof(path), "/modules/%s", name);
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST))
			printf("guest: module %s: %s\n", name, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	if (f)
		fclose(f);
}

static void
count_boots(void)
{
	char old[VALUE_MAX + 1] = "", new[32];
	int r;

	if (mount("efivarfs", VARS, "efivarfs", 0, NULL) < 0 && errno != EBUSY)
		printf("guest: mount efivarfs: %s\n", strerror(errno));
	r = var_get(COUNTER, old);
	if (r < 0 && r != -ENOENT)
		printf("guest: read " COUNTER ": %s\n", strerror(-r));
	snprintf(new, sizeof(new), "%ld", strtol(old, NULL, 10) + 1);
	r = var_set(COUNTER, new);
	if (r < 0)
		printf("guest: write " COUNTER ": %s\n", strerror(-r));
	else
		printf("guest: UEFI variable " COUNTER " was \"%s\", is now \"%s\"\n", old, new);
}

static pid_t
run(const char *const *argv, bool console)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (console) {
		setsid();
		(void)ioctl(0, TIOCSCTTY, 1);
	}
	setenv("PATH", "/bin", 1);
	setenv("HOME", "/", 1);
	setenv("PS1", "guest# ", 1);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

#define BUTTONS_MAX	8

/* Every input device that has the key: a keyboard claims it too, and comes first. */
static nfds_t
open_power_buttons(struct pollfd ret[static BUTTONS_MAX])
{
	nfds_t n = 0;

	for (int i = 0; i < BUTTONS_MAX; i++) {
		uint8_t keys[KEY_MAX / 8 + 1] = { 0 };
		char path[32];

		snprintf(path, sizeof(path), "/dev/input/event%d", i);
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (ioctl(fd, EVIOCGBIT(EV_KEY, sizeof(keys)), keys) >= 0 &&
		    keys[KEY_POWER / 8] & (1 << KEY_POWER % 8))
			ret[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
		else
			close(fd);
	}
	return n;
}

static bool
is_pressed(int fd)
{
	struct input_event ev;

	return read(fd, &ev, sizeof(ev)) == sizeof(ev) && ev.type == EV_KEY &&
	    ev.code == KEY_POWER && ev.value == 1;
}

static void
power_off(void)
{
	printf("guest: power off\n");
	sync();
	(void)tcdrain(1);
	reboot(RB_POWER_OFF);
}

int
main(int argc, char **argv)
{
	static const char *const shell[] = { "/bin/busybox", "sh", NULL };
	static const char *const dhcp[] = { "/bin/busybox", "udhcpc", "-i", "eth0", "-q", "-n",
	    "-s", "/bin/dhcp", NULL };
	struct pollfd button[BUTTONS_MAX];
	nfds_t buttons;

	if (getpid() != 1)
		return efivar_main(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	mount_all();
	load_modules();
	printf("guest: up\n");
	count_boots();

	buttons = open_power_buttons(button);
	if (buttons == 0)
		printf("guest: no ACPI power button\n");
	if (if_nametoindex("eth0"))
		run(dhcp, false);
	printf("guest: ready\n");
	pid_t sh = run(shell, true);

	for (;;) {
		(void)poll(button, buttons, 500);
		for (nfds_t i = 0; i < buttons; i++)
			if (button[i].revents & POLLIN && is_pressed(button[i].fd))
				power_off();
		for (pid_t p; (p = waitpid(-1, NULL, WNOHANG)) > 0; )
			if (p == sh)
				sh = run(shell, true);
	}
}
