#include "vmd/qemu_args.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "vmd/guard_child.h"

#define ARGS_MAX	(64 * 1024)	/* bytes of all arguments */

struct args {
	struct buf	 text;		/* each argument with its NUL */
	size_t		 n;
};

/* One argument.  %s of a value that may hold a comma goes through value(). */
static void PRINTF_LIKE(2, 3)
add(struct args *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)buf_vprintf(&a->text, fmt, ap);	/* failure is kept in text.failed */
	va_end(ap);
	(void)buf_add(&a->text, "", 1);
	a->n++;
}

/* A value inside `key=value,...`: QEMU reads two commas as one. */
struct value {
	char	text[2 * 512 + 1];
};

static const char *
value(struct value *v, const char *s)
{
	size_t n = 0;

	for (; *s && n + 2 < sizeof(v->text); s++) {
		if (*s == ',')
			v->text[n++] = ',';
		v->text[n++] = *s;
	}
	v->text[n] = '\0';
	return v->text;
}
#define VALUE(s)	value(&(struct value){ { 0 } }, (s))

/* ---- What a spec must be ---- */

static bool
is_path(const char *s)
{
	return s && s[0] == '/' && strlen(s) <= 512;
}

static bool
is_made_of(const char *s, size_t min, size_t max, const char *also)
{
	size_t n = 0;

	for (; s && s[n]; n++)
		if (n >= max || (!isalnum((unsigned char)s[n]) && !strchr(also, s[n])))
			return false;
	return n >= min;
}

static bool
is_mac(const char *s)
{
	for (size_t i = 0; i < 17; i++)
		if (i % 3 == 2 ? s[i] != ':' : !isxdigit((unsigned char)s[i]))
			return false;
	return s[17] == '\0';
}

static int
bad(char why[static QEMU_WHY_MAX], const char *sentence)
{
	(void)snprintf(why, QEMU_WHY_MAX, "%s", sentence);
	return -EINVAL;
}

static int
check_machine(const struct qemu_spec *s, char why[static QEMU_WHY_MAX])
{
	if (!is_path(s->qemu) || !is_path(s->dir))
		return bad(why, "qemu and dir must be absolute paths");
	if (strlen(s->dir) + strlen("/sock/monitor") > QEMU_SOCKET_MAX) {
		(void)snprintf(why, QEMU_WHY_MAX, "a socket's path has at most %d bytes: "
		    "state_dir is too deep", QEMU_SOCKET_MAX);
		return -ENAMETOOLONG;
	}
	if (!is_made_of(s->name, 1, 64, "-_") || !is_made_of(s->uuid, 36, 36, "-"))
		return bad(why, "name and uuid must be given");
	if (s->vcpus < 1 || s->vcpus > QEMU_CPUS_MAX)
		return bad(why, "vcpus must be 1 to 255");
	if (s->memory_mib < 16 || s->memory_mib > 16u * 1024 * 1024)
		return bad(why, "memory must be 16 MiB to 16 TiB");
	if (s->cpu && !is_made_of(s->cpu, 1, 255, "-_.,=+"))
		return bad(why, "cpu must be a model and its features");
	if ((s->smbios_product && !is_made_of(s->smbios_product, 1, 64, "-._ ")) ||
	    (s->smbios_serial && !is_made_of(s->smbios_serial, 1, 255, "-._ =;:/,")))
		return bad(why, "an SMBIOS text has a character that it may not");
	return 0;
}

static int
check_volumes(const struct qemu_spec *s, char why[static QEMU_WHY_MAX])
{
	unsigned taken = 0;

	for (size_t i = 0; i < s->nvolumes; i++) {
		const struct qemu_volume *v = &s->volumes[i];

		if (!is_path(v->path) || !is_made_of(v->id, 5, 24, "-"))
			return bad(why, "a volume needs an absolute path and an id");
		if (v->port >= QEMU_PORTS || (taken & 1u << v->port))
			return bad(why, "a volume needs a port of its own");
		taken |= 1u << v->port;
	}
	return 0;
}

static int
check_storage(const struct qemu_spec *s, char why[static QEMU_WHY_MAX])
{
	if (s->code && (!is_path(s->code) || !is_path(s->vars)))
		return bad(why, "firmware needs the paths of its code and of its variables");
	if (s->code && (!s->code_format || (strcmp(s->code_format, "raw") != 0 &&
	    strcmp(s->code_format, "qcow2") != 0)))
		return bad(why, "the format of firmware code must be raw or qcow2");
	if (s->secure_boot && !s->code)
		return bad(why, "secure boot needs firmware");
	if (s->is_arm64 && !s->code)
		return bad(why, "an arm64 guest needs UEFI firmware: its machine has no BIOS");
	if (s->is_arm64 && s->secure_boot)
		return bad(why, "firmware that needs SMM is not for arm64");
	if (s->ndisks > QEMU_DISKS_MAX)
		return bad(why, "too many disks");
	for (size_t i = 0; i < s->ndisks; i++) {
		const struct qemu_disk *d = &s->disks[i];

		if (!is_path(d->path) || d->format >= DISK_FORMATS)
			return bad(why, "a disk needs an absolute path and a format");
		if (d->serial && !is_made_of(d->serial, 1, 20, "-_"))
			return bad(why, "a disk's serial has 1 to 20 of A-Z a-z 0-9 - _");
	}
	return check_volumes(s, why);
}

/* The subnet of the guest's address. */
static int
check_network(const struct qemu_spec *s, uint32_t *ret_address, uint32_t *ret_net,
    char why[static QEMU_WHY_MAX])
{
	struct in_addr in;
	uint32_t address, mask;

	if (!is_mac(s->mac))
		return bad(why, "mac must be six hexadecimal pairs with colons");
	if (!s->address || inet_pton(AF_INET, s->address, &in) != 1)
		return bad(why, "address must be an IPv4 address");
	if (s->prefix < 8 || s->prefix > 28)
		return bad(why, "prefix must be 8 to 28");
	address = ntohl(in.s_addr);
	mask = ~((1u << (32 - s->prefix)) - 1);
	/* The first four and the last are the subnet's own. */
	if ((address & ~mask) < 4 || (address & ~mask) == ~mask)
		return bad(why, "the subnet keeps this address for itself");
	if (s->forward_to && !s->forward_from)
		return bad(why, "a forward needs a port of the node");
	*ret_address = address;
	*ret_net = address & mask;
	return 0;
}

/* ---- What it becomes ---- */

/* Nehalem is what firmware starts fastest on without KVM; the other is t4g's. */
static const char *
cpu_of(const struct qemu_spec *s)
{
	if (s->cpu && strcmp(s->cpu, "auto") != 0)
		return s->cpu;
	if (s->accel == ACCEL_WITH_KVM)
		return "host";
	return s->is_arm64 ? "neoverse-n1" : "Nehalem";
}

static void
add_board(struct args *a, const struct qemu_spec *s)
{
	const char *accel = s->accel == ACCEL_WITH_KVM ? "kvm" : "tcg";
	const char *flash = s->code ? ",pflash0=code,pflash1=vars" : "";

	add(a, "-machine");
	if (s->is_arm64)
		add(a, "virt,accel=%s,dump-guest-core=off,gic-version=max%s", accel, flash);
	else
		add(a, "q35,accel=%s,dump-guest-core=off,vmport=off%s%s", accel,
		    s->secure_boot ? ",smm=on" : "", flash);
}

static void
add_machine(struct args *a, const struct qemu_spec *s)
{
	add(a, "%s", s->qemu);
	add(a, "-name");
	add(a, "guest=%s,debug-threads=on", s->name);
	add(a, "-uuid");
	add(a, "%s", s->uuid);
	add(a, "-nodefaults");
	add(a, "-no-user-config");
	add(a, "-display");
	add(a, "none");
	add_board(a, s);
	add(a, "-cpu");
	add(a, "%s", cpu_of(s));
	add(a, "-smp");
	add(a, "cpus=%u,sockets=1,cores=%u,threads=1", s->vcpus, s->vcpus);
	add(a, "-m");
	add(a, "size=%uM", s->memory_mib);
	add(a, "-boot");
	add(a, "menu=off");
	add(a, "-S");			/* vmd says when: only after all is recorded */
	add(a, "-no-shutdown");		/* the end is seen before the process goes */
	if (s->secure_boot) {
		add(a, "-global");
		add(a, "driver=cfi.pflash01,property=secure,value=on");
	}
	if (s->smbios_product || s->smbios_serial) {
		add(a, "-smbios");
		add(a, "type=1,manufacturer=Spinifex%s%s%s%s",
		    s->smbios_product ? ",product=" : "",
		    s->smbios_product ? s->smbios_product : "",
		    s->smbios_serial ? ",serial=" : "",
		    s->smbios_serial ? VALUE(s->smbios_serial) : "");
	}
}

static void
add_firmware(struct args *a, const struct qemu_spec *s)
{
	if (!s->code)
		return;
	add(a, "-blockdev");
	add(a, "driver=file,node-name=code-file,filename=%s,read-only=on", VALUE(s->code));
	add(a, "-blockdev");
	add(a, "driver=%s,node-name=code,file=code-file,read-only=on", s->code_format);
	add(a, "-blockdev");
	add(a, "driver=file,node-name=vars-file,filename=%s", VALUE(s->vars));
	add(a, "-blockdev");
	add(a, "driver=raw,node-name=vars,file=vars-file");
}

/*
 * With a bootindex on each disk that can be booted firmware starts neither the network nor its boot from there; of
 * the boot order that the guest keeps it moves nothing among the entries of one disk.
 */
static void
add_disk(struct args *a, const struct qemu_disk *d, size_t i)
{
	const char *ro = d->read_only ? ",read-only=on" : "";
	char boot[32];

	add(a, "-blockdev");
	add(a, "driver=file,node-name=disk%zu-file,filename=%s,locking=on,discard=unmap%s", i,
	    VALUE(d->path), ro);
	add(a, "-blockdev");
	add(a, "driver=%s,node-name=disk%zu,file=disk%zu-file,discard=unmap%s",
	    d->format == DISK_RAW ? "raw" : "qcow2", i, i, ro);
	add(a, "-device");
	(void)snprintf(boot, sizeof(boot), ",bootindex=%zu", i);
	add(a, "virtio-blk-pci,id=virtio-disk%zu,drive=disk%zu%s%s%s", i, i,
	    d->read_only ? "" : boot, d->serial ? ",serial=" : "", d->serial ? d->serial : "");
}

/*
 * Ports that a volume can be plugged into while the guest runs: the root bus takes none.  At
 * places of their own, so that no other device moves for them; without room for I/O ports, of
 * which a machine has too few for all.
 */
static void
add_ports(struct args *a)
{
	for (unsigned i = 0; i < QEMU_PORTS; i++) {
		add(a, "-device");
		add(a, "pcie-root-port,id=hot%u,bus=pcie.0,addr=0x10.%u,multifunction=on,chassis=%u,"
		    "slot=%u,io-reserve=0", i, i, i + 1, i + 1);
	}
}

static void
add_volume(struct args *a, const struct qemu_volume *v)
{
	add(a, "-blockdev");
	add(a, "driver=file,node-name=f-%s,filename=%s,locking=on,discard=unmap", v->id,
	    VALUE(v->path));
	add(a, "-blockdev");
	add(a, "driver=qcow2,node-name=%s,file=f-%s,discard=unmap", v->id, v->id);
	add(a, "-device");
	add(a, "virtio-blk-pci,id=dev-%s,drive=%s,bus=hot%u,serial=%s", v->id, v->id, v->port,
	    strchr(v->id, '-') + 1);
}

/* A socket that QEMU serves in the guest's folder; what passes may be logged there too. */
static void
add_socket(struct args *a, const char *id, const char *dir, bool is_logged)
{
	add(a, "-chardev");
	add(a, "socket,id=%s,path=%s/sock/%s,server=on,wait=off%s%s%s", id, VALUE(dir), id,
	    is_logged ? ",logfile=" : "", is_logged ? VALUE(dir) : "",
	    is_logged ? "/console.log,logappend=on" : "");
}

static void
add_sockets(struct args *a, const struct qemu_spec *s)
{
	add_socket(a, "console", s->dir, true);
	add(a, "-serial");
	add(a, "chardev:console");
	add_socket(a, "qmp", s->dir, false);
	add(a, "-mon");
	add(a, "chardev=qmp,mode=control");
	add_socket(a, "monitor", s->dir, false);
	add(a, "-mon");
	add(a, "chardev=monitor,mode=control");
}

/* Each datagram of the socket that the guard hands on is a frame. */
static void
add_socket_network(struct args *a)
{
	add(a, "-netdev");
	add(a, "dgram,id=net0,local.type=fd,local.str=%d", GUARD_CHILD_NET_FD);
}

/* restrict: without it the guest reaches the node's loopback and its metadata service. */
static void
add_user_network(struct args *a, const struct qemu_spec *s, uint32_t address, uint32_t net)
{
	char forward[64] = "";

#define QUAD(x)	(x) >> 24, (x) >> 16 & 255, (x) >> 8 & 255, (x) & 255
	if (s->forward_to)
		(void)snprintf(forward, sizeof(forward), ",hostfwd=tcp:127.0.0.1:%u-%u.%u.%u.%u:%u",
		    s->forward_from, QUAD(address), s->forward_to);
	add(a, "-netdev");
	add(a, "user,id=net0,restrict=on,ipv6=off,net=%u.%u.%u.%u/%u,host=%u.%u.%u.%u,"
	    "dns=%u.%u.%u.%u,dhcpstart=%u.%u.%u.%u,hostname=ip-%u-%u-%u-%u%s", QUAD(net),
	    s->prefix, QUAD(net + 1), QUAD(net + 2), QUAD(address), QUAD(address), forward);
#undef QUAD
}

static void
add_network(struct args *a, const struct qemu_spec *s, uint32_t address, uint32_t net)
{
	if (s->net && s->net->mode != NET_ISOLATED)
		add_socket_network(a);
	else
		add_user_network(a, s, address, net);
	add(a, "-device");
	add(a, "virtio-net-pci,id=nic0,netdev=net0,mac=%s,romfile=", s->mac);
}

/* The pointers and then the text they point into. */
static int
finish(struct args *a, char ***ret)
{
	const size_t table = (a->n + 1) * sizeof(char *);
	char **argv, *p;

	if (a->text.failed)
		return -ENOMEM;
	argv = malloc(table + a->text.len);
	if (!argv)
		return -ENOMEM;
	p = (char *)argv + table;
	memcpy(p, a->text.data, a->text.len);
	for (size_t i = 0; i < a->n; i++, p += strlen(p) + 1)
		argv[i] = p;
	argv[a->n] = NULL;
	*ret = argv;
	return 0;
}

int
qemu_args_new(const struct qemu_spec *s, char ***ret, char why[static QEMU_WHY_MAX])
{
	struct args a = { .text = BUF_EMPTY(ARGS_MAX) };
	uint32_t address = 0, net = 0;
	int r = check_machine(s, why);

	if (r == 0)
		r = check_storage(s, why);
	if (r == 0 && s->mac)
		r = check_network(s, &address, &net, why);
	if (r < 0)
		return r;
	add_machine(&a, s);
	add_firmware(&a, s);
	for (size_t i = 0; i < s->ndisks; i++)
		add_disk(&a, &s->disks[i], i);
	add_ports(&a);
	for (size_t i = 0; i < s->nvolumes; i++)
		add_volume(&a, &s->volumes[i]);
	add_sockets(&a, s);
	if (s->mac)
		add_network(&a, s, address, net);
	add(&a, "-object");
	add(&a, "rng-builtin,id=rng0");
	add(&a, "-device");
	add(&a, "virtio-rng-pci,id=virtio-rng0,rng=rng0");
	add(&a, "-sandbox");
	add(&a, "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
	add(&a, "-msg");
	add(&a, "timestamp=on");
	r = finish(&a, ret);
	buf_deinit(&a.text);
	if (r < 0)
		(void)snprintf(why, QEMU_WHY_MAX, "no memory for the arguments");
	return r;
}
