# Spinifex.  `make help` lists the targets.
#
# B is the build folder; SAN=1 builds with ASan and UBSan into $(B)/san; CC may be clang.

B	?= build
CC	?= gcc
SAN	?=
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
ifneq ($(SAN),)
O	= $(B)/san
OPT	= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
HARD	= -fstack-protector-strong -fPIE -fno-common
LINK	= -pie -fsanitize=address,undefined
else
O	= $(B)
endif
CPPFLAGS += -I. -I$(O) -D_GNU_SOURCE -DSPINIFEX_LIBEXEC='"$(LIBEXEC)"' \
	    $(shell pkg-config --cflags $(PKGS) | sed 's/-I/-isystem /g')
CFLAGS	+= -std=gnu17 $(OPT) $(WARN) $(HARD) $(if $(WERROR),-Werror) -MMD -MP
LDLIBS	= $(shell pkg-config --libs $(PKGS)) -pthread

# A daemon's folder: main.c is the daemon, <tool>.c the tool, vmd/vmguard.c the guard; every
# other file is in lib<daemon>.a, which its unit tests link.
src-common	= $(wildcard common/*.c)
own-mains	= $(1)/main.c $(if $(TOOL_$(1)),$(1)/$(TOOL_$(1)).c) $(if $(filter vmd,$(1)),vmd/vmguard.c)
src-of		= $(filter-out $(own-mains),$(wildcard $(1)/*.c))
obj		= $(patsubst %.c,$(O)/obj/%.o,$(1))

BINS	= $(DAEMONS:%=$(O)/%) $(foreach d,$(DAEMONS),$(if $(TOOL_$(d)),$(O)/$(TOOL_$(d)))) $(O)/vmguard

.PHONY: all
all: $(BINS)	## build the daemons and their tools

.PHONY: help
help:		## print this
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(firstword $(MAKEFILE_LIST))

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(O)/libcommon.a: $(call obj,$(src-common))
	@rm -f $@
	$(AR) rcs $@ $^

define daemon-rules
$(O)/lib$(1).a: $(call obj,$(call src-of,$(1)))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
$(O)/$(1): $(call obj,$(1)/main.c) $(O)/lib$(1).a $(O)/libcommon.a
	$$(CC) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS)
$(if $(TOOL_$(1)),$(O)/$(TOOL_$(1)): $(call obj,$(1)/$(TOOL_$(1)).c) $(O)/libcommon.a
	$$(CC) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS))
# unit tests of this folder
$(O)/unit/$(1)/%: tests/unit/$(1)/%.c $(O)/lib$(1).a $(O)/libcommon.a
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $$(shell pkg-config --cflags $(CHECKPKG)) $$(CFLAGS) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) \
	    $$(shell pkg-config --libs $(CHECKPKG)) $$(LDLIBS)
$(O)/fuzz/$(1)/%: tests/fuzz/$(1)/%.c tests/fuzz/replay.c $(O)/lib$(1).a $(O)/libcommon.a
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(LINK) -o $$@ $$(filter %.c %.o %.a,$$^) $$(LDLIBS)
endef
$(foreach d,$(DAEMONS),$(eval $(call daemon-rules,$(d))))
$(O)/unit/common/%: tests/unit/common/%.c $(O)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(shell pkg-config --cflags $(CHECKPKG)) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) \
	    $(shell pkg-config --libs $(CHECKPKG)) $(LDLIBS)
$(O)/fuzz/common/%: tests/fuzz/common/%.c tests/fuzz/replay.c $(O)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$(O)/sim/%: tests/sim/%.c $(O)/libleased.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$(O)/support/%: tests/support/%.c $(O)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LINK) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)

# The guard holds a guest's memory budget: nothing but libc.
$(O)/vmguard: $(call obj,vmd/vmguard.c)
	$(CC) $(LINK) -o $@ $(filter %.c %.o %.a,$^)

UNIT	= $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*/test_*.c))
FUZZ	= $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/*/fuzz_*.c))
SIM	= $(patsubst tests/sim/%.c,$(O)/sim/%,$(wildcard tests/sim/sim_*.c))

.PHONY: unit fuzzers sims
unit: $(UNIT)
fuzzers: $(FUZZ)
sims: $(SIM)

.PHONY: clean
clean:		## remove what was built
	rm -rf $(B)

-include $(shell find $(O) -name '*.d' 2>/dev/null)
