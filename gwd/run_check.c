#include "gwd/run_check.h"

#include <errno.h>
#include <string.h>

#include "common/base64.h"
#include "common/instance.h"
#include "gwd/tag_rule.h"
#include "gwd/volume_rule.h"

/* ---- members that may be there only as long as they say nothing ---- */

struct run_refused {
	const char	*path;		/* at most two members */
	const char	*code;
	const char	*message;
};
static const struct run_refused run_refused[] = {
	{ "CapacityReservationSpecification.CapacityReservationTarget", "UnsupportedOperation",
	  "Capacity reservations are not supported." },
	{ "ElasticGpuSpecification", "UnsupportedOperation", "Elastic GPUs are not supported." },
	{ "ElasticInferenceAccelerators", "UnsupportedOperation",
	  "Elastic inference accelerators are not supported." },
	{ "EnclaveOptions.Enabled", "UnsupportedOperation", "Enclaves are not supported." },
	{ "HibernationOptions.Configured", "UnsupportedHibernationConfiguration",
	  "Hibernation is not supported." },
	{ "IamInstanceProfile", "InvalidParameterValue", "Value for parameter iamInstanceProfile "
	  "is invalid. Invalid IAM Instance Profile name" },
	{ "InstanceMarketOptions", "UnsupportedOperation", "Spot instances are not supported." },
	{ "Ipv6AddressCount", "UnsupportedOperation", "IPv6 addresses are not supported." },
	{ "Ipv6Addresses", "UnsupportedOperation", "IPv6 addresses are not supported." },
	{ "KernelId", "UnsupportedOperation", "A kernel cannot be chosen." },
	{ "LaunchTemplate", "UnsupportedOperation", "Launch templates are not supported." },
	{ "LicenseSpecifications", "UnsupportedOperation",
	  "License specifications are not supported." },
	{ "Placement.Affinity", "UnsupportedOperation", "Dedicated hosts are not supported." },
	{ "Placement.GroupId", "InvalidPlacementGroup.Unknown", "The placement group is unknown." },
	{ "Placement.GroupName", "InvalidPlacementGroup.Unknown",
	  "The placement group is unknown." },
	{ "Placement.HostId", "UnsupportedOperation", "Dedicated hosts are not supported." },
	{ "Placement.HostResourceGroupArn", "UnsupportedOperation",
	  "Dedicated hosts are not supported." },
	{ "Placement.PartitionNumber", "UnsupportedOperation",
	  "Placement groups are not supported." },
	{ "RamdiskId", "UnsupportedOperation", "A RAM disk cannot be chosen." },
};

bool
run_is_set(const cJSON *v)
{
	const cJSON *child;

	if (cJSON_IsString(v))
		return v->valuestring[0] != '\0';
	if (cJSON_IsNumber(v))
		return v->valuedouble < 0 || v->valuedouble > 0;
	if (!cJSON_IsArray(v) && !cJSON_IsObject(v))
		return cJSON_IsTrue(v);
	cJSON_ArrayForEach(child, v) {
		if (cJSON_IsArray(v) || run_is_set(child))
			return true;
	}
	return false;
}

static const cJSON *
run_member(const cJSON *in, const char *path)
{
	char first[64];
	size_t len = strcspn(path, ".");

	if (path[len] == '\0')
		return json_member(in, path);
	if (len >= sizeof(first))
		return NULL;
	memcpy(first, path, len);
	first[len] = '\0';
	return json_member(json_member(in, first), path + len + 1);
}

static int
run_check_refused(const cJSON *in, struct shape_error *e)
{
	for (size_t i = 0; i < ARRAY_LEN(run_refused); i++) {
		const struct run_refused *r = &run_refused[i];

		if (run_is_set(run_member(in, r->path)))
			return shape_refuse(e, r->code, "%s", r->message);
	}
	return 0;
}

/* ---- the others, each on its own ---- */

static int
run_check_counts(const cJSON *in, struct shape_error *e)
{
	const cJSON *min = json_member(in, "MinCount"), *max = json_member(in, "MaxCount");

	if (!min || !max)
		return shape_refuse(e, "MissingParameter", "The request must contain the "
		    "parameter %s", min ? "MaxCount" : "MinCount");
	if (min->valuedouble < 1)
		return shape_refuse(e, "InvalidParameterValue", "Invalid value '%.0f' for "
		    "MinCount. Must be greater than or equal to 1.", min->valuedouble);
	if (max->valuedouble < min->valuedouble)
		return shape_refuse(e, "InvalidParameterValue", "Invalid value '%.0f' for "
		    "MaxCount. Must be greater than or equal to MinCount.", max->valuedouble);
	if (max->valuedouble > RUN_COUNT_MAX)
		return shape_refuse(e, "InstanceLimitExceeded", "At most %d instances can be "
		    "launched by one request.", RUN_COUNT_MAX);
	return 0;
}

static int
run_check_image(const cJSON *in, struct shape_error *e)
{
	if (!run_is_set(json_member(in, "ImageId")))
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter ImageId");
	return 0;
}

static int
run_check_tenancy(const cJSON *in, struct shape_error *e)
{
	const char *tenancy = json_text(json_member(in, "Placement"), "Tenancy");
	const char *host = json_text(json_member(in, "PrivateDnsNameOptions"), "HostnameType");

	if (tenancy && *tenancy && strcmp(tenancy, "default") != 0)
		return shape_refuse(e, "Unsupported", "The tenancy '%.32s' is not supported.",
		    tenancy);
	if (cJSON_IsTrue(json_member(json_member(in, "PrivateDnsNameOptions"), "EnableResourceNameDnsARecord")) ||
	    cJSON_IsTrue(json_member(json_member(in, "PrivateDnsNameOptions"), "EnableResourceNameDnsAAAARecord")))
		return shape_refuse(e, "Unsupported", "Resource names are not supported.");
	if (host && *host && strcmp(host, "ip-name") != 0)
		return shape_refuse(e, "Unsupported", "The host name type '%.32s' is not "
		    "supported.", host);
	return 0;
}

static int
run_check_credits(const cJSON *in, struct shape_error *e)
{
	const char *credits = json_text(json_member(in, "CreditSpecification"), "CpuCredits");

	if (credits && *credits && strcmp(credits, "standard") != 0 &&
	    strcmp(credits, "unlimited") != 0)
		return shape_refuse(e, "InvalidParameterValue", "Value (%.32s) for parameter "
		    "CpuCredits is invalid. Expecting standard or unlimited.", credits);
	return 0;
}

/* There is no metadata service yet, so that what turns it off or down is kept as it is given, and
 * what only a service could give is refused. */
int
run_check_metadata(const cJSON *options, struct shape_error *e)
{
	const cJSON *hops = json_member(options, "HttpPutResponseHopLimit");
	static const char *const off[] = { "HttpProtocolIpv6", "InstanceMetadataTags" };

	if (hops && !(hops->valuedouble >= 1 && hops->valuedouble <= 64))
		return shape_refuse(e, "InvalidParameterValue", "Value (%.0f) for parameter "
		    "HttpPutResponseHopLimit is invalid. Expecting a value from 1 to 64.",
		    hops->valuedouble);
	for (size_t i = 0; i < ARRAY_LEN(off); i++) {
		const char *word = json_text(options, off[i]);

		if (word && strcmp(word, "enabled") == 0)
			return shape_refuse(e, "UnsupportedOperation", "%s cannot be enabled.",
			    off[i]);
	}
	return 0;
}

static int
run_check_options(const cJSON *in, struct shape_error *e)
{
	return run_check_metadata(json_member(in, "MetadataOptions"), e);
}

int
run_check_data(const char *base64, struct shape_error *e)
{
	AUTO(mem) void *bytes = NULL;
	uint8_t *decoded = NULL;
	size_t len = 0;
	int r = base64_decode(base64, strlen(base64), &decoded, &len);

	bytes = decoded;
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return shape_refuse(e, "InvalidUserData.Malformed",
		    "Invalid BASE64 encoding of user data.");
	if (len > INSTANCE_USER_DATA_MAX)
		return shape_refuse(e, "InvalidParameterValue", "User data is limited to %d bytes.",
		    INSTANCE_USER_DATA_MAX);
	return 0;
}

static int
run_check_user_data(const cJSON *in, struct shape_error *e)
{
	const char *text = json_text(in, "UserData");

	return text ? run_check_data(text, e) : 0;
}

static int
run_check_tags(const cJSON *in, struct shape_error *e)
{
	static const char *const types[] = { "instance", "volume", "network-interface", NULL };
	char why[TAG_MESSAGE_MAX];
	const char *code = tag_rule_check_specs(json_member(in, "TagSpecifications"), types, why);

	return code ? shape_refuse(e, code, "%s", why) : 0;
}

static int
run_check_interface(const cJSON *nic, struct shape_error *e)
{
	static const char *const several[] = { "Ipv4PrefixCount", "Ipv4Prefixes",
	    "Ipv6AddressCount", "Ipv6Addresses", "Ipv6PrefixCount", "Ipv6Prefixes",
	    "PrivateIpAddresses", "SecondaryPrivateIpAddressCount" };
	const cJSON *index = json_member(nic, "DeviceIndex");
	const char *type = json_text(nic, "InterfaceType");

	if (index && run_is_set(index))
		return shape_refuse(e, "InvalidParameterValue",
		    "The first network interface must have the device index 0.");
	if ((type && *type && strcmp(type, "interface") != 0) ||
	    run_is_set(json_member(nic, "NetworkCardIndex")))
		return shape_refuse(e, "UnsupportedOperation",
		    "A network interface is of the type interface, and of the network card 0.");
	if (cJSON_IsFalse(json_member(nic, "DeleteOnTermination")))
		return shape_refuse(e, "UnsupportedOperation",
		    "The network interface of an instance goes with it.");
	for (size_t i = 0; i < ARRAY_LEN(several); i++) {
		if (run_is_set(json_member(nic, several[i])))
			return shape_refuse(e, "UnsupportedOperation",
			    "A network interface has one IPv4 address: %s is not supported.",
			    several[i]);
	}
	return 0;
}

static int
run_check_network(const cJSON *in, struct shape_error *e)
{
	static const char *const top[] = { "SubnetId", "SecurityGroupIds", "SecurityGroups",
	    "PrivateIpAddress" };
	const cJSON *nics = json_member(in, "NetworkInterfaces");
	int n = cJSON_GetArraySize(nics);

	if (run_is_set(json_member(in, "SecurityGroupIds")) && run_is_set(json_member(in, "SecurityGroups")))
		return shape_refuse(e, "InvalidParameterCombination", "Security groups are given by their "
		    "ids or by their names, not both.");
	if (json_member(in, "MaxCount")->valuedouble > 1 && (run_is_set(json_member(in, "PrivateIpAddress")) ||
	    run_is_set(json_member(cJSON_GetArrayItem(nics, 0), "PrivateIpAddress"))))
		return shape_refuse(e, "InvalidParameterCombination", "A private address can be given to one "
		    "instance only.");
	if (n == 0)
		return 0;
	if (n > 1)
		return shape_refuse(e, "AttachmentLimitExceeded", "Interface count %d exceeds the "
		    "limit of 1.", n);
	for (size_t i = 0; i < ARRAY_LEN(top); i++) {
		if (run_is_set(json_member(in, top[i])))
			return shape_refuse(e, "InvalidParameterCombination", "Network interfaces "
			    "and an instance-level %s may not be specified on the same request",
			    top[i]);
	}
	return run_check_interface(cJSON_GetArrayItem(nics, 0), e);
}

static bool
run_is_mapped_before(const cJSON *list, const cJSON *mapping, const char *device)
{
	const cJSON *other;

	cJSON_ArrayForEach(other, list) {
		const char *name = json_text(other, "DeviceName");

		if (other == mapping)
			return false;
		if (name && strcmp(name, device) == 0)
			return true;
	}
	return false;
}

static int
run_check_ebs(const cJSON *ebs, struct shape_error *e)
{
	static const char *const off[] = { "KmsKeyId", "OutpostArn" };

	if (run_is_set(json_member(ebs, "Encrypted")))
		return shape_refuse(e, "UnsupportedOperation", "Encrypted volumes are not supported.");
	for (size_t i = 0; i < ARRAY_LEN(off); i++) {
		if (run_is_set(json_member(ebs, off[i])))
			return shape_refuse(e, "UnsupportedOperation", "%s is not supported.", off[i]);
	}
	return volume_rule_check(ebs, "VolumeSize", e);
}

static int
run_check_mappings(const cJSON *in, struct shape_error *e)
{
	const cJSON *list = json_member(in, "BlockDeviceMappings"), *mapping;

	cJSON_ArrayForEach(mapping, list) {
		const char *device = json_text(mapping, "DeviceName");
		const cJSON *ebs = json_member(mapping, "Ebs");

		if (!device || *device == '\0')
			return shape_refuse(e, "MissingParameter",
			    "The request must contain the parameter deviceName");
		if (run_is_mapped_before(list, mapping, device))
			return shape_refuse(e, "InvalidBlockDeviceMapping",
			    "Duplicate device name '%.64s' specified.", device);
		if (ebs && run_check_ebs(ebs, e) < 0)
			return -EINVAL;
	}
	return 0;
}

int
run_check(const cJSON *in, struct shape_error *e)
{
	static action_check_fn *const checks[] = { run_check_counts, run_check_image,
	    run_check_tenancy, run_check_credits, run_check_options, run_check_user_data,
	    run_check_tags, run_check_network, run_check_mappings, run_check_refused };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_LEN(checks); i++)
		r = checks[i](in, e);
	return r;
}

/* ---- pruning ---- */

static bool
run_is_empty_text(const cJSON *v)
{
	return cJSON_IsString(v) && v->valuestring[0] == '\0' &&
	    !(v->string && strcmp(v->string, "Value") == 0);
}

/* As deep as a request may be: the shapes bound it. */
void
run_prune(cJSON *in)
{
	cJSON *v = in ? in->child : NULL;

	while (v) {
		cJSON *next = v->next;

		if (run_is_empty_text(v))
			cJSON_Delete(cJSON_DetachItemViaPointer(in, v));
		else
			run_prune(v);
		v = next;
	}
}
