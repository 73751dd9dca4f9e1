# Spinifex.  `make help` lists the targets.
#
# B is the build folder; SAN=1 builds with ASan and UBSan into $(B)/san, SAN=fuzz for libFuzzer
# into $(B)/libfuzzer; CC may be clang.

B	?= build
ifeq ($(origin CC),default)
CC	= gcc
endif
SAN	?=
V	?=
WERROR	?=
PREFIX	?= /usr
LIBEXEC	?= $(PREFIX)/libexec/spinifex

DAEMONS	= leased uefid vmd reaperd gwd
TOOL_leased	= leasectl
TOOL_uefid	= uefictl
TOOL_vmd	= vmctl
TOOL_reaperd	= reaperctl

PKGS	= libnats libcjson libsystemd libcurl libmicrohttpd libcrypto zlib libxml-2.0
CHECKPKG = check

cc-option = $(foreach f,$(1),$(shell $(CC) -Werror $(f) -xc -c /dev/null -o /dev/null 2>/dev/null && echo $(f)))
WARN	:= -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wformat=2 -Wundef -Wvla \
	   -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wpointer-arith \
	   -Wnull-dereference -Wswitch-enum -Wimplicit-fallthrough -Wdouble-promotion \
	   -Wno-unused-parameter
WARN	+= $(call cc-option,-Wformat-signedness -Wjump-misses-init -Wlogical-op -Wduplicated-cond)
HARD	= -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fPIE -fno-common
LINK	= -pie -Wl,-z,relro,-z,now -Wl,--fatal-warnings -Wl,--as-needed
OPT	= -O2 -g
O	= $(B)
REPLAY	= tests/fuzz/replay.c
ifneq ($(SAN),)
O	= $(B)/san
OPT	= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
HARD	= -fstack-protector-strong -fPIE -fno-common
LINK	= -pie -fsanitize=address,undefined
endif
ifeq ($(SAN),fuzz)
CC	= clang
O	= $(B)/libfuzzer
OPT	+= -fsanitize=fuzzer-no-link
LINK	+= -fsanitize=fuzzer
REPLAY	=
endif
# Asked once; before the packages are installed there is nobody to ask.
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null | sed 's/-I/-isystem /g')
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
CHECK_CFLAGS := $(shell pkg-config --cflags $(CHECKPKG) 2>/dev/null)
CHECK_LIBS := $(shell pkg-config --libs $(CHECKPKG) 2>/dev/null)
CPPFLAGS += -I. -I$(O) -D_GNU_SOURCE -DSPINIFEX_LIBEXEC='"$(LIBEXEC)"' $(PKG_CFLAGS)
CFLAGS	+= -std=gnu17 $(OPT) $(WARN) $(HARD) $(if $(WERROR),-Werror) -MMD -MP
LDLIBS	= $(PKG_LIBS) -pthread

# A daemon's folder: main.c is the daemon, <tool>.c the tool, vmd/vmguard.c the guard; every
# other file is in lib<daemon>.a, which its unit tests link.
src-common	= $(wildcard common/*.c)
own-mains	= $(1)/main.c $(if $(TOOL_$(1)),$(1)/$(TOOL_$(1)).c) $(if $(filter vmd,$(1)),vmd/vmguard.c)
src-of		= $(filter-out $(own-mains),$(wildcard $(1)/*.c))
obj		= $(patsubst %.c,$(O)/obj/%.o,$(1))

BINS	= $(DAEMONS:%=$(O)/%) $(foreach d,$(DAEMONS),$(if $(TOOL_$(d)),$(O)/$(TOOL_$(d)))) $(O)/vmguard

# A line a file; V=1 prints the commands.
say	= $(if $(V),,@echo '  $(1)' $(patsubst $(O)/%,%,$@);)

.PHONY: all
all: $(BINS)	## build the daemons and their tools

.PHONY: help
help:		## print this
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1\t/p' $(firstword $(MAKEFILE_LIST))

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC  )$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(O)/libcommon.a: $(call obj,$(src-common))
	@rm -f $@
	$(call say,AR  )$(AR) rcs $@ $^

define daemon-rules
$(O)/lib$(1).a: $(call obj,$(call src-of,$(1)))
	@rm -f $$@
	$$(call say,AR  )$$(AR) rcs $$@ $$^
$(O)/$(1): $(call obj,$(1)/main.c) $(O)/lib$(1).a $(O)/libcommon.a
	$$(call say,LINK)$$(CC) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS)
$(if $(TOOL_$(1)),$(O)/$(TOOL_$(1)): $(call obj,$(1)/$(TOOL_$(1)).c) $(O)/lib$(1).a $(O)/libcommon.a
	$$(call say,LINK)$$(CC) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS))
# unit tests of this folder; one may include the module that it tests
$(O)/unit/$(1)/%: tests/unit/$(1)/%.c $(O)/lib$(1).a $(O)/libcommon.a
	@mkdir -p $$(@D)
	$$(call say,LINK)$$(CC) $$(CPPFLAGS) $$(CHECK_CFLAGS) $$(CFLAGS) $$(LINK) -o $$@ $$< $$(filter %.a,$$^) \
	    $$(CHECK_LIBS) $$(LDLIBS)
$(O)/fuzz/$(1)/%: tests/fuzz/$(1)/%.c $(REPLAY) $(O)/lib$(1).a $(O)/libcommon.a
	@mkdir -p $$(@D)
	$$(call say,LINK)$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS)
endef
$(foreach d,$(DAEMONS),$(eval $(call daemon-rules,$(d))))
$(O)/unit/common/%: tests/unit/common/%.c $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CHECK_CFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) \
	    $(CHECK_LIBS) $(LDLIBS)
$(O)/fuzz/common/%: tests/fuzz/common/%.c $(REPLAY) $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
# The simulated cluster, beside the simulations that run in it.
$(O)/libsim.a: $(call obj,$(filter-out tests/sim/sim_%.c,$(wildcard tests/sim/*.c)))
	@rm -f $@
	$(call say,AR  )$(AR) rcs $@ $^
$(O)/sim/%: tests/sim/%.c $(O)/libsim.a $(O)/libleased.a $(O)/libuefid.a $(O)/libvmd.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$(O)/support/guest_driver: tests/support/guest_driver.c $(O)/libvmd.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$(O)/support/copyprobe: tests/support/copyprobe.c $(O)/libuefid.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
# Preloaded into a program under test.
$(O)/support/%.so: tests/support/shim/%.c
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(filter-out -fPIE,$(CFLAGS)) -fPIC -shared -o $@ $<
$(O)/support/%: tests/support/%.c $(O)/libcommon.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)

# The guard holds a guest's memory budget: nothing but libc.
$(O)/vmguard: $(call obj,vmd/vmguard.c $(wildcard vmd/guard_*.c) \
	  vmd/net_dhcp.c vmd/net_frame.c vmd/net_own.c vmd/net_port.c common/cidr.c)
	$(call say,LINK)$(CC) $(LINK) -o $@ $(filter %.c %.o %.a,$^)

UNIT	= $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*/test_*.c))
FUZZ	= $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/*/fuzz_*.c))
SIMS	= $(patsubst tests/sim/%.c,$(O)/sim/%,$(wildcard tests/sim/sim_*.c))

SUPPORT	= $(patsubst tests/support/%.c,$(O)/support/%,$(wildcard tests/support/*.c)) \
	  $(patsubst tests/support/shim/%.c,$(O)/support/%.so,$(wildcard tests/support/shim/*.c))

.PHONY: unit fuzzers sims support
unit: $(UNIT)
fuzzers: $(FUZZ)
sims: $(SIMS)
support: $(SUPPORT)

.PHONY: run check check-unit check-sim check-fuzz check-system check-ec2 check-man check-style
run:		## install what is missing, build, start everything here, boot a guest (root)
	@tests/support/packages run
	@tests/support/demo

check:		## all tests; ends with: N passed, N failed, N skipped (root)
	@tests/support/packages check
	@tests/support/check
check-unit:	## unit tests, under ASan and UBSan
check-sim:	## simulations of the lease rules
check-fuzz:	## every decoder over its seeds
check-system:	## real nats-server, daemons and QEMU (root)
check-ec2:	## aws cli and boto3 against a real cluster (root)
check-man:	## the manual pages, against the sources
check-style:	## both compilers, layers, shell
check-unit check-sim check-fuzz check-system check-ec2 check-man check-style: check-%:
	@tests/support/check $*

.PHONY: sim
sim: sims	## replay one schedule of the simulations with a trace, SEED=n SIM=lease
	@for s in $(or $(SIM:%=$(O)/sim/sim_%),$(SIMS)); do SEED=$(or $(SEED),1) $$s || exit 1; done

.PHONY: fuzz bench check-long check-power check-soak check-limits check-debian13
check-debian13:	## make check, or its PARTS="system ec2", in an empty tree of Debian 13 (root)
	@tests/support/packages tree
	@tests/support/tree trixie sh -c 'tests/support/packages check && exec tests/support/check $(PARTS)'
check-soak:	## MINUTES=20 of load as shipped, under ASan and under valgrind: does anything grow? (root)
	@tests/support/packages soak
	@$(MAKE) -s all && $(MAKE) -s SAN=1 all
	@tests/support/soak --minutes $(or $(MINUTES),20) $(SEED:%=--seed %)
check-limits:	## the units' limits, in a small machine with a systemd of its own (root)
	@tests/support/packages check
	@$(MAKE) -s all
	@tests/support/limits
check-power:	## CUTS=10 power cuts of a small machine that holds nats-server, SEED=n (root)
	@tests/support/packages check
	@$(MAKE) -s all
	@tests/support/power --cuts $(or $(CUTS),10) $(SEED:%=--seed %)
check-long:	## Ansible, then MINUTES=20 of kill -9 on everything, NATS=3 SEED=n; or ROUNDS=200 SEED=n of leases (root)
	@tests/support/packages $(if $(ROUNDS),check,long)
	@$(MAKE) -s all support
	@$(if $(ROUNDS),,tests/ec2/test_ansible --long)
	@$(if $(ROUNDS),tests/support/rounds --rounds $(ROUNDS) --seed $(or $(SEED),1) --log $(B)/rounds.log,\
	    tests/support/chaos --minutes $(or $(MINUTES),20) --nats $(or $(NATS),3) $(SEED:%=--seed %))
fuzz:		## libFuzzer on each decoder, SECONDS=60 each
	@tests/support/fuzz $(or $(SECONDS),60)
bench:		## sizes and speeds, side by side (root), BENCH="describe million" of them alone
	@tests/support/bench $(BENCH)

.PHONY: install uninstall deb
install: all	## below DESTDIR, with PREFIX: programs, units, manual pages, /etc/spinifex
	@B='$(O)' PREFIX='$(PREFIX)' LIBEXEC='$(LIBEXEC)' DESTDIR='$(DESTDIR)' etc/install put
uninstall:	## removes what install put
	@B='$(O)' PREFIX='$(PREFIX)' LIBEXEC='$(LIBEXEC)' DESTDIR='$(DESTDIR)' etc/install remove
deb: all	## a Debian package in $(B), of DEB_VERSION or the changelog's
	@B=$(O) etc/debian/build "$(DEB_VERSION)" $(B)

.PHONY: clean
clean:		## remove what was built
	rm -rf $(B)

-include $(shell find $(O) -name '*.d' 2>/dev/null)
