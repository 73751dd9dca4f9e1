/*
 * act_types.c - DescribeInstanceTypes, from the table that was read at the start.
 */
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"

static const struct filter_name types_names[] = {
	{ "auto-recovery-supported",		"AutoRecoverySupported" },
	{ "bare-metal",				"BareMetal" },
	{ "burstable-performance-supported",	"BurstablePerformanceSupported" },
	{ "current-generation",			"CurrentGeneration" },
	{ "dedicated-hosts-supported",		"DedicatedHostsSupported" },
	{ "ebs-info.attachment-limit-type",	NULL },
	{ "ebs-info.ebs-optimized-info.baseline-bandwidth-in-mbps",	NULL },
	{ "ebs-info.ebs-optimized-info.baseline-iops",	NULL },
	{ "ebs-info.ebs-optimized-info.baseline-throughput-in-mbps",	NULL },
	{ "ebs-info.ebs-optimized-info.maximum-bandwidth-in-mbps",	NULL },
	{ "ebs-info.ebs-optimized-info.maximum-iops",	NULL },
	{ "ebs-info.ebs-optimized-info.maximum-throughput-in-mbps",	NULL },
	{ "ebs-info.ebs-optimized-support",	"EbsInfo.EbsOptimizedSupport" },
	{ "ebs-info.encryption-support",	"EbsInfo.EncryptionSupport" },
	{ "ebs-info.maximum-ebs-attachments",	NULL },
	{ "ebs-info.nvme-support",		"EbsInfo.NvmeSupport" },
	{ "free-tier-eligible",			"FreeTierEligible" },
	{ "hibernation-supported",		"HibernationSupported" },
	{ "hypervisor",				"Hypervisor" },
	{ "instance-storage-info.disk.count",	NULL },
	{ "instance-storage-info.disk.size-in-gb",	NULL },
	{ "instance-storage-info.disk.type",	NULL },
	{ "instance-storage-info.encryption-support",	NULL },
	{ "instance-storage-info.nvme-support",	NULL },
	{ "instance-storage-info.total-size-in-gb",	NULL },
	{ "instance-storage-supported",		"InstanceStorageSupported" },
	{ "instance-type",			"InstanceType" },
	{ "memory-info.size-in-mib",		"MemoryInfo.SizeInMiB" },
	{ "network-info.bandwidth-weightings",	NULL },
	{ "network-info.efa-info.maximum-efa-interfaces",	NULL },
	{ "network-info.efa-supported",	"NetworkInfo.EfaSupported" },
	{ "network-info.ena-support",		"NetworkInfo.EnaSupport" },
	{ "network-info.encryption-in-transit-supported",
	  "NetworkInfo.EncryptionInTransitSupported" },
	{ "network-info.flexible-ena-queues-support",	"=unsupported" },
	{ "network-info.ipv4-addresses-per-interface",	"NetworkInfo.Ipv4AddressesPerInterface" },
	{ "network-info.ipv6-addresses-per-interface",	"NetworkInfo.Ipv6AddressesPerInterface" },
	{ "network-info.ipv6-supported",	"NetworkInfo.Ipv6Supported" },
	{ "network-info.maximum-network-cards",	"NetworkInfo.MaximumNetworkCards" },
	{ "network-info.maximum-network-interfaces", "NetworkInfo.MaximumNetworkInterfaces" },
	{ "network-info.network-performance",	"NetworkInfo.NetworkPerformance" },
	{ "nitro-enclaves-support",		"=unsupported" },
	{ "nitro-tpm-info.supported-versions",	NULL },
	{ "nitro-tpm-support",			"=unsupported" },
	{ "processor-info.supported-architecture", "ProcessorInfo.SupportedArchitectures" },
	{ "processor-info.supported-features",	NULL },
	{ "processor-info.sustained-clock-speed-in-ghz",	NULL },
	{ "reboot-migration-support",		"=unsupported" },
	{ "supported-boot-mode",		"SupportedBootModes" },
	{ "supported-root-device-type",		"SupportedRootDeviceTypes" },
	{ "supported-usage-class",		"SupportedUsageClasses" },
	{ "supported-virtualization-type",	"SupportedVirtualizationTypes" },
	{ "vcpu-info.default-cores",		"VCpuInfo.DefaultCores" },
	{ "vcpu-info.default-threads-per-core",	"VCpuInfo.DefaultThreadsPerCore" },
	{ "vcpu-info.default-vcpus",		"VCpuInfo.DefaultVCpus" },
	{ "vcpu-info.valid-cores",		NULL },
	{ "vcpu-info.valid-threads-per-core",	NULL },
};
const struct filter_table act_filters_instance_types = { types_names, ARRAY_LEN(types_names), NULL };

/* What is the same for every type here. */
static const char types_fixed[] =
    "{\"FreeTierEligible\":false,\"SupportedUsageClasses\":[\"on-demand\"],"
    "\"SupportedRootDeviceTypes\":[\"ebs\"],\"SupportedVirtualizationTypes\":[\"hvm\"],"
    "\"BareMetal\":false,\"Hypervisor\":\"nitro\",\"InstanceStorageSupported\":false,"
    "\"HibernationSupported\":false,\"DedicatedHostsSupported\":false,"
    "\"AutoRecoverySupported\":false,"
    "\"EbsInfo\":{\"EbsOptimizedSupport\":\"unsupported\","
    "\"EncryptionSupport\":\"unsupported\",\"NvmeSupport\":\"unsupported\"},"
    "\"NetworkInfo\":{\"NetworkPerformance\":\"Low to Moderate\","
    "\"MaximumNetworkInterfaces\":1,\"MaximumNetworkCards\":1,"
    "\"DefaultNetworkCardIndex\":0,\"NetworkCards\":[{\"NetworkCardIndex\":0,"
    "\"NetworkPerformance\":\"Low to Moderate\",\"MaximumNetworkInterfaces\":1}],"
    "\"Ipv4AddressesPerInterface\":1,\"Ipv6AddressesPerInterface\":0,"
    "\"Ipv6Supported\":false,\"EnaSupport\":\"supported\",\"EfaSupported\":false,"
    "\"EncryptionInTransitSupported\":false},"
    "\"PlacementGroupInfo\":{\"SupportedStrategies\":[]}}";

static bool
types_add_list(cJSON *obj, const char *member, const char *const *words, int n)
{
	cJSON *list = cJSON_CreateStringArray(words, n);

	if (list && cJSON_AddItemToObject(obj, member, list))
		return true;
	cJSON_Delete(list);
	return false;
}

static bool
types_add_cpu(cJSON *item, const struct type *t)
{
	const char *arch[] = { t->arch };
	const int cores = (int)(t->vcpus / t->threads);
	cJSON *cpu = cJSON_AddObjectToObject(item, "VCpuInfo");
	cJSON *memory = cJSON_AddObjectToObject(item, "MemoryInfo");
	cJSON *processor = cJSON_AddObjectToObject(item, "ProcessorInfo");

	return cpu && memory && processor && json_add_u64(cpu, "DefaultVCpus", t->vcpus) &&
	    json_add_u64(cpu, "DefaultCores", (uint64_t)cores) &&
	    json_add_u64(cpu, "DefaultThreadsPerCore", t->threads) &&
	    json_add_u64(memory, "SizeInMiB", t->memory_mib) &&
	    types_add_list(processor, "SupportedArchitectures", arch, 1);
}

/* arm64 firmware is UEFI only. */
static cJSON *
types_item(const struct type *t)
{
	static const char *const modes[] = { "uefi", "legacy-bios" };
	AUTO(json) cJSON *item = cJSON_Parse(types_fixed);

	if (!item || !cJSON_AddStringToObject(item, "InstanceType", t->name) ||
	    !cJSON_AddBoolToObject(item, "CurrentGeneration", t->current) ||
	    !cJSON_AddBoolToObject(item, "BurstablePerformanceSupported", t->burstable) ||
	    !types_add_cpu(item, t) ||
	    !types_add_list(item, "SupportedBootModes", modes,
	    strcmp(t->arch, "x86_64") == 0 ? 2 : 1))
		return NULL;
	return steal_json(&item);
}

/* Unknown names fail the call, all of them named. */
static bool
types_are_known(struct call *c, const struct types *all, const struct id_list *names)
{
	char why[400] = "";
	size_t at = 0;

	for (size_t i = 0; i < names->n; i++) {
		if (types_find(all, names->id[i]) || at >= sizeof(why))
			continue;
		at += (size_t)snprintf(why + at, sizeof(why) - at, "%s%.64s", at ? ", " : "",
		    names->id[i]);
	}
	if (at == 0)
		return true;
	call_fail(c, "InvalidInstanceType",
	    "The following supplied instance types do not exist: [%s]", why);
	return false;
}

/* Those that are asked for and match, as page items that own their trees.  False: no memory. */
static bool
types_collect(struct gwd *g, struct call *c, const struct id_list *names,
    struct page_item *items, size_t *ret_n)
{
	const struct types *all = &g->cloud->types;

	for (size_t i = 0; i < all->n; i++) {
		const struct type *t = &all->row[i];
		AUTO(json) cJSON *item = NULL;

		if (names->n > 0 && id_list_find(names, t->name) < 0)
			continue;
		item = types_item(t);
		if (!item)
			return false;
		if (filter_match(&act_filters_instance_types, json_member(c->in, "Filters"), item, NULL))
			items[(*ret_n)++] = (struct page_item){ t->name, steal_json(&item) };
	}
	return true;
}

static cJSON *
types_answer(const struct call *c, const struct page *page, struct page_item *items, size_t n)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "InstanceTypes") : NULL;
	size_t first, count;
	bool more;

	if (!list)
		return NULL;
	count = page_cut(page, items, n, &first, &more);
	for (size_t i = first; i < first + count; i++) {
		cJSON_AddItemToArray(list, items[i].item);
		items[i].item = NULL;
	}
	if (more && !ask_next(c, items[first + count - 1].key, out))
		return NULL;
	return steal_json(&out);
}

void
act_describe_instance_types(struct gwd *g, struct call *c)
{
	AUTO(id_list) struct id_list names = { 0 };
	AUTO(mem) void *room = calloc(g->cloud->types.n, sizeof(struct page_item));
	struct page_item *items = room;
	struct page page;
	size_t n = 0;

	if (!ask_ids(c, "InstanceTypes", NULL, "InvalidInstanceType", &names) ||
	    !types_are_known(c, &g->cloud->types, &names) ||
	    !ask_page(c, names.n > 0, &page))
		return;
	if (items && types_collect(g, c, &names, items, &n))
		call_answer(c, types_answer(c, &page, items, n));
	else
		ask_fail_nomem(c);
	for (size_t i = 0; i < n; i++)
		cJSON_Delete(items[i].item);
}
