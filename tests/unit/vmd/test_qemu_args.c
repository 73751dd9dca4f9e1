#include "vmd/qemu_args.h"

#include <errno.h>
#include <string.h>

#include "common/buf.h"
#include "tests/unit/unit.h"

static const struct qemu_disk root = { .path = "/d/vol-1.qcow2", .format = DISK_QCOW2,
    .serial = "vol0123456789abcdef0" };

static struct qemu_spec
usual(void)
{
	return (struct qemu_spec){ .qemu = "/usr/bin/qemu-system-x86_64", .accel = ACCEL_WITH_TCG,
	    .name = "i-0123456789abcdef0", .uuid = "ec2a1b2c-0000-4000-8000-00000000cafe",
	    .dir = "/s/vm/i-0123456789abcdef0", .vcpus = 2, .memory_mib = 1024,
	    .code = "/f/CODE.fd", .code_format = "raw", .vars = "/s/uefi/i/vars.fd",
	    .disks = &root, .ndisks = 1, .mac = "02:00:00:00:00:0a", .address = "172.31.5.10",
	    .prefix = 20 };
}

/* One argument a line, options with theirs on one. */
static void
print(const struct qemu_spec *s, struct buf *ret)
{
	char why[QEMU_WHY_MAX] = "";
	AUTO(mem) void *owned = NULL;
	char **argv = NULL;

	ck_assert_msg(qemu_args_new(s, &argv, why) == 0, "%s", why);
	owned = argv;
	for (size_t i = 0; argv[i]; i++)
		ck_assert_int_eq(buf_printf(ret, "%s%s", i == 0 ? "" :
		    argv[i][0] == '-' ? "\n" : " ", argv[i]), 0);
}

static void
expect_part(const struct qemu_spec *s, const char *part)
{
	AUTO(buf) struct buf b = BUF_EMPTY(65536);

	print(s, &b);
	ck_assert_msg(strstr(buf_text(&b), part) != NULL, "%s is not in\n%s", part, buf_text(&b));
}

static void
expect_refusal(const struct qemu_spec *s, const char *word, int r)
{
	char why[QEMU_WHY_MAX] = "";
	char **argv = NULL;

	ck_assert_int_eq(qemu_args_new(s, &argv, why), r);
	ck_assert_ptr_null(argv);
	ck_assert_msg(strstr(why, word) != NULL, "%s", why);
}

START_TEST(an_arm64_guest_has_a_machine_of_its_own_and_needs_firmware)
{
	struct qemu_spec s = usual();

	s.is_arm64 = true;
	expect_part(&s, "-machine virt,accel=tcg,dump-guest-core=off,gic-version=max,"
	    "pflash0=code,pflash1=vars\n-cpu neoverse-n1\n");
	s.cpu = "max";
	expect_part(&s, "-cpu max\n");
	s.cpu = "auto";
	s.accel = ACCEL_WITH_KVM;
	expect_part(&s, "-machine virt,accel=kvm,");
	expect_part(&s, "-cpu host\n");
	s.secure_boot = true;
	expect_refusal(&s, "SMM", -EINVAL);
	s.secure_boot = false;
	s.code = NULL;
	expect_refusal(&s, "no BIOS", -EINVAL);
}
END_TEST

START_TEST(a_usual_guest_is_this_command_line)
{
	static const char golden[] =
	    "/usr/bin/qemu-system-x86_64\n"
	    "-name guest=i-0123456789abcdef0,debug-threads=on\n"
	    "-uuid ec2a1b2c-0000-4000-8000-00000000cafe\n"
	    "-nodefaults\n"
	    "-no-user-config\n"
	    "-display none\n"
	    "-machine q35,accel=tcg,dump-guest-core=off,vmport=off,pflash0=code,pflash1=vars\n"
	    "-cpu Nehalem\n"
	    "-smp cpus=2,sockets=1,cores=2,threads=1\n"
	    "-m size=1024M\n"
	    "-boot menu=off\n"
	    "-S\n"
	    "-no-shutdown\n"
	    "-blockdev driver=file,node-name=code-file,filename=/f/CODE.fd,read-only=on\n"
	    "-blockdev driver=raw,node-name=code,file=code-file,read-only=on\n"
	    "-blockdev driver=file,node-name=vars-file,filename=/s/uefi/i/vars.fd\n"
	    "-blockdev driver=raw,node-name=vars,file=vars-file\n"
	    "-blockdev driver=file,node-name=disk0-file,filename=/d/vol-1.qcow2,locking=on,"
	    "discard=unmap\n"
	    "-blockdev driver=qcow2,node-name=disk0,file=disk0-file,discard=unmap\n"
	    "-device virtio-blk-pci,id=virtio-disk0,drive=disk0,bootindex=0,"
	    "serial=vol0123456789abcdef0\n"
#define PORT(n, next)	"-device pcie-root-port,id=hot" #n ",bus=pcie.0,addr=0x10." #n \
	    ",multifunction=on,chassis=" #next ",slot=" #next ",io-reserve=0\n"
	    PORT(0, 1) PORT(1, 2) PORT(2, 3) PORT(3, 4) PORT(4, 5) PORT(5, 6) PORT(6, 7) PORT(7, 8)
	    "-chardev socket,id=console,path=/s/vm/i-0123456789abcdef0/sock/console,server=on,"
	    "wait=off,logfile=/s/vm/i-0123456789abcdef0/console.log,logappend=on\n"
	    "-serial chardev:console\n"
	    "-chardev socket,id=qmp,path=/s/vm/i-0123456789abcdef0/sock/qmp,server=on,wait=off\n"
	    "-mon chardev=qmp,mode=control\n"
	    "-chardev socket,id=monitor,path=/s/vm/i-0123456789abcdef0/sock/monitor,server=on,"
	    "wait=off\n"
	    "-mon chardev=monitor,mode=control\n"
	    "-netdev user,id=net0,restrict=on,ipv6=off,net=172.31.0.0/20,host=172.31.0.1,"
	    "dns=172.31.0.2,dhcpstart=172.31.5.10,hostname=ip-172-31-5-10\n"
	    "-device virtio-net-pci,id=nic0,netdev=net0,mac=02:00:00:00:00:0a,romfile=\n"
	    "-object rng-builtin,id=rng0\n"
	    "-device virtio-rng-pci,id=virtio-rng0,rng=rng0\n"
	    "-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny\n"
	    "-msg timestamp=on";
	const struct qemu_spec s = usual();
	AUTO(buf) struct buf b = BUF_EMPTY(65536);

	print(&s, &b);
	ck_assert_str_eq(buf_text(&b), golden);
}
END_TEST

START_TEST(a_network_of_the_guard_s_is_a_descriptor)
{
	static const struct net_port isolated = { .mode = NET_ISOLATED };
	static const struct net_port outbound = { .mode = NET_OUTBOUND };
	struct qemu_spec s = usual();

	s.net = &isolated;
	expect_part(&s, "-netdev user,id=net0,restrict=on,");
	s.net = &outbound;
	expect_part(&s, "-netdev dgram,id=net0,local.type=fd,local.str=4\n"
	    "-device virtio-net-pci,id=nic0,netdev=net0,mac=02:00:00:00:00:0a,romfile=\n");
}
END_TEST

START_TEST(kvm_takes_the_hosts_processor_unless_one_is_named)
{
	struct qemu_spec s = usual();

	s.accel = ACCEL_WITH_KVM;
	s.cpu = "auto";
	expect_part(&s, "-machine q35,accel=kvm,");
	expect_part(&s, "-cpu host\n");
	s.cpu = "EPYC,-svm";
	expect_part(&s, "-cpu EPYC,-svm\n");
}
END_TEST

START_TEST(secure_boot_code_needs_smm_and_a_flash_that_only_smm_writes)
{
	struct qemu_spec s = usual();

	s.secure_boot = true;
	expect_part(&s, "-machine q35,accel=tcg,dump-guest-core=off,vmport=off,smm=on,pflash0");
	expect_part(&s, "-global driver=cfi.pflash01,property=secure,value=on\n");
}
END_TEST

START_TEST(a_guest_without_firmware_has_the_bios_and_no_flash)
{
	struct qemu_spec s = usual();
	AUTO(buf) struct buf b = BUF_EMPTY(65536);

	s.code = s.vars = s.code_format = NULL;
	print(&s, &b);
	ck_assert_ptr_null(strstr(buf_text(&b), "pflash"));
	ck_assert_ptr_null(strstr(buf_text(&b), "vars"));
}
END_TEST

START_TEST(commas_in_values_stay_in_their_value)
{
	struct qemu_spec s = usual();
	const struct qemu_disk d[] = { root, { .path = "/d/a,b,readonly=off", .read_only = true } };

	s.disks = d;
	s.ndisks = 2;
	s.dir = "/s,x/vm";
	s.smbios_product = "t3.micro";
	s.smbios_serial = "ds=nocloud,x";
	expect_part(&s, "filename=/d/a,,b,,readonly=off,locking=on,discard=unmap,read-only=on\n");
	expect_part(&s, "driver=raw,node-name=disk1,file=disk1-file,discard=unmap,read-only=on\n");
	expect_part(&s, "path=/s,,x/vm/sock/qmp,");
	expect_part(&s, "logfile=/s,,x/vm/console.log,logappend=on");
	expect_part(&s, "-smbios type=1,manufacturer=Spinifex,product=t3.micro,"
	    "serial=ds=nocloud,,x\n");
}
END_TEST

static const struct {
	const char	*address;
	uint32_t	 prefix;
	bool		 ok;
} addresses[] = {
	{ "10.0.0.3", 24, false }, { "10.0.0.4", 24, true }, { "10.0.0.254", 24, true },
	{ "10.0.0.255", 24, false }, { "10.0.1.0", 16, true }, { "10.0.0.20", 28, true },
	{ "10.0.0.19", 28, false }, { "10.0.0.31", 28, false }, { "10.0.0.5", 29, false },
	{ "10.0.0.5", 7, false }, { "10.0.0.256", 24, false }, { "", 24, false },
	{ "fe80::1", 24, false },
};

START_TEST(an_address_is_one_that_its_subnet_gives_to_guests)
{
	struct qemu_spec s = usual();

	s.address = addresses[_i].address;
	s.prefix = addresses[_i].prefix;
	if (addresses[_i].ok)
		expect_part(&s, addresses[_i].address);
	else
		expect_refusal(&s, "", -EINVAL);
}
END_TEST

START_TEST(a_disk_that_is_only_read_is_not_booted_from)
{
	const struct qemu_disk disks[] = { root, { .path = "/s/vm/i/seed.img",
	    .format = DISK_RAW, .read_only = true } };
	struct qemu_spec s = usual();

	s.disks = disks;
	s.ndisks = 2;
	expect_part(&s, "-blockdev driver=raw,node-name=disk1,file=disk1-file,discard=unmap,"
	    "read-only=on\n-device virtio-blk-pci,id=virtio-disk1,drive=disk1\n");
}
END_TEST

START_TEST(a_volume_is_in_a_port_that_it_can_be_taken_out_of)
{
	struct qemu_volume volumes[] = { { "vol-0123456789abcdef0", "/d/vol-0123456789abcdef0.qcow2", 3 },
		{ "vol-0123456789abcdef1", "/d,x", 7 } };
	struct qemu_spec s = usual();

	s.volumes = volumes;
	s.nvolumes = 2;
	expect_part(&s, "-blockdev driver=file,node-name=f-vol-0123456789abcdef0,"
	    "filename=/d/vol-0123456789abcdef0.qcow2,locking=on,discard=unmap\n"
	    "-blockdev driver=qcow2,node-name=vol-0123456789abcdef0,"
	    "file=f-vol-0123456789abcdef0,discard=unmap\n"
	    "-device virtio-blk-pci,id=dev-vol-0123456789abcdef0,"
	    "drive=vol-0123456789abcdef0,bus=hot3,serial=0123456789abcdef0\n");
	expect_part(&s, "filename=/d,,x,");
	volumes[1].port = 3;
	expect_refusal(&s, "port", -EINVAL);
	volumes[1].port = QEMU_PORTS;
	expect_refusal(&s, "port", -EINVAL);
}
END_TEST

START_TEST(a_port_of_the_loopback_leads_to_one_of_the_guest)
{
	struct qemu_spec s = usual();

	s.forward_to = 22;
	s.forward_from = 2222;
	expect_part(&s, ",hostname=ip-172-31-5-10,hostfwd=tcp:127.0.0.1:2222-172.31.5.10:22\n");
	s.forward_from = 0;
	expect_refusal(&s, "forward", -EINVAL);
}
END_TEST

START_TEST(what_is_missing_or_out_of_range_is_named)
{
	struct qemu_spec s = usual();
	char deep[200];

	s.vcpus = 0;
	expect_refusal(&s, "vcpus", -EINVAL);
	s = usual();
	s.memory_mib = 8;
	expect_refusal(&s, "memory", -EINVAL);
	s = usual();
	s.mac = "02:00:00:00:00:0g";
	expect_refusal(&s, "mac", -EINVAL);
	s = usual();
	s.vars = NULL;
	expect_refusal(&s, "firmware", -EINVAL);
	s = usual();
	s.code_format = "vmdk";
	expect_refusal(&s, "format", -EINVAL);
	s = usual();
	s.cpu = "host -device x";
	expect_refusal(&s, "cpu", -EINVAL);
	s = usual();
	s.ndisks = QEMU_DISKS_MAX + 1;
	expect_refusal(&s, "disks", -EINVAL);
	s = usual();
	s.name = "i-1,x";
	expect_refusal(&s, "name", -EINVAL);
	s = usual();
	memset(deep, 'd', sizeof(deep) - 1);
	deep[0] = '/';
	deep[sizeof(deep) - 1] = '\0';
	s.dir = deep;
	expect_refusal(&s, "state_dir", -ENAMETOOLONG);
	deep[QEMU_SOCKET_MAX - strlen("/sock/monitor")] = '\0';
	expect_part(&s, deep);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("qemu_args");

	tcase_add_test(tc, a_usual_guest_is_this_command_line);
	tcase_add_test(tc, an_arm64_guest_has_a_machine_of_its_own_and_needs_firmware);
	tcase_add_test(tc, a_network_of_the_guard_s_is_a_descriptor);
	tcase_add_test(tc, kvm_takes_the_hosts_processor_unless_one_is_named);
	tcase_add_test(tc, secure_boot_code_needs_smm_and_a_flash_that_only_smm_writes);
	tcase_add_test(tc, a_guest_without_firmware_has_the_bios_and_no_flash);
	tcase_add_test(tc, commas_in_values_stay_in_their_value);
	tcase_add_loop_test(tc, an_address_is_one_that_its_subnet_gives_to_guests, 0,
	    (int)ARRAY_LEN(addresses));
	tcase_add_test(tc, a_disk_that_is_only_read_is_not_booted_from);
	tcase_add_test(tc, a_volume_is_in_a_port_that_it_can_be_taken_out_of);
	tcase_add_test(tc, a_port_of_the_loopback_leads_to_one_of_the_guest);
	tcase_add_test(tc, what_is_missing_or_out_of_range_is_named);
	return unit_run("qemu_args", tc);
}
