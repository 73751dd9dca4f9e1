/* Made by tests/support/make-shapes from actions.list and botocore 1.29.27: do not edit. */
#include "gwd/shapes_ec2.h"

static const struct shape ec2_Boolean = {
	.name = "Boolean",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_RouteTableId = {
	.name = "RouteTableId",
	.kind = SHAPE_STRING,
	.id_prefix = "rtb",
	.id_code = "InvalidRouteTableId"
};

static const struct shape ec2_SubnetId = {
	.name = "SubnetId",
	.kind = SHAPE_STRING,
	.id_prefix = "subnet",
	.id_code = "InvalidSubnetID"
};

static const struct shape ec2_RouteGatewayId = {
	.name = "RouteGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_AssociateRouteTableRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_SubnetId, false },
	{ "GatewayId", "GatewayId", "GatewayId", &ec2_RouteGatewayId, false },
};
const struct shape ec2_AssociateRouteTableRequest = {
	.name = "AssociateRouteTableRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_AssociateRouteTableRequest
};

static const struct shape ec2_String = {
	.name = "String",
	.kind = SHAPE_STRING
};

static const struct shape ec2_RouteTableAssociationStateCode = {
	.name = "RouteTableAssociationStateCode",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_RouteTableAssociationState[] = {
	{ "State", "State", "state", &ec2_RouteTableAssociationStateCode, false },
	{ "StatusMessage", "StatusMessage", "statusMessage", &ec2_String, false },
};
static const struct shape ec2_RouteTableAssociationState = {
	.name = "RouteTableAssociationState",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_RouteTableAssociationState
};

static const struct shape_member members_ec2_AssociateRouteTableResult[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "AssociationState", "AssociationState", "associationState", &ec2_RouteTableAssociationState, false },
};
const struct shape ec2_AssociateRouteTableResult = {
	.name = "AssociateRouteTableResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_AssociateRouteTableResult
};

static const struct shape ec2_InternetGatewayId = {
	.name = "InternetGatewayId",
	.kind = SHAPE_STRING,
	.id_prefix = "igw",
	.id_code = "InvalidInternetGatewayId"
};

static const struct shape ec2_VpcId = {
	.name = "VpcId",
	.kind = SHAPE_STRING,
	.id_prefix = "vpc",
	.id_code = "InvalidVpcID"
};

static const struct shape_member members_ec2_AttachInternetGatewayRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InternetGatewayId", "InternetGatewayId", "internetGatewayId", &ec2_InternetGatewayId, true },
	{ "VpcId", "VpcId", "vpcId", &ec2_VpcId, true },
};
const struct shape ec2_AttachInternetGatewayRequest = {
	.name = "AttachInternetGatewayRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_AttachInternetGatewayRequest
};

static const struct shape ec2_InstanceId = {
	.name = "InstanceId",
	.kind = SHAPE_STRING,
	.id_prefix = "i",
	.id_code = "InvalidInstanceID"
};

static const struct shape ec2_VolumeId = {
	.name = "VolumeId",
	.kind = SHAPE_STRING,
	.id_prefix = "vol",
	.id_code = "InvalidVolumeID"
};

static const struct shape_member members_ec2_AttachVolumeRequest[] = {
	{ "Device", "Device", "Device", &ec2_String, true },
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, true },
	{ "VolumeId", "VolumeId", "VolumeId", &ec2_VolumeId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_AttachVolumeRequest = {
	.name = "AttachVolumeRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_AttachVolumeRequest
};

static const struct shape ec2_DateTime = {
	.name = "DateTime",
	.kind = SHAPE_TIME
};

static const struct shape ec2_VolumeAttachmentState = {
	.name = "VolumeAttachmentState",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_VolumeAttachment[] = {
	{ "AttachTime", "AttachTime", "attachTime", &ec2_DateTime, false },
	{ "Device", "Device", "device", &ec2_String, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "State", "Status", "status", &ec2_VolumeAttachmentState, false },
	{ "VolumeId", "VolumeId", "volumeId", &ec2_String, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
};
const struct shape ec2_VolumeAttachment = {
	.name = "VolumeAttachment",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_VolumeAttachment
};

static const struct shape ec2_SecurityGroupId = {
	.name = "SecurityGroupId",
	.kind = SHAPE_STRING,
	.id_prefix = "sg",
	.id_code = "InvalidGroupId"
};

static const struct shape ec2_Integer = {
	.name = "Integer",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_IpRange[] = {
	{ "CidrIp", "CidrIp", "cidrIp", &ec2_String, false },
	{ "Description", "Description", "description", &ec2_String, false },
};
static const struct shape ec2_IpRange = {
	.name = "IpRange",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_IpRange
};

static const struct shape ec2_IpRangeList = {
	.name = "IpRangeList",
	.kind = SHAPE_LIST,
	.item = &ec2_IpRange,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Ipv6Range[] = {
	{ "CidrIpv6", "CidrIpv6", "cidrIpv6", &ec2_String, false },
	{ "Description", "Description", "description", &ec2_String, false },
};
static const struct shape ec2_Ipv6Range = {
	.name = "Ipv6Range",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_Ipv6Range
};

static const struct shape ec2_Ipv6RangeList = {
	.name = "Ipv6RangeList",
	.kind = SHAPE_LIST,
	.item = &ec2_Ipv6Range,
	.item_xml = "item"
};

static const struct shape_member members_ec2_PrefixListId[] = {
	{ "Description", "Description", "description", &ec2_String, false },
	{ "PrefixListId", "PrefixListId", "prefixListId", &ec2_String, false },
};
static const struct shape ec2_PrefixListId = {
	.name = "PrefixListId",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_PrefixListId
};

static const struct shape ec2_PrefixListIdList = {
	.name = "PrefixListIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_PrefixListId,
	.item_xml = "item"
};

static const struct shape_member members_ec2_UserIdGroupPair[] = {
	{ "Description", "Description", "description", &ec2_String, false },
	{ "GroupId", "GroupId", "groupId", &ec2_String, false },
	{ "GroupName", "GroupName", "groupName", &ec2_String, false },
	{ "PeeringStatus", "PeeringStatus", "peeringStatus", &ec2_String, false },
	{ "UserId", "UserId", "userId", &ec2_String, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "VpcPeeringConnectionId", "VpcPeeringConnectionId", "vpcPeeringConnectionId", &ec2_String, false },
};
static const struct shape ec2_UserIdGroupPair = {
	.name = "UserIdGroupPair",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_UserIdGroupPair
};

static const struct shape ec2_UserIdGroupPairList = {
	.name = "UserIdGroupPairList",
	.kind = SHAPE_LIST,
	.item = &ec2_UserIdGroupPair,
	.item_xml = "item"
};

static const struct shape_member members_ec2_IpPermission[] = {
	{ "FromPort", "FromPort", "fromPort", &ec2_Integer, false },
	{ "IpProtocol", "IpProtocol", "ipProtocol", &ec2_String, false },
	{ "IpRanges", "IpRanges", "ipRanges", &ec2_IpRangeList, false },
	{ "Ipv6Ranges", "Ipv6Ranges", "ipv6Ranges", &ec2_Ipv6RangeList, false },
	{ "PrefixListIds", "PrefixListIds", "prefixListIds", &ec2_PrefixListIdList, false },
	{ "ToPort", "ToPort", "toPort", &ec2_Integer, false },
	{ "UserIdGroupPairs", "Groups", "groups", &ec2_UserIdGroupPairList, false },
};
static const struct shape ec2_IpPermission = {
	.name = "IpPermission",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_IpPermission
};

static const struct shape ec2_IpPermissionList = {
	.name = "IpPermissionList",
	.kind = SHAPE_LIST,
	.item = &ec2_IpPermission,
	.item_xml = "item"
};

static const char *const words_ec2_ResourceType[] = {
	"capacity-reservation", "client-vpn-endpoint", "customer-gateway",
	"carrier-gateway", "coip-pool", "dedicated-host", "dhcp-options",
	"egress-only-internet-gateway", "elastic-ip", "elastic-gpu",
	"export-image-task", "export-instance-task", "fleet", "fpga-image",
	"host-reservation", "image", "import-image-task", "import-snapshot-task",
	"instance", "instance-event-window", "internet-gateway", "ipam", "ipam-pool",
	"ipam-scope", "ipv4pool-ec2", "ipv6pool-ec2", "key-pair", "launch-template",
	"local-gateway", "local-gateway-route-table",
	"local-gateway-virtual-interface", "local-gateway-virtual-interface-group",
	"local-gateway-route-table-vpc-association",
	"local-gateway-route-table-virtual-interface-group-association",
	"natgateway", "network-acl", "network-interface",
	"network-insights-analysis", "network-insights-path",
	"network-insights-access-scope", "network-insights-access-scope-analysis",
	"placement-group", "prefix-list", "replace-root-volume-task",
	"reserved-instances", "route-table", "security-group", "security-group-rule",
	"snapshot", "spot-fleet-request", "spot-instances-request", "subnet",
	"subnet-cidr-reservation", "traffic-mirror-filter", "traffic-mirror-session",
	"traffic-mirror-target", "transit-gateway", "transit-gateway-attachment",
	"transit-gateway-connect-peer", "transit-gateway-multicast-domain",
	"transit-gateway-policy-table", "transit-gateway-route-table",
	"transit-gateway-route-table-announcement", "volume", "vpc", "vpc-endpoint",
	"vpc-endpoint-connection", "vpc-endpoint-service",
	"vpc-endpoint-service-permission", "vpc-peering-connection",
	"vpn-connection", "vpn-gateway", "vpc-flow-log",
	"capacity-reservation-fleet", "traffic-mirror-filter-rule",
	"vpc-endpoint-connection-device-type", "verified-access-instance",
	"verified-access-group", "verified-access-endpoint",
	"verified-access-policy", "verified-access-trust-provider",
	"vpn-connection-device-type",
};
static const struct shape ec2_ResourceType = {
	.name = "ResourceType",
	.kind = SHAPE_STRING,
	.n = 82,
	.words = words_ec2_ResourceType
};

static const struct shape_member members_ec2_Tag[] = {
	{ "Key", "Key", "key", &ec2_String, false },
	{ "Value", "Value", "value", &ec2_String, false },
};
static const struct shape ec2_Tag = {
	.name = "Tag",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_Tag
};

static const struct shape ec2_TagList = {
	.name = "TagList",
	.kind = SHAPE_LIST,
	.item = &ec2_Tag,
	.item_xml = "item"
};

static const struct shape_member members_ec2_TagSpecification[] = {
	{ "ResourceType", "ResourceType", "resourceType", &ec2_ResourceType, false },
	{ "Tags", "Tag", "Tag", &ec2_TagList, false },
};
static const struct shape ec2_TagSpecification = {
	.name = "TagSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_TagSpecification
};

static const struct shape ec2_TagSpecificationList = {
	.name = "TagSpecificationList",
	.kind = SHAPE_LIST,
	.item = &ec2_TagSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_AuthorizeSecurityGroupEgressRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "GroupId", "GroupId", "groupId", &ec2_SecurityGroupId, true },
	{ "IpPermissions", "IpPermissions", "ipPermissions", &ec2_IpPermissionList, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "CidrIp", "CidrIp", "cidrIp", &ec2_String, false },
	{ "FromPort", "FromPort", "fromPort", &ec2_Integer, false },
	{ "IpProtocol", "IpProtocol", "ipProtocol", &ec2_String, false },
	{ "ToPort", "ToPort", "toPort", &ec2_Integer, false },
	{ "SourceSecurityGroupName", "SourceSecurityGroupName", "sourceSecurityGroupName", &ec2_String, false },
	{ "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", "sourceSecurityGroupOwnerId", &ec2_String, false },
};
const struct shape ec2_AuthorizeSecurityGroupEgressRequest = {
	.name = "AuthorizeSecurityGroupEgressRequest",
	.kind = SHAPE_STRUCT,
	.n = 10,
	.members = members_ec2_AuthorizeSecurityGroupEgressRequest
};

static const struct shape ec2_SecurityGroupRuleId = {
	.name = "SecurityGroupRuleId",
	.kind = SHAPE_STRING,
	.id_prefix = "sgr",
	.id_code = "InvalidSecurityGroupRuleId"
};

static const struct shape ec2_PrefixListResourceId = {
	.name = "PrefixListResourceId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_ReferencedSecurityGroup[] = {
	{ "GroupId", "GroupId", "groupId", &ec2_String, false },
	{ "PeeringStatus", "PeeringStatus", "peeringStatus", &ec2_String, false },
	{ "UserId", "UserId", "userId", &ec2_String, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "VpcPeeringConnectionId", "VpcPeeringConnectionId", "vpcPeeringConnectionId", &ec2_String, false },
};
static const struct shape ec2_ReferencedSecurityGroup = {
	.name = "ReferencedSecurityGroup",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_ReferencedSecurityGroup
};

static const struct shape_member members_ec2_SecurityGroupRule[] = {
	{ "SecurityGroupRuleId", "SecurityGroupRuleId", "securityGroupRuleId", &ec2_SecurityGroupRuleId, false },
	{ "GroupId", "GroupId", "groupId", &ec2_SecurityGroupId, false },
	{ "GroupOwnerId", "GroupOwnerId", "groupOwnerId", &ec2_String, false },
	{ "IsEgress", "IsEgress", "isEgress", &ec2_Boolean, false },
	{ "IpProtocol", "IpProtocol", "ipProtocol", &ec2_String, false },
	{ "FromPort", "FromPort", "fromPort", &ec2_Integer, false },
	{ "ToPort", "ToPort", "toPort", &ec2_Integer, false },
	{ "CidrIpv4", "CidrIpv4", "cidrIpv4", &ec2_String, false },
	{ "CidrIpv6", "CidrIpv6", "cidrIpv6", &ec2_String, false },
	{ "PrefixListId", "PrefixListId", "prefixListId", &ec2_PrefixListResourceId, false },
	{ "ReferencedGroupInfo", "ReferencedGroupInfo", "referencedGroupInfo", &ec2_ReferencedSecurityGroup, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
static const struct shape ec2_SecurityGroupRule = {
	.name = "SecurityGroupRule",
	.kind = SHAPE_STRUCT,
	.n = 13,
	.members = members_ec2_SecurityGroupRule
};

static const struct shape ec2_SecurityGroupRuleList = {
	.name = "SecurityGroupRuleList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupRule,
	.item_xml = "item"
};

static const struct shape_member members_ec2_AuthorizeSecurityGroupEgressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
	{ "SecurityGroupRules", "SecurityGroupRuleSet", "securityGroupRuleSet", &ec2_SecurityGroupRuleList, false },
};
const struct shape ec2_AuthorizeSecurityGroupEgressResult = {
	.name = "AuthorizeSecurityGroupEgressResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_AuthorizeSecurityGroupEgressResult
};

static const struct shape ec2_SecurityGroupName = {
	.name = "SecurityGroupName",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_AuthorizeSecurityGroupIngressRequest[] = {
	{ "CidrIp", "CidrIp", "CidrIp", &ec2_String, false },
	{ "FromPort", "FromPort", "FromPort", &ec2_Integer, false },
	{ "GroupId", "GroupId", "GroupId", &ec2_SecurityGroupId, false },
	{ "GroupName", "GroupName", "GroupName", &ec2_SecurityGroupName, false },
	{ "IpPermissions", "IpPermissions", "IpPermissions", &ec2_IpPermissionList, false },
	{ "IpProtocol", "IpProtocol", "IpProtocol", &ec2_String, false },
	{ "SourceSecurityGroupName", "SourceSecurityGroupName", "SourceSecurityGroupName", &ec2_String, false },
	{ "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", &ec2_String, false },
	{ "ToPort", "ToPort", "ToPort", &ec2_Integer, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
};
const struct shape ec2_AuthorizeSecurityGroupIngressRequest = {
	.name = "AuthorizeSecurityGroupIngressRequest",
	.kind = SHAPE_STRUCT,
	.n = 11,
	.members = members_ec2_AuthorizeSecurityGroupIngressRequest
};

static const struct shape_member members_ec2_AuthorizeSecurityGroupIngressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
	{ "SecurityGroupRules", "SecurityGroupRuleSet", "securityGroupRuleSet", &ec2_SecurityGroupRuleList, false },
};
const struct shape ec2_AuthorizeSecurityGroupIngressResult = {
	.name = "AuthorizeSecurityGroupIngressResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_AuthorizeSecurityGroupIngressResult
};

static const struct shape ec2_SnapshotId = {
	.name = "SnapshotId",
	.kind = SHAPE_STRING,
	.id_prefix = "snap",
	.id_code = "InvalidSnapshotID"
};

static const char *const words_ec2_VolumeType[] = {
	"standard", "io1", "io2", "gp2", "sc1", "st1", "gp3",
};
static const struct shape ec2_VolumeType = {
	.name = "VolumeType",
	.kind = SHAPE_STRING,
	.n = 7,
	.words = words_ec2_VolumeType
};

static const struct shape_member members_ec2_EbsBlockDevice[] = {
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "Iops", "Iops", "iops", &ec2_Integer, false },
	{ "SnapshotId", "SnapshotId", "snapshotId", &ec2_SnapshotId, false },
	{ "VolumeSize", "VolumeSize", "volumeSize", &ec2_Integer, false },
	{ "VolumeType", "VolumeType", "volumeType", &ec2_VolumeType, false },
	{ "KmsKeyId", "KmsKeyId", "kmsKeyId", &ec2_String, false },
	{ "Throughput", "Throughput", "throughput", &ec2_Integer, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "Encrypted", "Encrypted", "encrypted", &ec2_Boolean, false },
};
static const struct shape ec2_EbsBlockDevice = {
	.name = "EbsBlockDevice",
	.kind = SHAPE_STRUCT,
	.n = 9,
	.members = members_ec2_EbsBlockDevice
};

static const struct shape_member members_ec2_BlockDeviceMapping[] = {
	{ "DeviceName", "DeviceName", "deviceName", &ec2_String, false },
	{ "VirtualName", "VirtualName", "virtualName", &ec2_String, false },
	{ "Ebs", "Ebs", "ebs", &ec2_EbsBlockDevice, false },
	{ "NoDevice", "NoDevice", "noDevice", &ec2_String, false },
};
static const struct shape ec2_BlockDeviceMapping = {
	.name = "BlockDeviceMapping",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_BlockDeviceMapping
};

static const struct shape ec2_BlockDeviceMappingRequestList = {
	.name = "BlockDeviceMappingRequestList",
	.kind = SHAPE_LIST,
	.item = &ec2_BlockDeviceMapping,
	.item_xml = "BlockDeviceMapping"
};

static const struct shape_member members_ec2_CreateImageRequest[] = {
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_BlockDeviceMappingRequestList, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, true },
	{ "Name", "Name", "name", &ec2_String, true },
	{ "NoReboot", "NoReboot", "noReboot", &ec2_Boolean, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
};
const struct shape ec2_CreateImageRequest = {
	.name = "CreateImageRequest",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_CreateImageRequest
};

static const struct shape_member members_ec2_CreateImageResult[] = {
	{ "ImageId", "ImageId", "imageId", &ec2_String, false },
};
const struct shape ec2_CreateImageResult = {
	.name = "CreateImageResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateImageResult
};

static const struct shape_member members_ec2_CreateInternetGatewayRequest[] = {
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_CreateInternetGatewayRequest = {
	.name = "CreateInternetGatewayRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CreateInternetGatewayRequest
};

static const struct shape ec2_AttachmentStatus = {
	.name = "AttachmentStatus",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InternetGatewayAttachment[] = {
	{ "State", "State", "state", &ec2_AttachmentStatus, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
};
static const struct shape ec2_InternetGatewayAttachment = {
	.name = "InternetGatewayAttachment",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InternetGatewayAttachment
};

static const struct shape ec2_InternetGatewayAttachmentList = {
	.name = "InternetGatewayAttachmentList",
	.kind = SHAPE_LIST,
	.item = &ec2_InternetGatewayAttachment,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InternetGateway[] = {
	{ "Attachments", "AttachmentSet", "attachmentSet", &ec2_InternetGatewayAttachmentList, false },
	{ "InternetGatewayId", "InternetGatewayId", "internetGatewayId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
static const struct shape ec2_InternetGateway = {
	.name = "InternetGateway",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_InternetGateway
};

static const struct shape_member members_ec2_CreateInternetGatewayResult[] = {
	{ "InternetGateway", "InternetGateway", "internetGateway", &ec2_InternetGateway, false },
};
const struct shape ec2_CreateInternetGatewayResult = {
	.name = "CreateInternetGatewayResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateInternetGatewayResult
};

static const char *const words_ec2_KeyType[] = {
	"rsa", "ed25519",
};
static const struct shape ec2_KeyType = {
	.name = "KeyType",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_KeyType
};

static const char *const words_ec2_KeyFormat[] = {
	"pem", "ppk",
};
static const struct shape ec2_KeyFormat = {
	.name = "KeyFormat",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_KeyFormat
};

static const struct shape_member members_ec2_CreateKeyPairRequest[] = {
	{ "KeyName", "KeyName", "KeyName", &ec2_String, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "KeyType", "KeyType", "KeyType", &ec2_KeyType, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "KeyFormat", "KeyFormat", "KeyFormat", &ec2_KeyFormat, false },
};
const struct shape ec2_CreateKeyPairRequest = {
	.name = "CreateKeyPairRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_CreateKeyPairRequest
};

static const struct shape ec2_SensitiveUserData = {
	.name = "SensitiveUserData",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_KeyPair[] = {
	{ "KeyFingerprint", "KeyFingerprint", "keyFingerprint", &ec2_String, false },
	{ "KeyMaterial", "KeyMaterial", "keyMaterial", &ec2_SensitiveUserData, false },
	{ "KeyName", "KeyName", "keyName", &ec2_String, false },
	{ "KeyPairId", "KeyPairId", "keyPairId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
const struct shape ec2_KeyPair = {
	.name = "KeyPair",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_KeyPair
};

static const struct shape ec2_SecurityGroupIdStringList = {
	.name = "SecurityGroupIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupId,
	.item_xml = "SecurityGroupId"
};

static const struct shape_member members_ec2_InstanceIpv6Address[] = {
	{ "Ipv6Address", "Ipv6Address", "ipv6Address", &ec2_String, false },
};
static const struct shape ec2_InstanceIpv6Address = {
	.name = "InstanceIpv6Address",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InstanceIpv6Address
};

static const struct shape ec2_InstanceIpv6AddressList = {
	.name = "InstanceIpv6AddressList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceIpv6Address,
	.item_xml = "item"
};

static const struct shape_member members_ec2_PrivateIpAddressSpecification[] = {
	{ "Primary", "Primary", "primary", &ec2_Boolean, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
};
static const struct shape ec2_PrivateIpAddressSpecification = {
	.name = "PrivateIpAddressSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_PrivateIpAddressSpecification
};

static const struct shape ec2_PrivateIpAddressSpecificationList = {
	.name = "PrivateIpAddressSpecificationList",
	.kind = SHAPE_LIST,
	.item = &ec2_PrivateIpAddressSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Ipv4PrefixSpecificationRequest[] = {
	{ "Ipv4Prefix", "Ipv4Prefix", "Ipv4Prefix", &ec2_String, false },
};
static const struct shape ec2_Ipv4PrefixSpecificationRequest = {
	.name = "Ipv4PrefixSpecificationRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_Ipv4PrefixSpecificationRequest
};

static const struct shape ec2_Ipv4PrefixList = {
	.name = "Ipv4PrefixList",
	.kind = SHAPE_LIST,
	.item = &ec2_Ipv4PrefixSpecificationRequest,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Ipv6PrefixSpecificationRequest[] = {
	{ "Ipv6Prefix", "Ipv6Prefix", "Ipv6Prefix", &ec2_String, false },
};
static const struct shape ec2_Ipv6PrefixSpecificationRequest = {
	.name = "Ipv6PrefixSpecificationRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_Ipv6PrefixSpecificationRequest
};

static const struct shape ec2_Ipv6PrefixList = {
	.name = "Ipv6PrefixList",
	.kind = SHAPE_LIST,
	.item = &ec2_Ipv6PrefixSpecificationRequest,
	.item_xml = "item"
};

static const char *const words_ec2_NetworkInterfaceCreationType[] = {
	"efa", "branch", "trunk",
};
static const struct shape ec2_NetworkInterfaceCreationType = {
	.name = "NetworkInterfaceCreationType",
	.kind = SHAPE_STRING,
	.n = 3,
	.words = words_ec2_NetworkInterfaceCreationType
};

static const struct shape_member members_ec2_CreateNetworkInterfaceRequest[] = {
	{ "Description", "Description", "description", &ec2_String, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Groups", "SecurityGroupId", "SecurityGroupId", &ec2_SecurityGroupIdStringList, false },
	{ "Ipv6AddressCount", "Ipv6AddressCount", "ipv6AddressCount", &ec2_Integer, false },
	{ "Ipv6Addresses", "Ipv6Addresses", "ipv6Addresses", &ec2_InstanceIpv6AddressList, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "PrivateIpAddresses", "PrivateIpAddresses", "privateIpAddresses", &ec2_PrivateIpAddressSpecificationList, false },
	{ "SecondaryPrivateIpAddressCount", "SecondaryPrivateIpAddressCount", "secondaryPrivateIpAddressCount", &ec2_Integer, false },
	{ "Ipv4Prefixes", "Ipv4Prefix", "Ipv4Prefix", &ec2_Ipv4PrefixList, false },
	{ "Ipv4PrefixCount", "Ipv4PrefixCount", "Ipv4PrefixCount", &ec2_Integer, false },
	{ "Ipv6Prefixes", "Ipv6Prefix", "Ipv6Prefix", &ec2_Ipv6PrefixList, false },
	{ "Ipv6PrefixCount", "Ipv6PrefixCount", "Ipv6PrefixCount", &ec2_Integer, false },
	{ "InterfaceType", "InterfaceType", "InterfaceType", &ec2_NetworkInterfaceCreationType, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_SubnetId, true },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "ClientToken", "ClientToken", "ClientToken", &ec2_String, false },
};
const struct shape ec2_CreateNetworkInterfaceRequest = {
	.name = "CreateNetworkInterfaceRequest",
	.kind = SHAPE_STRUCT,
	.n = 16,
	.members = members_ec2_CreateNetworkInterfaceRequest
};

static const struct shape_member members_ec2_NetworkInterfaceAssociation[] = {
	{ "AllocationId", "AllocationId", "allocationId", &ec2_String, false },
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "IpOwnerId", "IpOwnerId", "ipOwnerId", &ec2_String, false },
	{ "PublicDnsName", "PublicDnsName", "publicDnsName", &ec2_String, false },
	{ "PublicIp", "PublicIp", "publicIp", &ec2_String, false },
	{ "CustomerOwnedIp", "CustomerOwnedIp", "customerOwnedIp", &ec2_String, false },
	{ "CarrierIp", "CarrierIp", "carrierIp", &ec2_String, false },
};
static const struct shape ec2_NetworkInterfaceAssociation = {
	.name = "NetworkInterfaceAssociation",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_NetworkInterfaceAssociation
};

static const struct shape_member members_ec2_AttachmentEnaSrdUdpSpecification[] = {
	{ "EnaSrdUdpEnabled", "EnaSrdUdpEnabled", "enaSrdUdpEnabled", &ec2_Boolean, false },
};
static const struct shape ec2_AttachmentEnaSrdUdpSpecification = {
	.name = "AttachmentEnaSrdUdpSpecification",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_AttachmentEnaSrdUdpSpecification
};

static const struct shape_member members_ec2_AttachmentEnaSrdSpecification[] = {
	{ "EnaSrdEnabled", "EnaSrdEnabled", "enaSrdEnabled", &ec2_Boolean, false },
	{ "EnaSrdUdpSpecification", "EnaSrdUdpSpecification", "enaSrdUdpSpecification", &ec2_AttachmentEnaSrdUdpSpecification, false },
};
static const struct shape ec2_AttachmentEnaSrdSpecification = {
	.name = "AttachmentEnaSrdSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_AttachmentEnaSrdSpecification
};

static const struct shape_member members_ec2_NetworkInterfaceAttachment[] = {
	{ "AttachTime", "AttachTime", "attachTime", &ec2_DateTime, false },
	{ "AttachmentId", "AttachmentId", "attachmentId", &ec2_String, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "DeviceIndex", "DeviceIndex", "deviceIndex", &ec2_Integer, false },
	{ "NetworkCardIndex", "NetworkCardIndex", "networkCardIndex", &ec2_Integer, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceOwnerId", "InstanceOwnerId", "instanceOwnerId", &ec2_String, false },
	{ "Status", "Status", "status", &ec2_AttachmentStatus, false },
	{ "EnaSrdSpecification", "EnaSrdSpecification", "enaSrdSpecification", &ec2_AttachmentEnaSrdSpecification, false },
};
static const struct shape ec2_NetworkInterfaceAttachment = {
	.name = "NetworkInterfaceAttachment",
	.kind = SHAPE_STRUCT,
	.n = 9,
	.members = members_ec2_NetworkInterfaceAttachment
};

static const struct shape_member members_ec2_GroupIdentifier[] = {
	{ "GroupName", "GroupName", "groupName", &ec2_String, false },
	{ "GroupId", "GroupId", "groupId", &ec2_String, false },
};
static const struct shape ec2_GroupIdentifier = {
	.name = "GroupIdentifier",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_GroupIdentifier
};

static const struct shape ec2_GroupIdentifierList = {
	.name = "GroupIdentifierList",
	.kind = SHAPE_LIST,
	.item = &ec2_GroupIdentifier,
	.item_xml = "item"
};

static const struct shape ec2_NetworkInterfaceType = {
	.name = "NetworkInterfaceType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_NetworkInterfaceIpv6Address[] = {
	{ "Ipv6Address", "Ipv6Address", "ipv6Address", &ec2_String, false },
};
static const struct shape ec2_NetworkInterfaceIpv6Address = {
	.name = "NetworkInterfaceIpv6Address",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_NetworkInterfaceIpv6Address
};

static const struct shape ec2_NetworkInterfaceIpv6AddressesList = {
	.name = "NetworkInterfaceIpv6AddressesList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkInterfaceIpv6Address,
	.item_xml = "item"
};

static const struct shape_member members_ec2_NetworkInterfacePrivateIpAddress[] = {
	{ "Association", "Association", "association", &ec2_NetworkInterfaceAssociation, false },
	{ "Primary", "Primary", "primary", &ec2_Boolean, false },
	{ "PrivateDnsName", "PrivateDnsName", "privateDnsName", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
};
static const struct shape ec2_NetworkInterfacePrivateIpAddress = {
	.name = "NetworkInterfacePrivateIpAddress",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_NetworkInterfacePrivateIpAddress
};

static const struct shape ec2_NetworkInterfacePrivateIpAddressList = {
	.name = "NetworkInterfacePrivateIpAddressList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkInterfacePrivateIpAddress,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Ipv4PrefixSpecification[] = {
	{ "Ipv4Prefix", "Ipv4Prefix", "ipv4Prefix", &ec2_String, false },
};
static const struct shape ec2_Ipv4PrefixSpecification = {
	.name = "Ipv4PrefixSpecification",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_Ipv4PrefixSpecification
};

static const struct shape ec2_Ipv4PrefixesList = {
	.name = "Ipv4PrefixesList",
	.kind = SHAPE_LIST,
	.item = &ec2_Ipv4PrefixSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Ipv6PrefixSpecification[] = {
	{ "Ipv6Prefix", "Ipv6Prefix", "ipv6Prefix", &ec2_String, false },
};
static const struct shape ec2_Ipv6PrefixSpecification = {
	.name = "Ipv6PrefixSpecification",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_Ipv6PrefixSpecification
};

static const struct shape ec2_Ipv6PrefixesList = {
	.name = "Ipv6PrefixesList",
	.kind = SHAPE_LIST,
	.item = &ec2_Ipv6PrefixSpecification,
	.item_xml = "item"
};

static const struct shape ec2_NetworkInterfaceStatus = {
	.name = "NetworkInterfaceStatus",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_NetworkInterface[] = {
	{ "Association", "Association", "association", &ec2_NetworkInterfaceAssociation, false },
	{ "Attachment", "Attachment", "attachment", &ec2_NetworkInterfaceAttachment, false },
	{ "AvailabilityZone", "AvailabilityZone", "availabilityZone", &ec2_String, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "Groups", "GroupSet", "groupSet", &ec2_GroupIdentifierList, false },
	{ "InterfaceType", "InterfaceType", "interfaceType", &ec2_NetworkInterfaceType, false },
	{ "Ipv6Addresses", "Ipv6AddressesSet", "ipv6AddressesSet", &ec2_NetworkInterfaceIpv6AddressesList, false },
	{ "MacAddress", "MacAddress", "macAddress", &ec2_String, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_String, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "PrivateDnsName", "PrivateDnsName", "privateDnsName", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "PrivateIpAddresses", "PrivateIpAddressesSet", "privateIpAddressesSet", &ec2_NetworkInterfacePrivateIpAddressList, false },
	{ "Ipv4Prefixes", "Ipv4PrefixSet", "ipv4PrefixSet", &ec2_Ipv4PrefixesList, false },
	{ "Ipv6Prefixes", "Ipv6PrefixSet", "ipv6PrefixSet", &ec2_Ipv6PrefixesList, false },
	{ "RequesterId", "RequesterId", "requesterId", &ec2_String, false },
	{ "RequesterManaged", "RequesterManaged", "requesterManaged", &ec2_Boolean, false },
	{ "SourceDestCheck", "SourceDestCheck", "sourceDestCheck", &ec2_Boolean, false },
	{ "Status", "Status", "status", &ec2_NetworkInterfaceStatus, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "TagSet", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "DenyAllIgwTraffic", "DenyAllIgwTraffic", "denyAllIgwTraffic", &ec2_Boolean, false },
	{ "Ipv6Native", "Ipv6Native", "ipv6Native", &ec2_Boolean, false },
	{ "Ipv6Address", "Ipv6Address", "ipv6Address", &ec2_String, false },
};
static const struct shape ec2_NetworkInterface = {
	.name = "NetworkInterface",
	.kind = SHAPE_STRUCT,
	.n = 26,
	.members = members_ec2_NetworkInterface
};

static const struct shape_member members_ec2_CreateNetworkInterfaceResult[] = {
	{ "NetworkInterface", "NetworkInterface", "networkInterface", &ec2_NetworkInterface, false },
	{ "ClientToken", "ClientToken", "clientToken", &ec2_String, false },
};
const struct shape ec2_CreateNetworkInterfaceResult = {
	.name = "CreateNetworkInterfaceResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CreateNetworkInterfaceResult
};

static const struct shape ec2_VpcEndpointId = {
	.name = "VpcEndpointId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_EgressOnlyInternetGatewayId = {
	.name = "EgressOnlyInternetGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_NatGatewayId = {
	.name = "NatGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_TransitGatewayId = {
	.name = "TransitGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_LocalGatewayId = {
	.name = "LocalGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_CarrierGatewayId = {
	.name = "CarrierGatewayId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_NetworkInterfaceId = {
	.name = "NetworkInterfaceId",
	.kind = SHAPE_STRING,
	.id_prefix = "eni",
	.id_code = "InvalidNetworkInterfaceId"
};

static const struct shape ec2_VpcPeeringConnectionId = {
	.name = "VpcPeeringConnectionId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_CoreNetworkArn = {
	.name = "CoreNetworkArn",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_CreateRouteRequest[] = {
	{ "DestinationCidrBlock", "DestinationCidrBlock", "destinationCidrBlock", &ec2_String, false },
	{ "DestinationIpv6CidrBlock", "DestinationIpv6CidrBlock", "destinationIpv6CidrBlock", &ec2_String, false },
	{ "DestinationPrefixListId", "DestinationPrefixListId", "DestinationPrefixListId", &ec2_PrefixListResourceId, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "VpcEndpointId", "VpcEndpointId", "VpcEndpointId", &ec2_VpcEndpointId, false },
	{ "EgressOnlyInternetGatewayId", "EgressOnlyInternetGatewayId", "egressOnlyInternetGatewayId", &ec2_EgressOnlyInternetGatewayId, false },
	{ "GatewayId", "GatewayId", "gatewayId", &ec2_RouteGatewayId, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, false },
	{ "NatGatewayId", "NatGatewayId", "natGatewayId", &ec2_NatGatewayId, false },
	{ "TransitGatewayId", "TransitGatewayId", "TransitGatewayId", &ec2_TransitGatewayId, false },
	{ "LocalGatewayId", "LocalGatewayId", "LocalGatewayId", &ec2_LocalGatewayId, false },
	{ "CarrierGatewayId", "CarrierGatewayId", "CarrierGatewayId", &ec2_CarrierGatewayId, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_NetworkInterfaceId, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
	{ "VpcPeeringConnectionId", "VpcPeeringConnectionId", "vpcPeeringConnectionId", &ec2_VpcPeeringConnectionId, false },
	{ "CoreNetworkArn", "CoreNetworkArn", "CoreNetworkArn", &ec2_CoreNetworkArn, false },
};
const struct shape ec2_CreateRouteRequest = {
	.name = "CreateRouteRequest",
	.kind = SHAPE_STRUCT,
	.n = 16,
	.members = members_ec2_CreateRouteRequest
};

static const struct shape_member members_ec2_CreateRouteResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
};
const struct shape ec2_CreateRouteResult = {
	.name = "CreateRouteResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateRouteResult
};

static const struct shape_member members_ec2_CreateRouteTableRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_VpcId, true },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "ClientToken", "ClientToken", "ClientToken", &ec2_String, false },
};
const struct shape ec2_CreateRouteTableRequest = {
	.name = "CreateRouteTableRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_CreateRouteTableRequest
};

static const struct shape_member members_ec2_RouteTableAssociation[] = {
	{ "Main", "Main", "main", &ec2_Boolean, false },
	{ "RouteTableAssociationId", "RouteTableAssociationId", "routeTableAssociationId", &ec2_String, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_String, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "GatewayId", "GatewayId", "gatewayId", &ec2_String, false },
	{ "AssociationState", "AssociationState", "associationState", &ec2_RouteTableAssociationState, false },
};
static const struct shape ec2_RouteTableAssociation = {
	.name = "RouteTableAssociation",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_RouteTableAssociation
};

static const struct shape ec2_RouteTableAssociationList = {
	.name = "RouteTableAssociationList",
	.kind = SHAPE_LIST,
	.item = &ec2_RouteTableAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_PropagatingVgw[] = {
	{ "GatewayId", "GatewayId", "gatewayId", &ec2_String, false },
};
static const struct shape ec2_PropagatingVgw = {
	.name = "PropagatingVgw",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_PropagatingVgw
};

static const struct shape ec2_PropagatingVgwList = {
	.name = "PropagatingVgwList",
	.kind = SHAPE_LIST,
	.item = &ec2_PropagatingVgw,
	.item_xml = "item"
};

static const struct shape ec2_RouteOrigin = {
	.name = "RouteOrigin",
	.kind = SHAPE_STRING
};

static const struct shape ec2_RouteState = {
	.name = "RouteState",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_Route[] = {
	{ "DestinationCidrBlock", "DestinationCidrBlock", "destinationCidrBlock", &ec2_String, false },
	{ "DestinationIpv6CidrBlock", "DestinationIpv6CidrBlock", "destinationIpv6CidrBlock", &ec2_String, false },
	{ "DestinationPrefixListId", "DestinationPrefixListId", "destinationPrefixListId", &ec2_String, false },
	{ "EgressOnlyInternetGatewayId", "EgressOnlyInternetGatewayId", "egressOnlyInternetGatewayId", &ec2_String, false },
	{ "GatewayId", "GatewayId", "gatewayId", &ec2_String, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceOwnerId", "InstanceOwnerId", "instanceOwnerId", &ec2_String, false },
	{ "NatGatewayId", "NatGatewayId", "natGatewayId", &ec2_String, false },
	{ "TransitGatewayId", "TransitGatewayId", "transitGatewayId", &ec2_String, false },
	{ "LocalGatewayId", "LocalGatewayId", "localGatewayId", &ec2_String, false },
	{ "CarrierGatewayId", "CarrierGatewayId", "carrierGatewayId", &ec2_CarrierGatewayId, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_String, false },
	{ "Origin", "Origin", "origin", &ec2_RouteOrigin, false },
	{ "State", "State", "state", &ec2_RouteState, false },
	{ "VpcPeeringConnectionId", "VpcPeeringConnectionId", "vpcPeeringConnectionId", &ec2_String, false },
	{ "CoreNetworkArn", "CoreNetworkArn", "coreNetworkArn", &ec2_CoreNetworkArn, false },
};
static const struct shape ec2_Route = {
	.name = "Route",
	.kind = SHAPE_STRUCT,
	.n = 16,
	.members = members_ec2_Route
};

static const struct shape ec2_RouteList = {
	.name = "RouteList",
	.kind = SHAPE_LIST,
	.item = &ec2_Route,
	.item_xml = "item"
};

static const struct shape_member members_ec2_RouteTable[] = {
	{ "Associations", "AssociationSet", "associationSet", &ec2_RouteTableAssociationList, false },
	{ "PropagatingVgws", "PropagatingVgwSet", "propagatingVgwSet", &ec2_PropagatingVgwList, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_String, false },
	{ "Routes", "RouteSet", "routeSet", &ec2_RouteList, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
};
static const struct shape ec2_RouteTable = {
	.name = "RouteTable",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_RouteTable
};

static const struct shape_member members_ec2_CreateRouteTableResult[] = {
	{ "RouteTable", "RouteTable", "routeTable", &ec2_RouteTable, false },
};
const struct shape ec2_CreateRouteTableResult = {
	.name = "CreateRouteTableResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateRouteTableResult
};

static const struct shape_member members_ec2_CreateSecurityGroupRequest[] = {
	{ "Description", "GroupDescription", "GroupDescription", &ec2_String, true },
	{ "GroupName", "GroupName", "GroupName", &ec2_String, true },
	{ "VpcId", "VpcId", "VpcId", &ec2_VpcId, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_CreateSecurityGroupRequest = {
	.name = "CreateSecurityGroupRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_CreateSecurityGroupRequest
};

static const struct shape_member members_ec2_CreateSecurityGroupResult[] = {
	{ "GroupId", "GroupId", "groupId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
const struct shape ec2_CreateSecurityGroupResult = {
	.name = "CreateSecurityGroupResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CreateSecurityGroupResult
};

static const struct shape_member members_ec2_CreateSubnetRequest[] = {
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "AvailabilityZone", "AvailabilityZone", "AvailabilityZone", &ec2_String, false },
	{ "AvailabilityZoneId", "AvailabilityZoneId", "AvailabilityZoneId", &ec2_String, false },
	{ "CidrBlock", "CidrBlock", "CidrBlock", &ec2_String, false },
	{ "Ipv6CidrBlock", "Ipv6CidrBlock", "Ipv6CidrBlock", &ec2_String, false },
	{ "OutpostArn", "OutpostArn", "OutpostArn", &ec2_String, false },
	{ "VpcId", "VpcId", "VpcId", &ec2_VpcId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Ipv6Native", "Ipv6Native", "Ipv6Native", &ec2_Boolean, false },
};
const struct shape ec2_CreateSubnetRequest = {
	.name = "CreateSubnetRequest",
	.kind = SHAPE_STRUCT,
	.n = 9,
	.members = members_ec2_CreateSubnetRequest
};

static const struct shape ec2_CoipPoolId = {
	.name = "CoipPoolId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_SubnetState = {
	.name = "SubnetState",
	.kind = SHAPE_STRING
};

static const struct shape ec2_SubnetCidrAssociationId = {
	.name = "SubnetCidrAssociationId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_SubnetCidrBlockStateCode = {
	.name = "SubnetCidrBlockStateCode",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_SubnetCidrBlockState[] = {
	{ "State", "State", "state", &ec2_SubnetCidrBlockStateCode, false },
	{ "StatusMessage", "StatusMessage", "statusMessage", &ec2_String, false },
};
static const struct shape ec2_SubnetCidrBlockState = {
	.name = "SubnetCidrBlockState",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_SubnetCidrBlockState
};

static const struct shape_member members_ec2_SubnetIpv6CidrBlockAssociation[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_SubnetCidrAssociationId, false },
	{ "Ipv6CidrBlock", "Ipv6CidrBlock", "ipv6CidrBlock", &ec2_String, false },
	{ "Ipv6CidrBlockState", "Ipv6CidrBlockState", "ipv6CidrBlockState", &ec2_SubnetCidrBlockState, false },
};
static const struct shape ec2_SubnetIpv6CidrBlockAssociation = {
	.name = "SubnetIpv6CidrBlockAssociation",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_SubnetIpv6CidrBlockAssociation
};

static const struct shape ec2_SubnetIpv6CidrBlockAssociationSet = {
	.name = "SubnetIpv6CidrBlockAssociationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_SubnetIpv6CidrBlockAssociation,
	.item_xml = "item"
};

static const char *const words_ec2_HostnameType[] = {
	"ip-name", "resource-name",
};
static const struct shape ec2_HostnameType = {
	.name = "HostnameType",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_HostnameType
};

static const struct shape_member members_ec2_PrivateDnsNameOptionsOnLaunch[] = {
	{ "HostnameType", "HostnameType", "hostnameType", &ec2_HostnameType, false },
	{ "EnableResourceNameDnsARecord", "EnableResourceNameDnsARecord", "enableResourceNameDnsARecord", &ec2_Boolean, false },
	{ "EnableResourceNameDnsAAAARecord", "EnableResourceNameDnsAAAARecord", "enableResourceNameDnsAAAARecord", &ec2_Boolean, false },
};
static const struct shape ec2_PrivateDnsNameOptionsOnLaunch = {
	.name = "PrivateDnsNameOptionsOnLaunch",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_PrivateDnsNameOptionsOnLaunch
};

static const struct shape_member members_ec2_Subnet[] = {
	{ "AvailabilityZone", "AvailabilityZone", "availabilityZone", &ec2_String, false },
	{ "AvailabilityZoneId", "AvailabilityZoneId", "availabilityZoneId", &ec2_String, false },
	{ "AvailableIpAddressCount", "AvailableIpAddressCount", "availableIpAddressCount", &ec2_Integer, false },
	{ "CidrBlock", "CidrBlock", "cidrBlock", &ec2_String, false },
	{ "DefaultForAz", "DefaultForAz", "defaultForAz", &ec2_Boolean, false },
	{ "EnableLniAtDeviceIndex", "EnableLniAtDeviceIndex", "enableLniAtDeviceIndex", &ec2_Integer, false },
	{ "MapPublicIpOnLaunch", "MapPublicIpOnLaunch", "mapPublicIpOnLaunch", &ec2_Boolean, false },
	{ "MapCustomerOwnedIpOnLaunch", "MapCustomerOwnedIpOnLaunch", "mapCustomerOwnedIpOnLaunch", &ec2_Boolean, false },
	{ "CustomerOwnedIpv4Pool", "CustomerOwnedIpv4Pool", "customerOwnedIpv4Pool", &ec2_CoipPoolId, false },
	{ "State", "State", "state", &ec2_SubnetState, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "AssignIpv6AddressOnCreation", "AssignIpv6AddressOnCreation", "assignIpv6AddressOnCreation", &ec2_Boolean, false },
	{ "Ipv6CidrBlockAssociationSet", "Ipv6CidrBlockAssociationSet", "ipv6CidrBlockAssociationSet", &ec2_SubnetIpv6CidrBlockAssociationSet, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "SubnetArn", "SubnetArn", "subnetArn", &ec2_String, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "EnableDns64", "EnableDns64", "enableDns64", &ec2_Boolean, false },
	{ "Ipv6Native", "Ipv6Native", "ipv6Native", &ec2_Boolean, false },
	{ "PrivateDnsNameOptionsOnLaunch", "PrivateDnsNameOptionsOnLaunch", "privateDnsNameOptionsOnLaunch", &ec2_PrivateDnsNameOptionsOnLaunch, false },
};
static const struct shape ec2_Subnet = {
	.name = "Subnet",
	.kind = SHAPE_STRUCT,
	.n = 21,
	.members = members_ec2_Subnet
};

static const struct shape_member members_ec2_CreateSubnetResult[] = {
	{ "Subnet", "Subnet", "subnet", &ec2_Subnet, false },
};
const struct shape ec2_CreateSubnetResult = {
	.name = "CreateSubnetResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateSubnetResult
};

static const struct shape ec2_TaggableResourceId = {
	.name = "TaggableResourceId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_ResourceIdList = {
	.name = "ResourceIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_TaggableResourceId,
	.item_xml = "member"
};

static const struct shape_member members_ec2_CreateTagsRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Resources", "ResourceId", "ResourceId", &ec2_ResourceIdList, true },
	{ "Tags", "Tag", "Tag", &ec2_TagList, true },
};
const struct shape ec2_CreateTagsRequest = {
	.name = "CreateTagsRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_CreateTagsRequest
};

static const struct shape ec2_KmsKeyId = {
	.name = "KmsKeyId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_CreateVolumeRequest[] = {
	{ "AvailabilityZone", "AvailabilityZone", "AvailabilityZone", &ec2_String, true },
	{ "Encrypted", "Encrypted", "encrypted", &ec2_Boolean, false },
	{ "Iops", "Iops", "Iops", &ec2_Integer, false },
	{ "KmsKeyId", "KmsKeyId", "KmsKeyId", &ec2_KmsKeyId, false },
	{ "OutpostArn", "OutpostArn", "OutpostArn", &ec2_String, false },
	{ "Size", "Size", "Size", &ec2_Integer, false },
	{ "SnapshotId", "SnapshotId", "SnapshotId", &ec2_SnapshotId, false },
	{ "VolumeType", "VolumeType", "VolumeType", &ec2_VolumeType, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "MultiAttachEnabled", "MultiAttachEnabled", "MultiAttachEnabled", &ec2_Boolean, false },
	{ "Throughput", "Throughput", "Throughput", &ec2_Integer, false },
	{ "ClientToken", "ClientToken", "ClientToken", &ec2_String, false },
};
const struct shape ec2_CreateVolumeRequest = {
	.name = "CreateVolumeRequest",
	.kind = SHAPE_STRUCT,
	.n = 13,
	.members = members_ec2_CreateVolumeRequest
};

static const struct shape ec2_VolumeAttachmentList = {
	.name = "VolumeAttachmentList",
	.kind = SHAPE_LIST,
	.item = &ec2_VolumeAttachment,
	.item_xml = "item"
};

static const struct shape ec2_VolumeState = {
	.name = "VolumeState",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_Volume[] = {
	{ "Attachments", "AttachmentSet", "attachmentSet", &ec2_VolumeAttachmentList, false },
	{ "AvailabilityZone", "AvailabilityZone", "availabilityZone", &ec2_String, false },
	{ "CreateTime", "CreateTime", "createTime", &ec2_DateTime, false },
	{ "Encrypted", "Encrypted", "encrypted", &ec2_Boolean, false },
	{ "KmsKeyId", "KmsKeyId", "kmsKeyId", &ec2_String, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "Size", "Size", "size", &ec2_Integer, false },
	{ "SnapshotId", "SnapshotId", "snapshotId", &ec2_String, false },
	{ "State", "Status", "status", &ec2_VolumeState, false },
	{ "VolumeId", "VolumeId", "volumeId", &ec2_String, false },
	{ "Iops", "Iops", "iops", &ec2_Integer, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VolumeType", "VolumeType", "volumeType", &ec2_VolumeType, false },
	{ "FastRestored", "FastRestored", "fastRestored", &ec2_Boolean, false },
	{ "MultiAttachEnabled", "MultiAttachEnabled", "multiAttachEnabled", &ec2_Boolean, false },
	{ "Throughput", "Throughput", "throughput", &ec2_Integer, false },
};
const struct shape ec2_Volume = {
	.name = "Volume",
	.kind = SHAPE_STRUCT,
	.n = 16,
	.members = members_ec2_Volume
};

static const struct shape ec2_Ipv6PoolEc2Id = {
	.name = "Ipv6PoolEc2Id",
	.kind = SHAPE_STRING
};

static const struct shape ec2_IpamPoolId = {
	.name = "IpamPoolId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_NetmaskLength = {
	.name = "NetmaskLength",
	.kind = SHAPE_INT
};

static const char *const words_ec2_Tenancy[] = {
	"default", "dedicated", "host",
};
static const struct shape ec2_Tenancy = {
	.name = "Tenancy",
	.kind = SHAPE_STRING,
	.n = 3,
	.words = words_ec2_Tenancy
};

static const struct shape_member members_ec2_CreateVpcRequest[] = {
	{ "CidrBlock", "CidrBlock", "CidrBlock", &ec2_String, false },
	{ "AmazonProvidedIpv6CidrBlock", "AmazonProvidedIpv6CidrBlock", "amazonProvidedIpv6CidrBlock", &ec2_Boolean, false },
	{ "Ipv6Pool", "Ipv6Pool", "Ipv6Pool", &ec2_Ipv6PoolEc2Id, false },
	{ "Ipv6CidrBlock", "Ipv6CidrBlock", "Ipv6CidrBlock", &ec2_String, false },
	{ "Ipv4IpamPoolId", "Ipv4IpamPoolId", "Ipv4IpamPoolId", &ec2_IpamPoolId, false },
	{ "Ipv4NetmaskLength", "Ipv4NetmaskLength", "Ipv4NetmaskLength", &ec2_NetmaskLength, false },
	{ "Ipv6IpamPoolId", "Ipv6IpamPoolId", "Ipv6IpamPoolId", &ec2_IpamPoolId, false },
	{ "Ipv6NetmaskLength", "Ipv6NetmaskLength", "Ipv6NetmaskLength", &ec2_NetmaskLength, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InstanceTenancy", "InstanceTenancy", "instanceTenancy", &ec2_Tenancy, false },
	{ "Ipv6CidrBlockNetworkBorderGroup", "Ipv6CidrBlockNetworkBorderGroup", "Ipv6CidrBlockNetworkBorderGroup", &ec2_String, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
};
const struct shape ec2_CreateVpcRequest = {
	.name = "CreateVpcRequest",
	.kind = SHAPE_STRUCT,
	.n = 12,
	.members = members_ec2_CreateVpcRequest
};

static const struct shape ec2_VpcState = {
	.name = "VpcState",
	.kind = SHAPE_STRING
};

static const struct shape ec2_VpcCidrBlockStateCode = {
	.name = "VpcCidrBlockStateCode",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_VpcCidrBlockState[] = {
	{ "State", "State", "state", &ec2_VpcCidrBlockStateCode, false },
	{ "StatusMessage", "StatusMessage", "statusMessage", &ec2_String, false },
};
static const struct shape ec2_VpcCidrBlockState = {
	.name = "VpcCidrBlockState",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_VpcCidrBlockState
};

static const struct shape_member members_ec2_VpcIpv6CidrBlockAssociation[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "Ipv6CidrBlock", "Ipv6CidrBlock", "ipv6CidrBlock", &ec2_String, false },
	{ "Ipv6CidrBlockState", "Ipv6CidrBlockState", "ipv6CidrBlockState", &ec2_VpcCidrBlockState, false },
	{ "NetworkBorderGroup", "NetworkBorderGroup", "networkBorderGroup", &ec2_String, false },
	{ "Ipv6Pool", "Ipv6Pool", "ipv6Pool", &ec2_String, false },
};
static const struct shape ec2_VpcIpv6CidrBlockAssociation = {
	.name = "VpcIpv6CidrBlockAssociation",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_VpcIpv6CidrBlockAssociation
};

static const struct shape ec2_VpcIpv6CidrBlockAssociationSet = {
	.name = "VpcIpv6CidrBlockAssociationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_VpcIpv6CidrBlockAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_VpcCidrBlockAssociation[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "CidrBlock", "CidrBlock", "cidrBlock", &ec2_String, false },
	{ "CidrBlockState", "CidrBlockState", "cidrBlockState", &ec2_VpcCidrBlockState, false },
};
static const struct shape ec2_VpcCidrBlockAssociation = {
	.name = "VpcCidrBlockAssociation",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_VpcCidrBlockAssociation
};

static const struct shape ec2_VpcCidrBlockAssociationSet = {
	.name = "VpcCidrBlockAssociationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_VpcCidrBlockAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Vpc[] = {
	{ "CidrBlock", "CidrBlock", "cidrBlock", &ec2_String, false },
	{ "DhcpOptionsId", "DhcpOptionsId", "dhcpOptionsId", &ec2_String, false },
	{ "State", "State", "state", &ec2_VpcState, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "InstanceTenancy", "InstanceTenancy", "instanceTenancy", &ec2_Tenancy, false },
	{ "Ipv6CidrBlockAssociationSet", "Ipv6CidrBlockAssociationSet", "ipv6CidrBlockAssociationSet", &ec2_VpcIpv6CidrBlockAssociationSet, false },
	{ "CidrBlockAssociationSet", "CidrBlockAssociationSet", "cidrBlockAssociationSet", &ec2_VpcCidrBlockAssociationSet, false },
	{ "IsDefault", "IsDefault", "isDefault", &ec2_Boolean, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
static const struct shape ec2_Vpc = {
	.name = "Vpc",
	.kind = SHAPE_STRUCT,
	.n = 10,
	.members = members_ec2_Vpc
};

static const struct shape_member members_ec2_CreateVpcResult[] = {
	{ "Vpc", "Vpc", "vpc", &ec2_Vpc, false },
};
const struct shape ec2_CreateVpcResult = {
	.name = "CreateVpcResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreateVpcResult
};

static const struct shape_member members_ec2_DeleteInternetGatewayRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InternetGatewayId", "InternetGatewayId", "internetGatewayId", &ec2_InternetGatewayId, true },
};
const struct shape ec2_DeleteInternetGatewayRequest = {
	.name = "DeleteInternetGatewayRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteInternetGatewayRequest
};

static const struct shape ec2_KeyPairName = {
	.name = "KeyPairName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_KeyPairId = {
	.name = "KeyPairId",
	.kind = SHAPE_STRING,
	.id_prefix = "key",
	.id_code = "InvalidKeyPair"
};

static const struct shape_member members_ec2_DeleteKeyPairRequest[] = {
	{ "KeyName", "KeyName", "KeyName", &ec2_KeyPairName, false },
	{ "KeyPairId", "KeyPairId", "KeyPairId", &ec2_KeyPairId, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeleteKeyPairRequest = {
	.name = "DeleteKeyPairRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DeleteKeyPairRequest
};

static const struct shape_member members_ec2_DeleteNetworkInterfaceRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_NetworkInterfaceId, true },
};
const struct shape ec2_DeleteNetworkInterfaceRequest = {
	.name = "DeleteNetworkInterfaceRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteNetworkInterfaceRequest
};

static const struct shape_member members_ec2_DeleteRouteRequest[] = {
	{ "DestinationCidrBlock", "DestinationCidrBlock", "destinationCidrBlock", &ec2_String, false },
	{ "DestinationIpv6CidrBlock", "DestinationIpv6CidrBlock", "destinationIpv6CidrBlock", &ec2_String, false },
	{ "DestinationPrefixListId", "DestinationPrefixListId", "DestinationPrefixListId", &ec2_PrefixListResourceId, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
};
const struct shape ec2_DeleteRouteRequest = {
	.name = "DeleteRouteRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DeleteRouteRequest
};

static const struct shape_member members_ec2_DeleteRouteTableRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
};
const struct shape ec2_DeleteRouteTableRequest = {
	.name = "DeleteRouteTableRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteRouteTableRequest
};

static const struct shape_member members_ec2_DeleteSecurityGroupRequest[] = {
	{ "GroupId", "GroupId", "GroupId", &ec2_SecurityGroupId, false },
	{ "GroupName", "GroupName", "GroupName", &ec2_SecurityGroupName, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeleteSecurityGroupRequest = {
	.name = "DeleteSecurityGroupRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DeleteSecurityGroupRequest
};

static const struct shape_member members_ec2_DeleteSubnetRequest[] = {
	{ "SubnetId", "SubnetId", "SubnetId", &ec2_SubnetId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeleteSubnetRequest = {
	.name = "DeleteSubnetRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteSubnetRequest
};

static const struct shape_member members_ec2_DeleteTagsRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Resources", "ResourceId", "resourceId", &ec2_ResourceIdList, true },
	{ "Tags", "Tag", "tag", &ec2_TagList, false },
};
const struct shape ec2_DeleteTagsRequest = {
	.name = "DeleteTagsRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DeleteTagsRequest
};

static const struct shape_member members_ec2_DeleteVolumeRequest[] = {
	{ "VolumeId", "VolumeId", "VolumeId", &ec2_VolumeId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeleteVolumeRequest = {
	.name = "DeleteVolumeRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteVolumeRequest
};

static const struct shape_member members_ec2_DeleteVpcRequest[] = {
	{ "VpcId", "VpcId", "VpcId", &ec2_VpcId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeleteVpcRequest = {
	.name = "DeleteVpcRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeleteVpcRequest
};

static const struct shape ec2_ImageId = {
	.name = "ImageId",
	.kind = SHAPE_STRING,
	.id_prefix = "ami",
	.id_code = "InvalidAMIID"
};

static const struct shape_member members_ec2_DeregisterImageRequest[] = {
	{ "ImageId", "ImageId", "ImageId", &ec2_ImageId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DeregisterImageRequest = {
	.name = "DeregisterImageRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DeregisterImageRequest
};

static const struct shape ec2_AccountAttributeName = {
	.name = "AccountAttributeName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_AccountAttributeNameStringList = {
	.name = "AccountAttributeNameStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_AccountAttributeName,
	.item_xml = "attributeName"
};

static const struct shape_member members_ec2_DescribeAccountAttributesRequest[] = {
	{ "AttributeNames", "AttributeName", "attributeName", &ec2_AccountAttributeNameStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DescribeAccountAttributesRequest = {
	.name = "DescribeAccountAttributesRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeAccountAttributesRequest
};

static const struct shape_member members_ec2_AccountAttributeValue[] = {
	{ "AttributeValue", "AttributeValue", "attributeValue", &ec2_String, false },
};
static const struct shape ec2_AccountAttributeValue = {
	.name = "AccountAttributeValue",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_AccountAttributeValue
};

static const struct shape ec2_AccountAttributeValueList = {
	.name = "AccountAttributeValueList",
	.kind = SHAPE_LIST,
	.item = &ec2_AccountAttributeValue,
	.item_xml = "item"
};

static const struct shape_member members_ec2_AccountAttribute[] = {
	{ "AttributeName", "AttributeName", "attributeName", &ec2_String, false },
	{ "AttributeValues", "AttributeValueSet", "attributeValueSet", &ec2_AccountAttributeValueList, false },
};
static const struct shape ec2_AccountAttribute = {
	.name = "AccountAttribute",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_AccountAttribute
};

static const struct shape ec2_AccountAttributeList = {
	.name = "AccountAttributeList",
	.kind = SHAPE_LIST,
	.item = &ec2_AccountAttribute,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeAccountAttributesResult[] = {
	{ "AccountAttributes", "AccountAttributeSet", "accountAttributeSet", &ec2_AccountAttributeList, false },
};
const struct shape ec2_DescribeAccountAttributesResult = {
	.name = "DescribeAccountAttributesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_DescribeAccountAttributesResult
};

static const struct shape ec2_ValueStringList = {
	.name = "ValueStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Filter[] = {
	{ "Name", "Name", "Name", &ec2_String, false },
	{ "Values", "Value", "Value", &ec2_ValueStringList, false },
};
static const struct shape ec2_Filter = {
	.name = "Filter",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_Filter
};

static const struct shape ec2_FilterList = {
	.name = "FilterList",
	.kind = SHAPE_LIST,
	.item = &ec2_Filter,
	.item_xml = "Filter"
};

static const struct shape ec2_PublicIpStringList = {
	.name = "PublicIpStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "PublicIp"
};

static const struct shape ec2_AllocationId = {
	.name = "AllocationId",
	.kind = SHAPE_STRING,
	.id_prefix = "eipalloc",
	.id_code = "InvalidAllocationID"
};

static const struct shape ec2_AllocationIdList = {
	.name = "AllocationIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_AllocationId,
	.item_xml = "AllocationId"
};

static const struct shape_member members_ec2_DescribeAddressesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "PublicIps", "PublicIp", "PublicIp", &ec2_PublicIpStringList, false },
	{ "AllocationIds", "AllocationId", "AllocationId", &ec2_AllocationIdList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DescribeAddressesRequest = {
	.name = "DescribeAddressesRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DescribeAddressesRequest
};

static const struct shape ec2_DomainType = {
	.name = "DomainType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_Address[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "PublicIp", "PublicIp", "publicIp", &ec2_String, false },
	{ "AllocationId", "AllocationId", "allocationId", &ec2_String, false },
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "Domain", "Domain", "domain", &ec2_DomainType, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_String, false },
	{ "NetworkInterfaceOwnerId", "NetworkInterfaceOwnerId", "networkInterfaceOwnerId", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "PublicIpv4Pool", "PublicIpv4Pool", "publicIpv4Pool", &ec2_String, false },
	{ "NetworkBorderGroup", "NetworkBorderGroup", "networkBorderGroup", &ec2_String, false },
	{ "CustomerOwnedIp", "CustomerOwnedIp", "customerOwnedIp", &ec2_String, false },
	{ "CustomerOwnedIpv4Pool", "CustomerOwnedIpv4Pool", "customerOwnedIpv4Pool", &ec2_String, false },
	{ "CarrierIp", "CarrierIp", "carrierIp", &ec2_String, false },
};
static const struct shape ec2_Address = {
	.name = "Address",
	.kind = SHAPE_STRUCT,
	.n = 14,
	.members = members_ec2_Address
};

static const struct shape ec2_AddressList = {
	.name = "AddressList",
	.kind = SHAPE_LIST,
	.item = &ec2_Address,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeAddressesResult[] = {
	{ "Addresses", "AddressesSet", "addressesSet", &ec2_AddressList, false },
};
const struct shape ec2_DescribeAddressesResult = {
	.name = "DescribeAddressesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_DescribeAddressesResult
};

static const struct shape ec2_ZoneNameStringList = {
	.name = "ZoneNameStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "ZoneName"
};

static const struct shape ec2_ZoneIdStringList = {
	.name = "ZoneIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "ZoneId"
};

static const struct shape_member members_ec2_DescribeAvailabilityZonesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "ZoneNames", "ZoneName", "ZoneName", &ec2_ZoneNameStringList, false },
	{ "ZoneIds", "ZoneId", "ZoneId", &ec2_ZoneIdStringList, false },
	{ "AllAvailabilityZones", "AllAvailabilityZones", "AllAvailabilityZones", &ec2_Boolean, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DescribeAvailabilityZonesRequest = {
	.name = "DescribeAvailabilityZonesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeAvailabilityZonesRequest
};

static const struct shape ec2_AvailabilityZoneState = {
	.name = "AvailabilityZoneState",
	.kind = SHAPE_STRING
};

static const struct shape ec2_AvailabilityZoneOptInStatus = {
	.name = "AvailabilityZoneOptInStatus",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_AvailabilityZoneMessage[] = {
	{ "Message", "Message", "message", &ec2_String, false },
};
static const struct shape ec2_AvailabilityZoneMessage = {
	.name = "AvailabilityZoneMessage",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_AvailabilityZoneMessage
};

static const struct shape ec2_AvailabilityZoneMessageList = {
	.name = "AvailabilityZoneMessageList",
	.kind = SHAPE_LIST,
	.item = &ec2_AvailabilityZoneMessage,
	.item_xml = "item"
};

static const struct shape_member members_ec2_AvailabilityZone[] = {
	{ "State", "ZoneState", "zoneState", &ec2_AvailabilityZoneState, false },
	{ "OptInStatus", "OptInStatus", "optInStatus", &ec2_AvailabilityZoneOptInStatus, false },
	{ "Messages", "MessageSet", "messageSet", &ec2_AvailabilityZoneMessageList, false },
	{ "RegionName", "RegionName", "regionName", &ec2_String, false },
	{ "ZoneName", "ZoneName", "zoneName", &ec2_String, false },
	{ "ZoneId", "ZoneId", "zoneId", &ec2_String, false },
	{ "GroupName", "GroupName", "groupName", &ec2_String, false },
	{ "NetworkBorderGroup", "NetworkBorderGroup", "networkBorderGroup", &ec2_String, false },
	{ "ZoneType", "ZoneType", "zoneType", &ec2_String, false },
	{ "ParentZoneName", "ParentZoneName", "parentZoneName", &ec2_String, false },
	{ "ParentZoneId", "ParentZoneId", "parentZoneId", &ec2_String, false },
};
static const struct shape ec2_AvailabilityZone = {
	.name = "AvailabilityZone",
	.kind = SHAPE_STRUCT,
	.n = 11,
	.members = members_ec2_AvailabilityZone
};

static const struct shape ec2_AvailabilityZoneList = {
	.name = "AvailabilityZoneList",
	.kind = SHAPE_LIST,
	.item = &ec2_AvailabilityZone,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeAvailabilityZonesResult[] = {
	{ "AvailabilityZones", "AvailabilityZoneInfo", "availabilityZoneInfo", &ec2_AvailabilityZoneList, false },
};
const struct shape ec2_DescribeAvailabilityZonesResult = {
	.name = "DescribeAvailabilityZonesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_DescribeAvailabilityZonesResult
};

static const struct shape ec2_DhcpOptionsId = {
	.name = "DhcpOptionsId",
	.kind = SHAPE_STRING,
	.id_prefix = "dopt",
	.id_code = "InvalidDhcpOptionsId"
};

static const struct shape ec2_DhcpOptionsIdStringList = {
	.name = "DhcpOptionsIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_DhcpOptionsId,
	.item_xml = "DhcpOptionsId"
};

static const struct shape ec2_DescribeDhcpOptionsMaxResults = {
	.name = "DescribeDhcpOptionsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeDhcpOptionsRequest[] = {
	{ "DhcpOptionsIds", "DhcpOptionsId", "DhcpOptionsId", &ec2_DhcpOptionsIdStringList, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeDhcpOptionsMaxResults, false },
};
const struct shape ec2_DescribeDhcpOptionsRequest = {
	.name = "DescribeDhcpOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeDhcpOptionsRequest
};

static const struct shape_member members_ec2_AttributeValue[] = {
	{ "Value", "Value", "value", &ec2_String, false },
};
static const struct shape ec2_AttributeValue = {
	.name = "AttributeValue",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_AttributeValue
};

static const struct shape ec2_DhcpConfigurationValueList = {
	.name = "DhcpConfigurationValueList",
	.kind = SHAPE_LIST,
	.item = &ec2_AttributeValue,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DhcpConfiguration[] = {
	{ "Key", "Key", "key", &ec2_String, false },
	{ "Values", "ValueSet", "valueSet", &ec2_DhcpConfigurationValueList, false },
};
static const struct shape ec2_DhcpConfiguration = {
	.name = "DhcpConfiguration",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DhcpConfiguration
};

static const struct shape ec2_DhcpConfigurationList = {
	.name = "DhcpConfigurationList",
	.kind = SHAPE_LIST,
	.item = &ec2_DhcpConfiguration,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DhcpOptions[] = {
	{ "DhcpConfigurations", "DhcpConfigurationSet", "dhcpConfigurationSet", &ec2_DhcpConfigurationList, false },
	{ "DhcpOptionsId", "DhcpOptionsId", "dhcpOptionsId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
static const struct shape ec2_DhcpOptions = {
	.name = "DhcpOptions",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DhcpOptions
};

static const struct shape ec2_DhcpOptionsList = {
	.name = "DhcpOptionsList",
	.kind = SHAPE_LIST,
	.item = &ec2_DhcpOptions,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeDhcpOptionsResult[] = {
	{ "DhcpOptions", "DhcpOptionsSet", "dhcpOptionsSet", &ec2_DhcpOptionsList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeDhcpOptionsResult = {
	.name = "DescribeDhcpOptionsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeDhcpOptionsResult
};

static const struct shape ec2_IamInstanceProfileAssociationId = {
	.name = "IamInstanceProfileAssociationId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_AssociationIdList = {
	.name = "AssociationIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_IamInstanceProfileAssociationId,
	.item_xml = "AssociationId"
};

static const struct shape ec2_DescribeIamInstanceProfileAssociationsMaxResults = {
	.name = "DescribeIamInstanceProfileAssociationsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape ec2_NextToken = {
	.name = "NextToken",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_DescribeIamInstanceProfileAssociationsRequest[] = {
	{ "AssociationIds", "AssociationId", "AssociationId", &ec2_AssociationIdList, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeIamInstanceProfileAssociationsMaxResults, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeIamInstanceProfileAssociationsRequest = {
	.name = "DescribeIamInstanceProfileAssociationsRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DescribeIamInstanceProfileAssociationsRequest
};

static const struct shape_member members_ec2_IamInstanceProfile[] = {
	{ "Arn", "Arn", "arn", &ec2_String, false },
	{ "Id", "Id", "id", &ec2_String, false },
};
static const struct shape ec2_IamInstanceProfile = {
	.name = "IamInstanceProfile",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_IamInstanceProfile
};

static const struct shape ec2_IamInstanceProfileAssociationState = {
	.name = "IamInstanceProfileAssociationState",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_IamInstanceProfileAssociation[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_String, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "IamInstanceProfile", "IamInstanceProfile", "iamInstanceProfile", &ec2_IamInstanceProfile, false },
	{ "State", "State", "state", &ec2_IamInstanceProfileAssociationState, false },
	{ "Timestamp", "Timestamp", "timestamp", &ec2_DateTime, false },
};
static const struct shape ec2_IamInstanceProfileAssociation = {
	.name = "IamInstanceProfileAssociation",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_IamInstanceProfileAssociation
};

static const struct shape ec2_IamInstanceProfileAssociationSet = {
	.name = "IamInstanceProfileAssociationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_IamInstanceProfileAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeIamInstanceProfileAssociationsResult[] = {
	{ "IamInstanceProfileAssociations", "IamInstanceProfileAssociationSet", "iamInstanceProfileAssociationSet", &ec2_IamInstanceProfileAssociationSet, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeIamInstanceProfileAssociationsResult = {
	.name = "DescribeIamInstanceProfileAssociationsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeIamInstanceProfileAssociationsResult
};

static const char *const words_ec2_ImageAttributeName[] = {
	"description", "kernel", "ramdisk", "launchPermission", "productCodes",
	"blockDeviceMapping", "sriovNetSupport", "bootMode", "tpmSupport",
	"uefiData", "lastLaunchedTime", "imdsSupport",
};
static const struct shape ec2_ImageAttributeName = {
	.name = "ImageAttributeName",
	.kind = SHAPE_STRING,
	.n = 12,
	.words = words_ec2_ImageAttributeName
};

static const struct shape_member members_ec2_DescribeImageAttributeRequest[] = {
	{ "Attribute", "Attribute", "Attribute", &ec2_ImageAttributeName, true },
	{ "ImageId", "ImageId", "ImageId", &ec2_ImageId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DescribeImageAttributeRequest = {
	.name = "DescribeImageAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DescribeImageAttributeRequest
};

static const struct shape ec2_BlockDeviceMappingList = {
	.name = "BlockDeviceMappingList",
	.kind = SHAPE_LIST,
	.item = &ec2_BlockDeviceMapping,
	.item_xml = "item"
};

static const struct shape ec2_PermissionGroup = {
	.name = "PermissionGroup",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_LaunchPermission[] = {
	{ "Group", "Group", "group", &ec2_PermissionGroup, false },
	{ "UserId", "UserId", "userId", &ec2_String, false },
	{ "OrganizationArn", "OrganizationArn", "organizationArn", &ec2_String, false },
	{ "OrganizationalUnitArn", "OrganizationalUnitArn", "organizationalUnitArn", &ec2_String, false },
};
static const struct shape ec2_LaunchPermission = {
	.name = "LaunchPermission",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_LaunchPermission
};

static const struct shape ec2_LaunchPermissionList = {
	.name = "LaunchPermissionList",
	.kind = SHAPE_LIST,
	.item = &ec2_LaunchPermission,
	.item_xml = "item"
};

static const struct shape ec2_ProductCodeValues = {
	.name = "ProductCodeValues",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_ProductCode[] = {
	{ "ProductCodeId", "ProductCode", "productCode", &ec2_String, false },
	{ "ProductCodeType", "Type", "type", &ec2_ProductCodeValues, false },
};
static const struct shape ec2_ProductCode = {
	.name = "ProductCode",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ProductCode
};

static const struct shape ec2_ProductCodeList = {
	.name = "ProductCodeList",
	.kind = SHAPE_LIST,
	.item = &ec2_ProductCode,
	.item_xml = "item"
};

static const struct shape_member members_ec2_ImageAttribute[] = {
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_BlockDeviceMappingList, false },
	{ "ImageId", "ImageId", "imageId", &ec2_String, false },
	{ "LaunchPermissions", "LaunchPermission", "launchPermission", &ec2_LaunchPermissionList, false },
	{ "ProductCodes", "ProductCodes", "productCodes", &ec2_ProductCodeList, false },
	{ "Description", "Description", "description", &ec2_AttributeValue, false },
	{ "KernelId", "Kernel", "kernel", &ec2_AttributeValue, false },
	{ "RamdiskId", "Ramdisk", "ramdisk", &ec2_AttributeValue, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_AttributeValue, false },
	{ "BootMode", "BootMode", "bootMode", &ec2_AttributeValue, false },
	{ "TpmSupport", "TpmSupport", "tpmSupport", &ec2_AttributeValue, false },
	{ "UefiData", "UefiData", "uefiData", &ec2_AttributeValue, false },
	{ "LastLaunchedTime", "LastLaunchedTime", "lastLaunchedTime", &ec2_AttributeValue, false },
	{ "ImdsSupport", "ImdsSupport", "imdsSupport", &ec2_AttributeValue, false },
};
const struct shape ec2_ImageAttribute = {
	.name = "ImageAttribute",
	.kind = SHAPE_STRUCT,
	.n = 13,
	.members = members_ec2_ImageAttribute
};

static const struct shape ec2_ExecutableByStringList = {
	.name = "ExecutableByStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "ExecutableBy"
};

static const struct shape ec2_ImageIdStringList = {
	.name = "ImageIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_ImageId,
	.item_xml = "ImageId"
};

static const struct shape ec2_OwnerStringList = {
	.name = "OwnerStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "Owner"
};

static const struct shape ec2_DescribeVpcsMaxResults = {
	.name = "DescribeVpcsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeImagesRequest[] = {
	{ "ExecutableUsers", "ExecutableBy", "ExecutableBy", &ec2_ExecutableByStringList, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "ImageIds", "ImageId", "ImageId", &ec2_ImageIdStringList, false },
	{ "Owners", "Owner", "Owner", &ec2_OwnerStringList, false },
	{ "IncludeDeprecated", "IncludeDeprecated", "IncludeDeprecated", &ec2_Boolean, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeVpcsMaxResults, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
};
const struct shape ec2_DescribeImagesRequest = {
	.name = "DescribeImagesRequest",
	.kind = SHAPE_STRUCT,
	.n = 8,
	.members = members_ec2_DescribeImagesRequest
};

static const char *const words_ec2_ArchitectureValues[] = {
	"i386", "x86_64", "arm64", "x86_64_mac", "arm64_mac",
};
static const struct shape ec2_ArchitectureValues = {
	.name = "ArchitectureValues",
	.kind = SHAPE_STRING,
	.n = 5,
	.words = words_ec2_ArchitectureValues
};

static const struct shape ec2_ImageTypeValues = {
	.name = "ImageTypeValues",
	.kind = SHAPE_STRING
};

static const struct shape ec2_PlatformValues = {
	.name = "PlatformValues",
	.kind = SHAPE_STRING
};

static const struct shape ec2_ImageState = {
	.name = "ImageState",
	.kind = SHAPE_STRING
};

static const struct shape ec2_HypervisorType = {
	.name = "HypervisorType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_DeviceType = {
	.name = "DeviceType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_StateReason[] = {
	{ "Code", "Code", "code", &ec2_String, false },
	{ "Message", "Message", "message", &ec2_String, false },
};
static const struct shape ec2_StateReason = {
	.name = "StateReason",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_StateReason
};

static const struct shape ec2_VirtualizationType = {
	.name = "VirtualizationType",
	.kind = SHAPE_STRING
};

static const char *const words_ec2_BootModeValues[] = {
	"legacy-bios", "uefi",
};
static const struct shape ec2_BootModeValues = {
	.name = "BootModeValues",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_BootModeValues
};

static const char *const words_ec2_TpmSupportValues[] = {
	"v2.0",
};
static const struct shape ec2_TpmSupportValues = {
	.name = "TpmSupportValues",
	.kind = SHAPE_STRING,
	.n = 1,
	.words = words_ec2_TpmSupportValues
};

static const char *const words_ec2_ImdsSupportValues[] = {
	"v2.0",
};
static const struct shape ec2_ImdsSupportValues = {
	.name = "ImdsSupportValues",
	.kind = SHAPE_STRING,
	.n = 1,
	.words = words_ec2_ImdsSupportValues
};

static const struct shape_member members_ec2_Image[] = {
	{ "Architecture", "Architecture", "architecture", &ec2_ArchitectureValues, false },
	{ "CreationDate", "CreationDate", "creationDate", &ec2_String, false },
	{ "ImageId", "ImageId", "imageId", &ec2_String, false },
	{ "ImageLocation", "ImageLocation", "imageLocation", &ec2_String, false },
	{ "ImageType", "ImageType", "imageType", &ec2_ImageTypeValues, false },
	{ "Public", "IsPublic", "isPublic", &ec2_Boolean, false },
	{ "KernelId", "KernelId", "kernelId", &ec2_String, false },
	{ "OwnerId", "ImageOwnerId", "imageOwnerId", &ec2_String, false },
	{ "Platform", "Platform", "platform", &ec2_PlatformValues, false },
	{ "PlatformDetails", "PlatformDetails", "platformDetails", &ec2_String, false },
	{ "UsageOperation", "UsageOperation", "usageOperation", &ec2_String, false },
	{ "ProductCodes", "ProductCodes", "productCodes", &ec2_ProductCodeList, false },
	{ "RamdiskId", "RamdiskId", "ramdiskId", &ec2_String, false },
	{ "State", "ImageState", "imageState", &ec2_ImageState, false },
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_BlockDeviceMappingList, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_Boolean, false },
	{ "Hypervisor", "Hypervisor", "hypervisor", &ec2_HypervisorType, false },
	{ "ImageOwnerAlias", "ImageOwnerAlias", "imageOwnerAlias", &ec2_String, false },
	{ "Name", "Name", "name", &ec2_String, false },
	{ "RootDeviceName", "RootDeviceName", "rootDeviceName", &ec2_String, false },
	{ "RootDeviceType", "RootDeviceType", "rootDeviceType", &ec2_DeviceType, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_String, false },
	{ "StateReason", "StateReason", "stateReason", &ec2_StateReason, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VirtualizationType", "VirtualizationType", "virtualizationType", &ec2_VirtualizationType, false },
	{ "BootMode", "BootMode", "bootMode", &ec2_BootModeValues, false },
	{ "TpmSupport", "TpmSupport", "tpmSupport", &ec2_TpmSupportValues, false },
	{ "DeprecationTime", "DeprecationTime", "deprecationTime", &ec2_String, false },
	{ "ImdsSupport", "ImdsSupport", "imdsSupport", &ec2_ImdsSupportValues, false },
};
static const struct shape ec2_Image = {
	.name = "Image",
	.kind = SHAPE_STRUCT,
	.n = 30,
	.members = members_ec2_Image
};

static const struct shape ec2_ImageList = {
	.name = "ImageList",
	.kind = SHAPE_LIST,
	.item = &ec2_Image,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeImagesResult[] = {
	{ "Images", "ImagesSet", "imagesSet", &ec2_ImageList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeImagesResult = {
	.name = "DescribeImagesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeImagesResult
};

static const char *const words_ec2_InstanceAttributeName[] = {
	"instanceType", "kernel", "ramdisk", "userData", "disableApiTermination",
	"instanceInitiatedShutdownBehavior", "rootDeviceName", "blockDeviceMapping",
	"productCodes", "sourceDestCheck", "groupSet", "ebsOptimized",
	"sriovNetSupport", "enaSupport", "enclaveOptions", "disableApiStop",
};
static const struct shape ec2_InstanceAttributeName = {
	.name = "InstanceAttributeName",
	.kind = SHAPE_STRING,
	.n = 16,
	.words = words_ec2_InstanceAttributeName
};

static const struct shape_member members_ec2_DescribeInstanceAttributeRequest[] = {
	{ "Attribute", "Attribute", "attribute", &ec2_InstanceAttributeName, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, true },
};
const struct shape ec2_DescribeInstanceAttributeRequest = {
	.name = "DescribeInstanceAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DescribeInstanceAttributeRequest
};

static const struct shape_member members_ec2_EbsInstanceBlockDevice[] = {
	{ "AttachTime", "AttachTime", "attachTime", &ec2_DateTime, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "Status", "Status", "status", &ec2_AttachmentStatus, false },
	{ "VolumeId", "VolumeId", "volumeId", &ec2_String, false },
};
static const struct shape ec2_EbsInstanceBlockDevice = {
	.name = "EbsInstanceBlockDevice",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_EbsInstanceBlockDevice
};

static const struct shape_member members_ec2_InstanceBlockDeviceMapping[] = {
	{ "DeviceName", "DeviceName", "deviceName", &ec2_String, false },
	{ "Ebs", "Ebs", "ebs", &ec2_EbsInstanceBlockDevice, false },
};
static const struct shape ec2_InstanceBlockDeviceMapping = {
	.name = "InstanceBlockDeviceMapping",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceBlockDeviceMapping
};

static const struct shape ec2_InstanceBlockDeviceMappingList = {
	.name = "InstanceBlockDeviceMappingList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceBlockDeviceMapping,
	.item_xml = "item"
};

static const struct shape_member members_ec2_AttributeBooleanValue[] = {
	{ "Value", "Value", "value", &ec2_Boolean, false },
};
static const struct shape ec2_AttributeBooleanValue = {
	.name = "AttributeBooleanValue",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_AttributeBooleanValue
};

static const struct shape_member members_ec2_EnclaveOptions[] = {
	{ "Enabled", "Enabled", "enabled", &ec2_Boolean, false },
};
static const struct shape ec2_EnclaveOptions = {
	.name = "EnclaveOptions",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_EnclaveOptions
};

static const struct shape_member members_ec2_InstanceAttribute[] = {
	{ "Groups", "GroupSet", "groupSet", &ec2_GroupIdentifierList, false },
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_InstanceBlockDeviceMappingList, false },
	{ "DisableApiTermination", "DisableApiTermination", "disableApiTermination", &ec2_AttributeBooleanValue, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_AttributeBooleanValue, false },
	{ "EnclaveOptions", "EnclaveOptions", "enclaveOptions", &ec2_EnclaveOptions, false },
	{ "EbsOptimized", "EbsOptimized", "ebsOptimized", &ec2_AttributeBooleanValue, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceInitiatedShutdownBehavior", "InstanceInitiatedShutdownBehavior", "instanceInitiatedShutdownBehavior", &ec2_AttributeValue, false },
	{ "InstanceType", "InstanceType", "instanceType", &ec2_AttributeValue, false },
	{ "KernelId", "Kernel", "kernel", &ec2_AttributeValue, false },
	{ "ProductCodes", "ProductCodes", "productCodes", &ec2_ProductCodeList, false },
	{ "RamdiskId", "Ramdisk", "ramdisk", &ec2_AttributeValue, false },
	{ "RootDeviceName", "RootDeviceName", "rootDeviceName", &ec2_AttributeValue, false },
	{ "SourceDestCheck", "SourceDestCheck", "sourceDestCheck", &ec2_AttributeBooleanValue, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_AttributeValue, false },
	{ "UserData", "UserData", "userData", &ec2_AttributeValue, false },
	{ "DisableApiStop", "DisableApiStop", "disableApiStop", &ec2_AttributeBooleanValue, false },
};
const struct shape ec2_InstanceAttribute = {
	.name = "InstanceAttribute",
	.kind = SHAPE_STRUCT,
	.n = 17,
	.members = members_ec2_InstanceAttribute
};

static const struct shape ec2_InstanceIdStringList = {
	.name = "InstanceIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceId,
	.item_xml = "InstanceId"
};

static const struct shape ec2_DescribeInstanceCreditSpecificationsMaxResults = {
	.name = "DescribeInstanceCreditSpecificationsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeInstanceCreditSpecificationsRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeInstanceCreditSpecificationsMaxResults, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInstanceCreditSpecificationsRequest = {
	.name = "DescribeInstanceCreditSpecificationsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeInstanceCreditSpecificationsRequest
};

static const struct shape_member members_ec2_InstanceCreditSpecification[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "CpuCredits", "CpuCredits", "cpuCredits", &ec2_String, false },
};
static const struct shape ec2_InstanceCreditSpecification = {
	.name = "InstanceCreditSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceCreditSpecification
};

static const struct shape ec2_InstanceCreditSpecificationList = {
	.name = "InstanceCreditSpecificationList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceCreditSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInstanceCreditSpecificationsResult[] = {
	{ "InstanceCreditSpecifications", "InstanceCreditSpecificationSet", "instanceCreditSpecificationSet", &ec2_InstanceCreditSpecificationList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInstanceCreditSpecificationsResult = {
	.name = "DescribeInstanceCreditSpecificationsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInstanceCreditSpecificationsResult
};

static const struct shape_member members_ec2_DescribeInstanceStatusRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_Integer, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "IncludeAllInstances", "IncludeAllInstances", "includeAllInstances", &ec2_Boolean, false },
};
const struct shape ec2_DescribeInstanceStatusRequest = {
	.name = "DescribeInstanceStatusRequest",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_DescribeInstanceStatusRequest
};

static const struct shape ec2_InstanceEventId = {
	.name = "InstanceEventId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_EventCode = {
	.name = "EventCode",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceStatusEvent[] = {
	{ "InstanceEventId", "InstanceEventId", "instanceEventId", &ec2_InstanceEventId, false },
	{ "Code", "Code", "code", &ec2_EventCode, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "NotAfter", "NotAfter", "notAfter", &ec2_DateTime, false },
	{ "NotBefore", "NotBefore", "notBefore", &ec2_DateTime, false },
	{ "NotBeforeDeadline", "NotBeforeDeadline", "notBeforeDeadline", &ec2_DateTime, false },
};
static const struct shape ec2_InstanceStatusEvent = {
	.name = "InstanceStatusEvent",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_InstanceStatusEvent
};

static const struct shape ec2_InstanceStatusEventList = {
	.name = "InstanceStatusEventList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceStatusEvent,
	.item_xml = "item"
};

static const struct shape ec2_InstanceStateName = {
	.name = "InstanceStateName",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceState[] = {
	{ "Code", "Code", "code", &ec2_Integer, false },
	{ "Name", "Name", "name", &ec2_InstanceStateName, false },
};
static const struct shape ec2_InstanceState = {
	.name = "InstanceState",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceState
};

static const struct shape ec2_StatusName = {
	.name = "StatusName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_StatusType = {
	.name = "StatusType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceStatusDetails[] = {
	{ "ImpairedSince", "ImpairedSince", "impairedSince", &ec2_DateTime, false },
	{ "Name", "Name", "name", &ec2_StatusName, false },
	{ "Status", "Status", "status", &ec2_StatusType, false },
};
static const struct shape ec2_InstanceStatusDetails = {
	.name = "InstanceStatusDetails",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_InstanceStatusDetails
};

static const struct shape ec2_InstanceStatusDetailsList = {
	.name = "InstanceStatusDetailsList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceStatusDetails,
	.item_xml = "item"
};

static const struct shape ec2_SummaryStatus = {
	.name = "SummaryStatus",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceStatusSummary[] = {
	{ "Details", "Details", "details", &ec2_InstanceStatusDetailsList, false },
	{ "Status", "Status", "status", &ec2_SummaryStatus, false },
};
static const struct shape ec2_InstanceStatusSummary = {
	.name = "InstanceStatusSummary",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceStatusSummary
};

static const struct shape_member members_ec2_InstanceStatus[] = {
	{ "AvailabilityZone", "AvailabilityZone", "availabilityZone", &ec2_String, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "Events", "EventsSet", "eventsSet", &ec2_InstanceStatusEventList, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceState", "InstanceState", "instanceState", &ec2_InstanceState, false },
	{ "InstanceStatus", "InstanceStatus", "instanceStatus", &ec2_InstanceStatusSummary, false },
	{ "SystemStatus", "SystemStatus", "systemStatus", &ec2_InstanceStatusSummary, false },
};
static const struct shape ec2_InstanceStatus = {
	.name = "InstanceStatus",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_InstanceStatus
};

static const struct shape ec2_InstanceStatusList = {
	.name = "InstanceStatusList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceStatus,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInstanceStatusResult[] = {
	{ "InstanceStatuses", "InstanceStatusSet", "instanceStatusSet", &ec2_InstanceStatusList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInstanceStatusResult = {
	.name = "DescribeInstanceStatusResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInstanceStatusResult
};

static const char *const words_ec2_LocationType[] = {
	"region", "availability-zone", "availability-zone-id",
};
static const struct shape ec2_LocationType = {
	.name = "LocationType",
	.kind = SHAPE_STRING,
	.n = 3,
	.words = words_ec2_LocationType
};

static const struct shape ec2_DITOMaxResults = {
	.name = "DITOMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeInstanceTypeOfferingsRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "LocationType", "LocationType", "LocationType", &ec2_LocationType, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DITOMaxResults, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeInstanceTypeOfferingsRequest = {
	.name = "DescribeInstanceTypeOfferingsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeInstanceTypeOfferingsRequest
};

static const struct shape ec2_InstanceType = {
	.name = "InstanceType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_Location = {
	.name = "Location",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceTypeOffering[] = {
	{ "InstanceType", "InstanceType", "instanceType", &ec2_InstanceType, false },
	{ "LocationType", "LocationType", "locationType", &ec2_LocationType, false },
	{ "Location", "Location", "location", &ec2_Location, false },
};
static const struct shape ec2_InstanceTypeOffering = {
	.name = "InstanceTypeOffering",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_InstanceTypeOffering
};

static const struct shape ec2_InstanceTypeOfferingsList = {
	.name = "InstanceTypeOfferingsList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceTypeOffering,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInstanceTypeOfferingsResult[] = {
	{ "InstanceTypeOfferings", "InstanceTypeOfferingSet", "instanceTypeOfferingSet", &ec2_InstanceTypeOfferingsList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeInstanceTypeOfferingsResult = {
	.name = "DescribeInstanceTypeOfferingsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInstanceTypeOfferingsResult
};

static const struct shape ec2_RequestInstanceTypeList = {
	.name = "RequestInstanceTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceType,
	.item_xml = "member"
};

static const struct shape ec2_DITMaxResults = {
	.name = "DITMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 100
};

static const struct shape_member members_ec2_DescribeInstanceTypesRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "InstanceTypes", "InstanceType", "InstanceType", &ec2_RequestInstanceTypeList, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DITMaxResults, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeInstanceTypesRequest = {
	.name = "DescribeInstanceTypesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeInstanceTypesRequest
};

static const struct shape ec2_CurrentGenerationFlag = {
	.name = "CurrentGenerationFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_FreeTierEligibleFlag = {
	.name = "FreeTierEligibleFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_UsageClassType = {
	.name = "UsageClassType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_UsageClassTypeList = {
	.name = "UsageClassTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_UsageClassType,
	.item_xml = "item"
};

static const struct shape ec2_RootDeviceType = {
	.name = "RootDeviceType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_RootDeviceTypeList = {
	.name = "RootDeviceTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_RootDeviceType,
	.item_xml = "item"
};

static const struct shape ec2_VirtualizationTypeList = {
	.name = "VirtualizationTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_VirtualizationType,
	.item_xml = "item"
};

static const struct shape ec2_BareMetalFlag = {
	.name = "BareMetalFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_InstanceTypeHypervisor = {
	.name = "InstanceTypeHypervisor",
	.kind = SHAPE_STRING
};

static const struct shape ec2_ArchitectureType = {
	.name = "ArchitectureType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_ArchitectureTypeList = {
	.name = "ArchitectureTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_ArchitectureType,
	.item_xml = "item"
};

static const struct shape ec2_ProcessorSustainedClockSpeed = {
	.name = "ProcessorSustainedClockSpeed",
	.kind = SHAPE_DOUBLE
};

static const struct shape_member members_ec2_ProcessorInfo[] = {
	{ "SupportedArchitectures", "SupportedArchitectures", "supportedArchitectures", &ec2_ArchitectureTypeList, false },
	{ "SustainedClockSpeedInGhz", "SustainedClockSpeedInGhz", "sustainedClockSpeedInGhz", &ec2_ProcessorSustainedClockSpeed, false },
};
static const struct shape ec2_ProcessorInfo = {
	.name = "ProcessorInfo",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ProcessorInfo
};

static const struct shape ec2_VCpuCount = {
	.name = "VCpuCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_CoreCount = {
	.name = "CoreCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_ThreadsPerCore = {
	.name = "ThreadsPerCore",
	.kind = SHAPE_INT
};

static const struct shape ec2_CoreCountList = {
	.name = "CoreCountList",
	.kind = SHAPE_LIST,
	.item = &ec2_CoreCount,
	.item_xml = "item"
};

static const struct shape ec2_ThreadsPerCoreList = {
	.name = "ThreadsPerCoreList",
	.kind = SHAPE_LIST,
	.item = &ec2_ThreadsPerCore,
	.item_xml = "item"
};

static const struct shape_member members_ec2_VCpuInfo[] = {
	{ "DefaultVCpus", "DefaultVCpus", "defaultVCpus", &ec2_VCpuCount, false },
	{ "DefaultCores", "DefaultCores", "defaultCores", &ec2_CoreCount, false },
	{ "DefaultThreadsPerCore", "DefaultThreadsPerCore", "defaultThreadsPerCore", &ec2_ThreadsPerCore, false },
	{ "ValidCores", "ValidCores", "validCores", &ec2_CoreCountList, false },
	{ "ValidThreadsPerCore", "ValidThreadsPerCore", "validThreadsPerCore", &ec2_ThreadsPerCoreList, false },
};
static const struct shape ec2_VCpuInfo = {
	.name = "VCpuInfo",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_VCpuInfo
};

static const struct shape ec2_MemorySize = {
	.name = "MemorySize",
	.kind = SHAPE_INT,
	.min = -999999999999999,
	.max = 999999999999999
};

static const struct shape_member members_ec2_MemoryInfo[] = {
	{ "SizeInMiB", "SizeInMiB", "sizeInMiB", &ec2_MemorySize, false },
};
static const struct shape ec2_MemoryInfo = {
	.name = "MemoryInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_MemoryInfo
};

static const struct shape ec2_InstanceStorageFlag = {
	.name = "InstanceStorageFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_DiskSize = {
	.name = "DiskSize",
	.kind = SHAPE_INT,
	.min = -999999999999999,
	.max = 999999999999999
};

static const struct shape ec2_DiskCount = {
	.name = "DiskCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_DiskType = {
	.name = "DiskType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_DiskInfo[] = {
	{ "SizeInGB", "SizeInGB", "sizeInGB", &ec2_DiskSize, false },
	{ "Count", "Count", "count", &ec2_DiskCount, false },
	{ "Type", "Type", "type", &ec2_DiskType, false },
};
static const struct shape ec2_DiskInfo = {
	.name = "DiskInfo",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DiskInfo
};

static const struct shape ec2_DiskInfoList = {
	.name = "DiskInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_DiskInfo,
	.item_xml = "item"
};

static const struct shape ec2_EphemeralNvmeSupport = {
	.name = "EphemeralNvmeSupport",
	.kind = SHAPE_STRING
};

static const struct shape ec2_InstanceStorageEncryptionSupport = {
	.name = "InstanceStorageEncryptionSupport",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InstanceStorageInfo[] = {
	{ "TotalSizeInGB", "TotalSizeInGB", "totalSizeInGB", &ec2_DiskSize, false },
	{ "Disks", "Disks", "disks", &ec2_DiskInfoList, false },
	{ "NvmeSupport", "NvmeSupport", "nvmeSupport", &ec2_EphemeralNvmeSupport, false },
	{ "EncryptionSupport", "EncryptionSupport", "encryptionSupport", &ec2_InstanceStorageEncryptionSupport, false },
};
static const struct shape ec2_InstanceStorageInfo = {
	.name = "InstanceStorageInfo",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_InstanceStorageInfo
};

static const struct shape ec2_EbsOptimizedSupport = {
	.name = "EbsOptimizedSupport",
	.kind = SHAPE_STRING
};

static const struct shape ec2_EbsEncryptionSupport = {
	.name = "EbsEncryptionSupport",
	.kind = SHAPE_STRING
};

static const struct shape ec2_BaselineBandwidthInMbps = {
	.name = "BaselineBandwidthInMbps",
	.kind = SHAPE_INT
};

static const struct shape ec2_BaselineThroughputInMBps = {
	.name = "BaselineThroughputInMBps",
	.kind = SHAPE_DOUBLE
};

static const struct shape ec2_BaselineIops = {
	.name = "BaselineIops",
	.kind = SHAPE_INT
};

static const struct shape ec2_MaximumBandwidthInMbps = {
	.name = "MaximumBandwidthInMbps",
	.kind = SHAPE_INT
};

static const struct shape ec2_MaximumThroughputInMBps = {
	.name = "MaximumThroughputInMBps",
	.kind = SHAPE_DOUBLE
};

static const struct shape ec2_MaximumIops = {
	.name = "MaximumIops",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_EbsOptimizedInfo[] = {
	{ "BaselineBandwidthInMbps", "BaselineBandwidthInMbps", "baselineBandwidthInMbps", &ec2_BaselineBandwidthInMbps, false },
	{ "BaselineThroughputInMBps", "BaselineThroughputInMBps", "baselineThroughputInMBps", &ec2_BaselineThroughputInMBps, false },
	{ "BaselineIops", "BaselineIops", "baselineIops", &ec2_BaselineIops, false },
	{ "MaximumBandwidthInMbps", "MaximumBandwidthInMbps", "maximumBandwidthInMbps", &ec2_MaximumBandwidthInMbps, false },
	{ "MaximumThroughputInMBps", "MaximumThroughputInMBps", "maximumThroughputInMBps", &ec2_MaximumThroughputInMBps, false },
	{ "MaximumIops", "MaximumIops", "maximumIops", &ec2_MaximumIops, false },
};
static const struct shape ec2_EbsOptimizedInfo = {
	.name = "EbsOptimizedInfo",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_EbsOptimizedInfo
};

static const struct shape ec2_EbsNvmeSupport = {
	.name = "EbsNvmeSupport",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_EbsInfo[] = {
	{ "EbsOptimizedSupport", "EbsOptimizedSupport", "ebsOptimizedSupport", &ec2_EbsOptimizedSupport, false },
	{ "EncryptionSupport", "EncryptionSupport", "encryptionSupport", &ec2_EbsEncryptionSupport, false },
	{ "EbsOptimizedInfo", "EbsOptimizedInfo", "ebsOptimizedInfo", &ec2_EbsOptimizedInfo, false },
	{ "NvmeSupport", "NvmeSupport", "nvmeSupport", &ec2_EbsNvmeSupport, false },
};
static const struct shape ec2_EbsInfo = {
	.name = "EbsInfo",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_EbsInfo
};

static const struct shape ec2_NetworkPerformance = {
	.name = "NetworkPerformance",
	.kind = SHAPE_STRING
};

static const struct shape ec2_MaxNetworkInterfaces = {
	.name = "MaxNetworkInterfaces",
	.kind = SHAPE_INT
};

static const struct shape ec2_MaximumNetworkCards = {
	.name = "MaximumNetworkCards",
	.kind = SHAPE_INT
};

static const struct shape ec2_DefaultNetworkCardIndex = {
	.name = "DefaultNetworkCardIndex",
	.kind = SHAPE_INT
};

static const struct shape ec2_NetworkCardIndex = {
	.name = "NetworkCardIndex",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_NetworkCardInfo[] = {
	{ "NetworkCardIndex", "NetworkCardIndex", "networkCardIndex", &ec2_NetworkCardIndex, false },
	{ "NetworkPerformance", "NetworkPerformance", "networkPerformance", &ec2_NetworkPerformance, false },
	{ "MaximumNetworkInterfaces", "MaximumNetworkInterfaces", "maximumNetworkInterfaces", &ec2_MaxNetworkInterfaces, false },
};
static const struct shape ec2_NetworkCardInfo = {
	.name = "NetworkCardInfo",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_NetworkCardInfo
};

static const struct shape ec2_NetworkCardInfoList = {
	.name = "NetworkCardInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkCardInfo,
	.item_xml = "item"
};

static const struct shape ec2_MaxIpv4AddrPerInterface = {
	.name = "MaxIpv4AddrPerInterface",
	.kind = SHAPE_INT
};

static const struct shape ec2_MaxIpv6AddrPerInterface = {
	.name = "MaxIpv6AddrPerInterface",
	.kind = SHAPE_INT
};

static const struct shape ec2_Ipv6Flag = {
	.name = "Ipv6Flag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_EnaSupport = {
	.name = "EnaSupport",
	.kind = SHAPE_STRING
};

static const struct shape ec2_EfaSupportedFlag = {
	.name = "EfaSupportedFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_MaximumEfaInterfaces = {
	.name = "MaximumEfaInterfaces",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_EfaInfo[] = {
	{ "MaximumEfaInterfaces", "MaximumEfaInterfaces", "maximumEfaInterfaces", &ec2_MaximumEfaInterfaces, false },
};
static const struct shape ec2_EfaInfo = {
	.name = "EfaInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_EfaInfo
};

static const struct shape ec2_EncryptionInTransitSupported = {
	.name = "EncryptionInTransitSupported",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_EnaSrdSupported = {
	.name = "EnaSrdSupported",
	.kind = SHAPE_BOOL
};

static const struct shape_member members_ec2_NetworkInfo[] = {
	{ "NetworkPerformance", "NetworkPerformance", "networkPerformance", &ec2_NetworkPerformance, false },
	{ "MaximumNetworkInterfaces", "MaximumNetworkInterfaces", "maximumNetworkInterfaces", &ec2_MaxNetworkInterfaces, false },
	{ "MaximumNetworkCards", "MaximumNetworkCards", "maximumNetworkCards", &ec2_MaximumNetworkCards, false },
	{ "DefaultNetworkCardIndex", "DefaultNetworkCardIndex", "defaultNetworkCardIndex", &ec2_DefaultNetworkCardIndex, false },
	{ "NetworkCards", "NetworkCards", "networkCards", &ec2_NetworkCardInfoList, false },
	{ "Ipv4AddressesPerInterface", "Ipv4AddressesPerInterface", "ipv4AddressesPerInterface", &ec2_MaxIpv4AddrPerInterface, false },
	{ "Ipv6AddressesPerInterface", "Ipv6AddressesPerInterface", "ipv6AddressesPerInterface", &ec2_MaxIpv6AddrPerInterface, false },
	{ "Ipv6Supported", "Ipv6Supported", "ipv6Supported", &ec2_Ipv6Flag, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_EnaSupport, false },
	{ "EfaSupported", "EfaSupported", "efaSupported", &ec2_EfaSupportedFlag, false },
	{ "EfaInfo", "EfaInfo", "efaInfo", &ec2_EfaInfo, false },
	{ "EncryptionInTransitSupported", "EncryptionInTransitSupported", "encryptionInTransitSupported", &ec2_EncryptionInTransitSupported, false },
	{ "EnaSrdSupported", "EnaSrdSupported", "enaSrdSupported", &ec2_EnaSrdSupported, false },
};
static const struct shape ec2_NetworkInfo = {
	.name = "NetworkInfo",
	.kind = SHAPE_STRUCT,
	.n = 13,
	.members = members_ec2_NetworkInfo
};

static const struct shape ec2_GpuDeviceName = {
	.name = "GpuDeviceName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_GpuDeviceManufacturerName = {
	.name = "GpuDeviceManufacturerName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_GpuDeviceCount = {
	.name = "GpuDeviceCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_GpuDeviceMemorySize = {
	.name = "GpuDeviceMemorySize",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_GpuDeviceMemoryInfo[] = {
	{ "SizeInMiB", "SizeInMiB", "sizeInMiB", &ec2_GpuDeviceMemorySize, false },
};
static const struct shape ec2_GpuDeviceMemoryInfo = {
	.name = "GpuDeviceMemoryInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_GpuDeviceMemoryInfo
};

static const struct shape_member members_ec2_GpuDeviceInfo[] = {
	{ "Name", "Name", "name", &ec2_GpuDeviceName, false },
	{ "Manufacturer", "Manufacturer", "manufacturer", &ec2_GpuDeviceManufacturerName, false },
	{ "Count", "Count", "count", &ec2_GpuDeviceCount, false },
	{ "MemoryInfo", "MemoryInfo", "memoryInfo", &ec2_GpuDeviceMemoryInfo, false },
};
static const struct shape ec2_GpuDeviceInfo = {
	.name = "GpuDeviceInfo",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_GpuDeviceInfo
};

static const struct shape ec2_GpuDeviceInfoList = {
	.name = "GpuDeviceInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_GpuDeviceInfo,
	.item_xml = "item"
};

static const struct shape ec2_totalGpuMemory = {
	.name = "totalGpuMemory",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_GpuInfo[] = {
	{ "Gpus", "Gpus", "gpus", &ec2_GpuDeviceInfoList, false },
	{ "TotalGpuMemoryInMiB", "TotalGpuMemoryInMiB", "totalGpuMemoryInMiB", &ec2_totalGpuMemory, false },
};
static const struct shape ec2_GpuInfo = {
	.name = "GpuInfo",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_GpuInfo
};

static const struct shape ec2_FpgaDeviceName = {
	.name = "FpgaDeviceName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_FpgaDeviceManufacturerName = {
	.name = "FpgaDeviceManufacturerName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_FpgaDeviceCount = {
	.name = "FpgaDeviceCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_FpgaDeviceMemorySize = {
	.name = "FpgaDeviceMemorySize",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_FpgaDeviceMemoryInfo[] = {
	{ "SizeInMiB", "SizeInMiB", "sizeInMiB", &ec2_FpgaDeviceMemorySize, false },
};
static const struct shape ec2_FpgaDeviceMemoryInfo = {
	.name = "FpgaDeviceMemoryInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_FpgaDeviceMemoryInfo
};

static const struct shape_member members_ec2_FpgaDeviceInfo[] = {
	{ "Name", "Name", "name", &ec2_FpgaDeviceName, false },
	{ "Manufacturer", "Manufacturer", "manufacturer", &ec2_FpgaDeviceManufacturerName, false },
	{ "Count", "Count", "count", &ec2_FpgaDeviceCount, false },
	{ "MemoryInfo", "MemoryInfo", "memoryInfo", &ec2_FpgaDeviceMemoryInfo, false },
};
static const struct shape ec2_FpgaDeviceInfo = {
	.name = "FpgaDeviceInfo",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_FpgaDeviceInfo
};

static const struct shape ec2_FpgaDeviceInfoList = {
	.name = "FpgaDeviceInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_FpgaDeviceInfo,
	.item_xml = "item"
};

static const struct shape ec2_totalFpgaMemory = {
	.name = "totalFpgaMemory",
	.kind = SHAPE_INT
};

static const struct shape_member members_ec2_FpgaInfo[] = {
	{ "Fpgas", "Fpgas", "fpgas", &ec2_FpgaDeviceInfoList, false },
	{ "TotalFpgaMemoryInMiB", "TotalFpgaMemoryInMiB", "totalFpgaMemoryInMiB", &ec2_totalFpgaMemory, false },
};
static const struct shape ec2_FpgaInfo = {
	.name = "FpgaInfo",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_FpgaInfo
};

static const struct shape ec2_PlacementGroupStrategy = {
	.name = "PlacementGroupStrategy",
	.kind = SHAPE_STRING
};

static const struct shape ec2_PlacementGroupStrategyList = {
	.name = "PlacementGroupStrategyList",
	.kind = SHAPE_LIST,
	.item = &ec2_PlacementGroupStrategy,
	.item_xml = "item"
};

static const struct shape_member members_ec2_PlacementGroupInfo[] = {
	{ "SupportedStrategies", "SupportedStrategies", "supportedStrategies", &ec2_PlacementGroupStrategyList, false },
};
static const struct shape ec2_PlacementGroupInfo = {
	.name = "PlacementGroupInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_PlacementGroupInfo
};

static const struct shape ec2_InferenceDeviceCount = {
	.name = "InferenceDeviceCount",
	.kind = SHAPE_INT
};

static const struct shape ec2_InferenceDeviceName = {
	.name = "InferenceDeviceName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_InferenceDeviceManufacturerName = {
	.name = "InferenceDeviceManufacturerName",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_InferenceDeviceInfo[] = {
	{ "Count", "Count", "count", &ec2_InferenceDeviceCount, false },
	{ "Name", "Name", "name", &ec2_InferenceDeviceName, false },
	{ "Manufacturer", "Manufacturer", "manufacturer", &ec2_InferenceDeviceManufacturerName, false },
};
static const struct shape ec2_InferenceDeviceInfo = {
	.name = "InferenceDeviceInfo",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_InferenceDeviceInfo
};

static const struct shape ec2_InferenceDeviceInfoList = {
	.name = "InferenceDeviceInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_InferenceDeviceInfo,
	.item_xml = "member"
};

static const struct shape_member members_ec2_InferenceAcceleratorInfo[] = {
	{ "Accelerators", "Accelerators", "accelerators", &ec2_InferenceDeviceInfoList, false },
};
static const struct shape ec2_InferenceAcceleratorInfo = {
	.name = "InferenceAcceleratorInfo",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InferenceAcceleratorInfo
};

static const struct shape ec2_HibernationFlag = {
	.name = "HibernationFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_BurstablePerformanceFlag = {
	.name = "BurstablePerformanceFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_DedicatedHostFlag = {
	.name = "DedicatedHostFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_AutoRecoveryFlag = {
	.name = "AutoRecoveryFlag",
	.kind = SHAPE_BOOL
};

static const struct shape ec2_BootModeType = {
	.name = "BootModeType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_BootModeTypeList = {
	.name = "BootModeTypeList",
	.kind = SHAPE_LIST,
	.item = &ec2_BootModeType,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceTypeInfo[] = {
	{ "InstanceType", "InstanceType", "instanceType", &ec2_InstanceType, false },
	{ "CurrentGeneration", "CurrentGeneration", "currentGeneration", &ec2_CurrentGenerationFlag, false },
	{ "FreeTierEligible", "FreeTierEligible", "freeTierEligible", &ec2_FreeTierEligibleFlag, false },
	{ "SupportedUsageClasses", "SupportedUsageClasses", "supportedUsageClasses", &ec2_UsageClassTypeList, false },
	{ "SupportedRootDeviceTypes", "SupportedRootDeviceTypes", "supportedRootDeviceTypes", &ec2_RootDeviceTypeList, false },
	{ "SupportedVirtualizationTypes", "SupportedVirtualizationTypes", "supportedVirtualizationTypes", &ec2_VirtualizationTypeList, false },
	{ "BareMetal", "BareMetal", "bareMetal", &ec2_BareMetalFlag, false },
	{ "Hypervisor", "Hypervisor", "hypervisor", &ec2_InstanceTypeHypervisor, false },
	{ "ProcessorInfo", "ProcessorInfo", "processorInfo", &ec2_ProcessorInfo, false },
	{ "VCpuInfo", "VCpuInfo", "vCpuInfo", &ec2_VCpuInfo, false },
	{ "MemoryInfo", "MemoryInfo", "memoryInfo", &ec2_MemoryInfo, false },
	{ "InstanceStorageSupported", "InstanceStorageSupported", "instanceStorageSupported", &ec2_InstanceStorageFlag, false },
	{ "InstanceStorageInfo", "InstanceStorageInfo", "instanceStorageInfo", &ec2_InstanceStorageInfo, false },
	{ "EbsInfo", "EbsInfo", "ebsInfo", &ec2_EbsInfo, false },
	{ "NetworkInfo", "NetworkInfo", "networkInfo", &ec2_NetworkInfo, false },
	{ "GpuInfo", "GpuInfo", "gpuInfo", &ec2_GpuInfo, false },
	{ "FpgaInfo", "FpgaInfo", "fpgaInfo", &ec2_FpgaInfo, false },
	{ "PlacementGroupInfo", "PlacementGroupInfo", "placementGroupInfo", &ec2_PlacementGroupInfo, false },
	{ "InferenceAcceleratorInfo", "InferenceAcceleratorInfo", "inferenceAcceleratorInfo", &ec2_InferenceAcceleratorInfo, false },
	{ "HibernationSupported", "HibernationSupported", "hibernationSupported", &ec2_HibernationFlag, false },
	{ "BurstablePerformanceSupported", "BurstablePerformanceSupported", "burstablePerformanceSupported", &ec2_BurstablePerformanceFlag, false },
	{ "DedicatedHostsSupported", "DedicatedHostsSupported", "dedicatedHostsSupported", &ec2_DedicatedHostFlag, false },
	{ "AutoRecoverySupported", "AutoRecoverySupported", "autoRecoverySupported", &ec2_AutoRecoveryFlag, false },
	{ "SupportedBootModes", "SupportedBootModes", "supportedBootModes", &ec2_BootModeTypeList, false },
};
static const struct shape ec2_InstanceTypeInfo = {
	.name = "InstanceTypeInfo",
	.kind = SHAPE_STRUCT,
	.n = 24,
	.members = members_ec2_InstanceTypeInfo
};

static const struct shape ec2_InstanceTypeInfoList = {
	.name = "InstanceTypeInfoList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceTypeInfo,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInstanceTypesResult[] = {
	{ "InstanceTypes", "InstanceTypeSet", "instanceTypeSet", &ec2_InstanceTypeInfoList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_NextToken, false },
};
const struct shape ec2_DescribeInstanceTypesResult = {
	.name = "DescribeInstanceTypesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInstanceTypesResult
};

static const struct shape_member members_ec2_DescribeInstancesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "MaxResults", "MaxResults", "maxResults", &ec2_Integer, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInstancesRequest = {
	.name = "DescribeInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeInstancesRequest
};

static const struct shape ec2_MonitoringState = {
	.name = "MonitoringState",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_Monitoring[] = {
	{ "State", "State", "state", &ec2_MonitoringState, false },
};
static const struct shape ec2_Monitoring = {
	.name = "Monitoring",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_Monitoring
};

static const struct shape ec2_PlacementGroupName = {
	.name = "PlacementGroupName",
	.kind = SHAPE_STRING
};

static const struct shape ec2_PlacementGroupId = {
	.name = "PlacementGroupId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_Placement[] = {
	{ "AvailabilityZone", "AvailabilityZone", "availabilityZone", &ec2_String, false },
	{ "Affinity", "Affinity", "affinity", &ec2_String, false },
	{ "GroupName", "GroupName", "groupName", &ec2_PlacementGroupName, false },
	{ "PartitionNumber", "PartitionNumber", "partitionNumber", &ec2_Integer, false },
	{ "HostId", "HostId", "hostId", &ec2_String, false },
	{ "Tenancy", "Tenancy", "tenancy", &ec2_Tenancy, false },
	{ "SpreadDomain", "SpreadDomain", "spreadDomain", &ec2_String, false },
	{ "HostResourceGroupArn", "HostResourceGroupArn", "hostResourceGroupArn", &ec2_String, false },
	{ "GroupId", "GroupId", "groupId", &ec2_PlacementGroupId, false },
};
static const struct shape ec2_Placement = {
	.name = "Placement",
	.kind = SHAPE_STRUCT,
	.n = 9,
	.members = members_ec2_Placement
};

static const struct shape ec2_InstanceLifecycleType = {
	.name = "InstanceLifecycleType",
	.kind = SHAPE_STRING
};

static const struct shape ec2_ElasticGpuId = {
	.name = "ElasticGpuId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_ElasticGpuAssociation[] = {
	{ "ElasticGpuId", "ElasticGpuId", "elasticGpuId", &ec2_ElasticGpuId, false },
	{ "ElasticGpuAssociationId", "ElasticGpuAssociationId", "elasticGpuAssociationId", &ec2_String, false },
	{ "ElasticGpuAssociationState", "ElasticGpuAssociationState", "elasticGpuAssociationState", &ec2_String, false },
	{ "ElasticGpuAssociationTime", "ElasticGpuAssociationTime", "elasticGpuAssociationTime", &ec2_String, false },
};
static const struct shape ec2_ElasticGpuAssociation = {
	.name = "ElasticGpuAssociation",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_ElasticGpuAssociation
};

static const struct shape ec2_ElasticGpuAssociationList = {
	.name = "ElasticGpuAssociationList",
	.kind = SHAPE_LIST,
	.item = &ec2_ElasticGpuAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_ElasticInferenceAcceleratorAssociation[] = {
	{ "ElasticInferenceAcceleratorArn", "ElasticInferenceAcceleratorArn", "elasticInferenceAcceleratorArn", &ec2_String, false },
	{ "ElasticInferenceAcceleratorAssociationId", "ElasticInferenceAcceleratorAssociationId", "elasticInferenceAcceleratorAssociationId", &ec2_String, false },
	{ "ElasticInferenceAcceleratorAssociationState", "ElasticInferenceAcceleratorAssociationState", "elasticInferenceAcceleratorAssociationState", &ec2_String, false },
	{ "ElasticInferenceAcceleratorAssociationTime", "ElasticInferenceAcceleratorAssociationTime", "elasticInferenceAcceleratorAssociationTime", &ec2_DateTime, false },
};
static const struct shape ec2_ElasticInferenceAcceleratorAssociation = {
	.name = "ElasticInferenceAcceleratorAssociation",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_ElasticInferenceAcceleratorAssociation
};

static const struct shape ec2_ElasticInferenceAcceleratorAssociationList = {
	.name = "ElasticInferenceAcceleratorAssociationList",
	.kind = SHAPE_LIST,
	.item = &ec2_ElasticInferenceAcceleratorAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceNetworkInterfaceAssociation[] = {
	{ "CarrierIp", "CarrierIp", "carrierIp", &ec2_String, false },
	{ "CustomerOwnedIp", "CustomerOwnedIp", "customerOwnedIp", &ec2_String, false },
	{ "IpOwnerId", "IpOwnerId", "ipOwnerId", &ec2_String, false },
	{ "PublicDnsName", "PublicDnsName", "publicDnsName", &ec2_String, false },
	{ "PublicIp", "PublicIp", "publicIp", &ec2_String, false },
};
static const struct shape ec2_InstanceNetworkInterfaceAssociation = {
	.name = "InstanceNetworkInterfaceAssociation",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_InstanceNetworkInterfaceAssociation
};

static const struct shape_member members_ec2_InstanceNetworkInterfaceAttachment[] = {
	{ "AttachTime", "AttachTime", "attachTime", &ec2_DateTime, false },
	{ "AttachmentId", "AttachmentId", "attachmentId", &ec2_String, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "DeviceIndex", "DeviceIndex", "deviceIndex", &ec2_Integer, false },
	{ "Status", "Status", "status", &ec2_AttachmentStatus, false },
	{ "NetworkCardIndex", "NetworkCardIndex", "networkCardIndex", &ec2_Integer, false },
};
static const struct shape ec2_InstanceNetworkInterfaceAttachment = {
	.name = "InstanceNetworkInterfaceAttachment",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_InstanceNetworkInterfaceAttachment
};

static const struct shape_member members_ec2_InstancePrivateIpAddress[] = {
	{ "Association", "Association", "association", &ec2_InstanceNetworkInterfaceAssociation, false },
	{ "Primary", "Primary", "primary", &ec2_Boolean, false },
	{ "PrivateDnsName", "PrivateDnsName", "privateDnsName", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
};
static const struct shape ec2_InstancePrivateIpAddress = {
	.name = "InstancePrivateIpAddress",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_InstancePrivateIpAddress
};

static const struct shape ec2_InstancePrivateIpAddressList = {
	.name = "InstancePrivateIpAddressList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstancePrivateIpAddress,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceIpv4Prefix[] = {
	{ "Ipv4Prefix", "Ipv4Prefix", "ipv4Prefix", &ec2_String, false },
};
static const struct shape ec2_InstanceIpv4Prefix = {
	.name = "InstanceIpv4Prefix",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InstanceIpv4Prefix
};

static const struct shape ec2_InstanceIpv4PrefixList = {
	.name = "InstanceIpv4PrefixList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceIpv4Prefix,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceIpv6Prefix[] = {
	{ "Ipv6Prefix", "Ipv6Prefix", "ipv6Prefix", &ec2_String, false },
};
static const struct shape ec2_InstanceIpv6Prefix = {
	.name = "InstanceIpv6Prefix",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InstanceIpv6Prefix
};

static const struct shape ec2_InstanceIpv6PrefixList = {
	.name = "InstanceIpv6PrefixList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceIpv6Prefix,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceNetworkInterface[] = {
	{ "Association", "Association", "association", &ec2_InstanceNetworkInterfaceAssociation, false },
	{ "Attachment", "Attachment", "attachment", &ec2_InstanceNetworkInterfaceAttachment, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "Groups", "GroupSet", "groupSet", &ec2_GroupIdentifierList, false },
	{ "Ipv6Addresses", "Ipv6AddressesSet", "ipv6AddressesSet", &ec2_InstanceIpv6AddressList, false },
	{ "MacAddress", "MacAddress", "macAddress", &ec2_String, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "PrivateDnsName", "PrivateDnsName", "privateDnsName", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "PrivateIpAddresses", "PrivateIpAddressesSet", "privateIpAddressesSet", &ec2_InstancePrivateIpAddressList, false },
	{ "SourceDestCheck", "SourceDestCheck", "sourceDestCheck", &ec2_Boolean, false },
	{ "Status", "Status", "status", &ec2_NetworkInterfaceStatus, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "InterfaceType", "InterfaceType", "interfaceType", &ec2_String, false },
	{ "Ipv4Prefixes", "Ipv4PrefixSet", "ipv4PrefixSet", &ec2_InstanceIpv4PrefixList, false },
	{ "Ipv6Prefixes", "Ipv6PrefixSet", "ipv6PrefixSet", &ec2_InstanceIpv6PrefixList, false },
};
static const struct shape ec2_InstanceNetworkInterface = {
	.name = "InstanceNetworkInterface",
	.kind = SHAPE_STRUCT,
	.n = 18,
	.members = members_ec2_InstanceNetworkInterface
};

static const struct shape ec2_InstanceNetworkInterfaceList = {
	.name = "InstanceNetworkInterfaceList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceNetworkInterface,
	.item_xml = "item"
};

static const struct shape_member members_ec2_CpuOptions[] = {
	{ "CoreCount", "CoreCount", "coreCount", &ec2_Integer, false },
	{ "ThreadsPerCore", "ThreadsPerCore", "threadsPerCore", &ec2_Integer, false },
};
static const struct shape ec2_CpuOptions = {
	.name = "CpuOptions",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CpuOptions
};

static const char *const words_ec2_CapacityReservationPreference[] = {
	"open", "none",
};
static const struct shape ec2_CapacityReservationPreference = {
	.name = "CapacityReservationPreference",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_CapacityReservationPreference
};

static const struct shape_member members_ec2_CapacityReservationTargetResponse[] = {
	{ "CapacityReservationId", "CapacityReservationId", "capacityReservationId", &ec2_String, false },
	{ "CapacityReservationResourceGroupArn", "CapacityReservationResourceGroupArn", "capacityReservationResourceGroupArn", &ec2_String, false },
};
static const struct shape ec2_CapacityReservationTargetResponse = {
	.name = "CapacityReservationTargetResponse",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CapacityReservationTargetResponse
};

static const struct shape_member members_ec2_CapacityReservationSpecificationResponse[] = {
	{ "CapacityReservationPreference", "CapacityReservationPreference", "capacityReservationPreference", &ec2_CapacityReservationPreference, false },
	{ "CapacityReservationTarget", "CapacityReservationTarget", "capacityReservationTarget", &ec2_CapacityReservationTargetResponse, false },
};
static const struct shape ec2_CapacityReservationSpecificationResponse = {
	.name = "CapacityReservationSpecificationResponse",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CapacityReservationSpecificationResponse
};

static const struct shape_member members_ec2_HibernationOptions[] = {
	{ "Configured", "Configured", "configured", &ec2_Boolean, false },
};
static const struct shape ec2_HibernationOptions = {
	.name = "HibernationOptions",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_HibernationOptions
};

static const struct shape_member members_ec2_LicenseConfiguration[] = {
	{ "LicenseConfigurationArn", "LicenseConfigurationArn", "licenseConfigurationArn", &ec2_String, false },
};
static const struct shape ec2_LicenseConfiguration = {
	.name = "LicenseConfiguration",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_LicenseConfiguration
};

static const struct shape ec2_LicenseList = {
	.name = "LicenseList",
	.kind = SHAPE_LIST,
	.item = &ec2_LicenseConfiguration,
	.item_xml = "item"
};

static const struct shape ec2_InstanceMetadataOptionsState = {
	.name = "InstanceMetadataOptionsState",
	.kind = SHAPE_STRING
};

static const char *const words_ec2_HttpTokensState[] = {
	"optional", "required",
};
static const struct shape ec2_HttpTokensState = {
	.name = "HttpTokensState",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_HttpTokensState
};

static const char *const words_ec2_InstanceMetadataEndpointState[] = {
	"disabled", "enabled",
};
static const struct shape ec2_InstanceMetadataEndpointState = {
	.name = "InstanceMetadataEndpointState",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_InstanceMetadataEndpointState
};

static const char *const words_ec2_InstanceMetadataProtocolState[] = {
	"disabled", "enabled",
};
static const struct shape ec2_InstanceMetadataProtocolState = {
	.name = "InstanceMetadataProtocolState",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_InstanceMetadataProtocolState
};

static const char *const words_ec2_InstanceMetadataTagsState[] = {
	"disabled", "enabled",
};
static const struct shape ec2_InstanceMetadataTagsState = {
	.name = "InstanceMetadataTagsState",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_InstanceMetadataTagsState
};

static const struct shape_member members_ec2_InstanceMetadataOptionsResponse[] = {
	{ "State", "State", "state", &ec2_InstanceMetadataOptionsState, false },
	{ "HttpTokens", "HttpTokens", "httpTokens", &ec2_HttpTokensState, false },
	{ "HttpPutResponseHopLimit", "HttpPutResponseHopLimit", "httpPutResponseHopLimit", &ec2_Integer, false },
	{ "HttpEndpoint", "HttpEndpoint", "httpEndpoint", &ec2_InstanceMetadataEndpointState, false },
	{ "HttpProtocolIpv6", "HttpProtocolIpv6", "httpProtocolIpv6", &ec2_InstanceMetadataProtocolState, false },
	{ "InstanceMetadataTags", "InstanceMetadataTags", "instanceMetadataTags", &ec2_InstanceMetadataTagsState, false },
};
static const struct shape ec2_InstanceMetadataOptionsResponse = {
	.name = "InstanceMetadataOptionsResponse",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_InstanceMetadataOptionsResponse
};

static const struct shape ec2_MillisecondDateTime = {
	.name = "MillisecondDateTime",
	.kind = SHAPE_TIME
};

static const struct shape_member members_ec2_PrivateDnsNameOptionsResponse[] = {
	{ "HostnameType", "HostnameType", "hostnameType", &ec2_HostnameType, false },
	{ "EnableResourceNameDnsARecord", "EnableResourceNameDnsARecord", "enableResourceNameDnsARecord", &ec2_Boolean, false },
	{ "EnableResourceNameDnsAAAARecord", "EnableResourceNameDnsAAAARecord", "enableResourceNameDnsAAAARecord", &ec2_Boolean, false },
};
static const struct shape ec2_PrivateDnsNameOptionsResponse = {
	.name = "PrivateDnsNameOptionsResponse",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_PrivateDnsNameOptionsResponse
};

static const char *const words_ec2_InstanceAutoRecoveryState[] = {
	"disabled", "default",
};
static const struct shape ec2_InstanceAutoRecoveryState = {
	.name = "InstanceAutoRecoveryState",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_InstanceAutoRecoveryState
};

static const struct shape_member members_ec2_InstanceMaintenanceOptions[] = {
	{ "AutoRecovery", "AutoRecovery", "autoRecovery", &ec2_InstanceAutoRecoveryState, false },
};
static const struct shape ec2_InstanceMaintenanceOptions = {
	.name = "InstanceMaintenanceOptions",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InstanceMaintenanceOptions
};

static const struct shape_member members_ec2_Instance[] = {
	{ "AmiLaunchIndex", "AmiLaunchIndex", "amiLaunchIndex", &ec2_Integer, false },
	{ "ImageId", "ImageId", "imageId", &ec2_String, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceType", "InstanceType", "instanceType", &ec2_InstanceType, false },
	{ "KernelId", "KernelId", "kernelId", &ec2_String, false },
	{ "KeyName", "KeyName", "keyName", &ec2_String, false },
	{ "LaunchTime", "LaunchTime", "launchTime", &ec2_DateTime, false },
	{ "Monitoring", "Monitoring", "monitoring", &ec2_Monitoring, false },
	{ "Placement", "Placement", "placement", &ec2_Placement, false },
	{ "Platform", "Platform", "platform", &ec2_PlatformValues, false },
	{ "PrivateDnsName", "PrivateDnsName", "privateDnsName", &ec2_String, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "ProductCodes", "ProductCodes", "productCodes", &ec2_ProductCodeList, false },
	{ "PublicDnsName", "DnsName", "dnsName", &ec2_String, false },
	{ "PublicIpAddress", "IpAddress", "ipAddress", &ec2_String, false },
	{ "RamdiskId", "RamdiskId", "ramdiskId", &ec2_String, false },
	{ "State", "InstanceState", "instanceState", &ec2_InstanceState, false },
	{ "StateTransitionReason", "Reason", "reason", &ec2_String, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "Architecture", "Architecture", "architecture", &ec2_ArchitectureValues, false },
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_InstanceBlockDeviceMappingList, false },
	{ "ClientToken", "ClientToken", "clientToken", &ec2_String, false },
	{ "EbsOptimized", "EbsOptimized", "ebsOptimized", &ec2_Boolean, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_Boolean, false },
	{ "Hypervisor", "Hypervisor", "hypervisor", &ec2_HypervisorType, false },
	{ "IamInstanceProfile", "IamInstanceProfile", "iamInstanceProfile", &ec2_IamInstanceProfile, false },
	{ "InstanceLifecycle", "InstanceLifecycle", "instanceLifecycle", &ec2_InstanceLifecycleType, false },
	{ "ElasticGpuAssociations", "ElasticGpuAssociationSet", "elasticGpuAssociationSet", &ec2_ElasticGpuAssociationList, false },
	{ "ElasticInferenceAcceleratorAssociations", "ElasticInferenceAcceleratorAssociationSet", "elasticInferenceAcceleratorAssociationSet", &ec2_ElasticInferenceAcceleratorAssociationList, false },
	{ "NetworkInterfaces", "NetworkInterfaceSet", "networkInterfaceSet", &ec2_InstanceNetworkInterfaceList, false },
	{ "OutpostArn", "OutpostArn", "outpostArn", &ec2_String, false },
	{ "RootDeviceName", "RootDeviceName", "rootDeviceName", &ec2_String, false },
	{ "RootDeviceType", "RootDeviceType", "rootDeviceType", &ec2_DeviceType, false },
	{ "SecurityGroups", "GroupSet", "groupSet", &ec2_GroupIdentifierList, false },
	{ "SourceDestCheck", "SourceDestCheck", "sourceDestCheck", &ec2_Boolean, false },
	{ "SpotInstanceRequestId", "SpotInstanceRequestId", "spotInstanceRequestId", &ec2_String, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_String, false },
	{ "StateReason", "StateReason", "stateReason", &ec2_StateReason, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VirtualizationType", "VirtualizationType", "virtualizationType", &ec2_VirtualizationType, false },
	{ "CpuOptions", "CpuOptions", "cpuOptions", &ec2_CpuOptions, false },
	{ "CapacityReservationId", "CapacityReservationId", "capacityReservationId", &ec2_String, false },
	{ "CapacityReservationSpecification", "CapacityReservationSpecification", "capacityReservationSpecification", &ec2_CapacityReservationSpecificationResponse, false },
	{ "HibernationOptions", "HibernationOptions", "hibernationOptions", &ec2_HibernationOptions, false },
	{ "Licenses", "LicenseSet", "licenseSet", &ec2_LicenseList, false },
	{ "MetadataOptions", "MetadataOptions", "metadataOptions", &ec2_InstanceMetadataOptionsResponse, false },
	{ "EnclaveOptions", "EnclaveOptions", "enclaveOptions", &ec2_EnclaveOptions, false },
	{ "BootMode", "BootMode", "bootMode", &ec2_BootModeValues, false },
	{ "PlatformDetails", "PlatformDetails", "platformDetails", &ec2_String, false },
	{ "UsageOperation", "UsageOperation", "usageOperation", &ec2_String, false },
	{ "UsageOperationUpdateTime", "UsageOperationUpdateTime", "usageOperationUpdateTime", &ec2_MillisecondDateTime, false },
	{ "PrivateDnsNameOptions", "PrivateDnsNameOptions", "privateDnsNameOptions", &ec2_PrivateDnsNameOptionsResponse, false },
	{ "Ipv6Address", "Ipv6Address", "ipv6Address", &ec2_String, false },
	{ "TpmSupport", "TpmSupport", "tpmSupport", &ec2_String, false },
	{ "MaintenanceOptions", "MaintenanceOptions", "maintenanceOptions", &ec2_InstanceMaintenanceOptions, false },
};
static const struct shape ec2_Instance = {
	.name = "Instance",
	.kind = SHAPE_STRUCT,
	.n = 56,
	.members = members_ec2_Instance
};

static const struct shape ec2_InstanceList = {
	.name = "InstanceList",
	.kind = SHAPE_LIST,
	.item = &ec2_Instance,
	.item_xml = "item"
};

static const struct shape_member members_ec2_Reservation[] = {
	{ "Groups", "GroupSet", "groupSet", &ec2_GroupIdentifierList, false },
	{ "Instances", "InstancesSet", "instancesSet", &ec2_InstanceList, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "RequesterId", "RequesterId", "requesterId", &ec2_String, false },
	{ "ReservationId", "ReservationId", "reservationId", &ec2_String, false },
};
const struct shape ec2_Reservation = {
	.name = "Reservation",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_Reservation
};

static const struct shape ec2_ReservationList = {
	.name = "ReservationList",
	.kind = SHAPE_LIST,
	.item = &ec2_Reservation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInstancesResult[] = {
	{ "Reservations", "ReservationSet", "reservationSet", &ec2_ReservationList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInstancesResult = {
	.name = "DescribeInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInstancesResult
};

static const struct shape ec2_InternetGatewayIdList = {
	.name = "InternetGatewayIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_InternetGatewayId,
	.item_xml = "item"
};

static const struct shape ec2_DescribeInternetGatewaysMaxResults = {
	.name = "DescribeInternetGatewaysMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeInternetGatewaysRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InternetGatewayIds", "InternetGatewayId", "internetGatewayId", &ec2_InternetGatewayIdList, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeInternetGatewaysMaxResults, false },
};
const struct shape ec2_DescribeInternetGatewaysRequest = {
	.name = "DescribeInternetGatewaysRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeInternetGatewaysRequest
};

static const struct shape ec2_InternetGatewayList = {
	.name = "InternetGatewayList",
	.kind = SHAPE_LIST,
	.item = &ec2_InternetGateway,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeInternetGatewaysResult[] = {
	{ "InternetGateways", "InternetGatewaySet", "internetGatewaySet", &ec2_InternetGatewayList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeInternetGatewaysResult = {
	.name = "DescribeInternetGatewaysResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeInternetGatewaysResult
};

static const struct shape ec2_KeyNameStringList = {
	.name = "KeyNameStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_KeyPairName,
	.item_xml = "KeyName"
};

static const struct shape ec2_KeyPairIdStringList = {
	.name = "KeyPairIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_KeyPairId,
	.item_xml = "KeyPairId"
};

static const struct shape_member members_ec2_DescribeKeyPairsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "KeyNames", "KeyName", "KeyName", &ec2_KeyNameStringList, false },
	{ "KeyPairIds", "KeyPairId", "KeyPairId", &ec2_KeyPairIdStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "IncludePublicKey", "IncludePublicKey", "IncludePublicKey", &ec2_Boolean, false },
};
const struct shape ec2_DescribeKeyPairsRequest = {
	.name = "DescribeKeyPairsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeKeyPairsRequest
};

static const struct shape_member members_ec2_KeyPairInfo[] = {
	{ "KeyPairId", "KeyPairId", "keyPairId", &ec2_String, false },
	{ "KeyFingerprint", "KeyFingerprint", "keyFingerprint", &ec2_String, false },
	{ "KeyName", "KeyName", "keyName", &ec2_String, false },
	{ "KeyType", "KeyType", "keyType", &ec2_KeyType, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "PublicKey", "PublicKey", "publicKey", &ec2_String, false },
	{ "CreateTime", "CreateTime", "createTime", &ec2_MillisecondDateTime, false },
};
static const struct shape ec2_KeyPairInfo = {
	.name = "KeyPairInfo",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_KeyPairInfo
};

static const struct shape ec2_KeyPairList = {
	.name = "KeyPairList",
	.kind = SHAPE_LIST,
	.item = &ec2_KeyPairInfo,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeKeyPairsResult[] = {
	{ "KeyPairs", "KeySet", "keySet", &ec2_KeyPairList, false },
};
const struct shape ec2_DescribeKeyPairsResult = {
	.name = "DescribeKeyPairsResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_DescribeKeyPairsResult
};

static const struct shape ec2_NetworkAclId = {
	.name = "NetworkAclId",
	.kind = SHAPE_STRING,
	.id_prefix = "acl",
	.id_code = "InvalidNetworkAclId"
};

static const struct shape ec2_NetworkAclIdStringList = {
	.name = "NetworkAclIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkAclId,
	.item_xml = "item"
};

static const struct shape ec2_DescribeNetworkAclsMaxResults = {
	.name = "DescribeNetworkAclsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeNetworkAclsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NetworkAclIds", "NetworkAclId", "NetworkAclId", &ec2_NetworkAclIdStringList, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeNetworkAclsMaxResults, false },
};
const struct shape ec2_DescribeNetworkAclsRequest = {
	.name = "DescribeNetworkAclsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeNetworkAclsRequest
};

static const struct shape_member members_ec2_NetworkAclAssociation[] = {
	{ "NetworkAclAssociationId", "NetworkAclAssociationId", "networkAclAssociationId", &ec2_String, false },
	{ "NetworkAclId", "NetworkAclId", "networkAclId", &ec2_String, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
};
static const struct shape ec2_NetworkAclAssociation = {
	.name = "NetworkAclAssociation",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_NetworkAclAssociation
};

static const struct shape ec2_NetworkAclAssociationList = {
	.name = "NetworkAclAssociationList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkAclAssociation,
	.item_xml = "item"
};

static const struct shape_member members_ec2_IcmpTypeCode[] = {
	{ "Code", "Code", "code", &ec2_Integer, false },
	{ "Type", "Type", "type", &ec2_Integer, false },
};
static const struct shape ec2_IcmpTypeCode = {
	.name = "IcmpTypeCode",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_IcmpTypeCode
};

static const struct shape_member members_ec2_PortRange[] = {
	{ "From", "From", "from", &ec2_Integer, false },
	{ "To", "To", "to", &ec2_Integer, false },
};
static const struct shape ec2_PortRange = {
	.name = "PortRange",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_PortRange
};

static const struct shape ec2_RuleAction = {
	.name = "RuleAction",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_NetworkAclEntry[] = {
	{ "CidrBlock", "CidrBlock", "cidrBlock", &ec2_String, false },
	{ "Egress", "Egress", "egress", &ec2_Boolean, false },
	{ "IcmpTypeCode", "IcmpTypeCode", "icmpTypeCode", &ec2_IcmpTypeCode, false },
	{ "Ipv6CidrBlock", "Ipv6CidrBlock", "ipv6CidrBlock", &ec2_String, false },
	{ "PortRange", "PortRange", "portRange", &ec2_PortRange, false },
	{ "Protocol", "Protocol", "protocol", &ec2_String, false },
	{ "RuleAction", "RuleAction", "ruleAction", &ec2_RuleAction, false },
	{ "RuleNumber", "RuleNumber", "ruleNumber", &ec2_Integer, false },
};
static const struct shape ec2_NetworkAclEntry = {
	.name = "NetworkAclEntry",
	.kind = SHAPE_STRUCT,
	.n = 8,
	.members = members_ec2_NetworkAclEntry
};

static const struct shape ec2_NetworkAclEntryList = {
	.name = "NetworkAclEntryList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkAclEntry,
	.item_xml = "item"
};

static const struct shape_member members_ec2_NetworkAcl[] = {
	{ "Associations", "AssociationSet", "associationSet", &ec2_NetworkAclAssociationList, false },
	{ "Entries", "EntrySet", "entrySet", &ec2_NetworkAclEntryList, false },
	{ "IsDefault", "Default", "default", &ec2_Boolean, false },
	{ "NetworkAclId", "NetworkAclId", "networkAclId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
};
static const struct shape ec2_NetworkAcl = {
	.name = "NetworkAcl",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_NetworkAcl
};

static const struct shape ec2_NetworkAclList = {
	.name = "NetworkAclList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkAcl,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeNetworkAclsResult[] = {
	{ "NetworkAcls", "NetworkAclSet", "networkAclSet", &ec2_NetworkAclList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeNetworkAclsResult = {
	.name = "DescribeNetworkAclsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeNetworkAclsResult
};

static const struct shape ec2_NetworkInterfaceIdList = {
	.name = "NetworkInterfaceIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkInterfaceId,
	.item_xml = "item"
};

static const struct shape ec2_DescribeNetworkInterfacesMaxResults = {
	.name = "DescribeNetworkInterfacesMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeNetworkInterfacesRequest[] = {
	{ "Filters", "Filter", "filter", &ec2_FilterList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NetworkInterfaceIds", "NetworkInterfaceId", "NetworkInterfaceId", &ec2_NetworkInterfaceIdList, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeNetworkInterfacesMaxResults, false },
};
const struct shape ec2_DescribeNetworkInterfacesRequest = {
	.name = "DescribeNetworkInterfacesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeNetworkInterfacesRequest
};

static const struct shape ec2_NetworkInterfaceList = {
	.name = "NetworkInterfaceList",
	.kind = SHAPE_LIST,
	.item = &ec2_NetworkInterface,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeNetworkInterfacesResult[] = {
	{ "NetworkInterfaces", "NetworkInterfaceSet", "networkInterfaceSet", &ec2_NetworkInterfaceList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeNetworkInterfacesResult = {
	.name = "DescribeNetworkInterfacesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeNetworkInterfacesResult
};

static const struct shape ec2_RegionNameStringList = {
	.name = "RegionNameStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "RegionName"
};

static const struct shape_member members_ec2_DescribeRegionsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "RegionNames", "RegionName", "RegionName", &ec2_RegionNameStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "AllRegions", "AllRegions", "AllRegions", &ec2_Boolean, false },
};
const struct shape ec2_DescribeRegionsRequest = {
	.name = "DescribeRegionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DescribeRegionsRequest
};

static const struct shape_member members_ec2_Region[] = {
	{ "Endpoint", "RegionEndpoint", "regionEndpoint", &ec2_String, false },
	{ "RegionName", "RegionName", "regionName", &ec2_String, false },
	{ "OptInStatus", "OptInStatus", "optInStatus", &ec2_String, false },
};
static const struct shape ec2_Region = {
	.name = "Region",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_Region
};

static const struct shape ec2_RegionList = {
	.name = "RegionList",
	.kind = SHAPE_LIST,
	.item = &ec2_Region,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeRegionsResult[] = {
	{ "Regions", "RegionInfo", "regionInfo", &ec2_RegionList, false },
};
const struct shape ec2_DescribeRegionsResult = {
	.name = "DescribeRegionsResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_DescribeRegionsResult
};

static const struct shape ec2_RouteTableIdStringList = {
	.name = "RouteTableIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_RouteTableId,
	.item_xml = "item"
};

static const struct shape ec2_DescribeRouteTablesMaxResults = {
	.name = "DescribeRouteTablesMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 100
};

static const struct shape_member members_ec2_DescribeRouteTablesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "RouteTableIds", "RouteTableId", "RouteTableId", &ec2_RouteTableIdStringList, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeRouteTablesMaxResults, false },
};
const struct shape ec2_DescribeRouteTablesRequest = {
	.name = "DescribeRouteTablesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeRouteTablesRequest
};

static const struct shape ec2_RouteTableList = {
	.name = "RouteTableList",
	.kind = SHAPE_LIST,
	.item = &ec2_RouteTable,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeRouteTablesResult[] = {
	{ "RouteTables", "RouteTableSet", "routeTableSet", &ec2_RouteTableList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeRouteTablesResult = {
	.name = "DescribeRouteTablesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeRouteTablesResult
};

static const struct shape ec2_SecurityGroupRuleIdList = {
	.name = "SecurityGroupRuleIdList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "item"
};

static const struct shape ec2_DescribeSecurityGroupRulesMaxResults = {
	.name = "DescribeSecurityGroupRulesMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeSecurityGroupRulesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "SecurityGroupRuleIds", "SecurityGroupRuleId", "SecurityGroupRuleId", &ec2_SecurityGroupRuleIdList, false },
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeSecurityGroupRulesMaxResults, false },
};
const struct shape ec2_DescribeSecurityGroupRulesRequest = {
	.name = "DescribeSecurityGroupRulesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeSecurityGroupRulesRequest
};

static const struct shape_member members_ec2_DescribeSecurityGroupRulesResult[] = {
	{ "SecurityGroupRules", "SecurityGroupRuleSet", "securityGroupRuleSet", &ec2_SecurityGroupRuleList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeSecurityGroupRulesResult = {
	.name = "DescribeSecurityGroupRulesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeSecurityGroupRulesResult
};

static const struct shape ec2_GroupIdStringList = {
	.name = "GroupIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupId,
	.item_xml = "groupId"
};

static const struct shape ec2_GroupNameStringList = {
	.name = "GroupNameStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupName,
	.item_xml = "GroupName"
};

static const struct shape ec2_DescribeSecurityGroupsMaxResults = {
	.name = "DescribeSecurityGroupsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeSecurityGroupsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "GroupIds", "GroupId", "GroupId", &ec2_GroupIdStringList, false },
	{ "GroupNames", "GroupName", "GroupName", &ec2_GroupNameStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeSecurityGroupsMaxResults, false },
};
const struct shape ec2_DescribeSecurityGroupsRequest = {
	.name = "DescribeSecurityGroupsRequest",
	.kind = SHAPE_STRUCT,
	.n = 6,
	.members = members_ec2_DescribeSecurityGroupsRequest
};

static const struct shape_member members_ec2_SecurityGroup[] = {
	{ "Description", "GroupDescription", "groupDescription", &ec2_String, false },
	{ "GroupName", "GroupName", "groupName", &ec2_String, false },
	{ "IpPermissions", "IpPermissions", "ipPermissions", &ec2_IpPermissionList, false },
	{ "OwnerId", "OwnerId", "ownerId", &ec2_String, false },
	{ "GroupId", "GroupId", "groupId", &ec2_String, false },
	{ "IpPermissionsEgress", "IpPermissionsEgress", "ipPermissionsEgress", &ec2_IpPermissionList, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
};
static const struct shape ec2_SecurityGroup = {
	.name = "SecurityGroup",
	.kind = SHAPE_STRUCT,
	.n = 8,
	.members = members_ec2_SecurityGroup
};

static const struct shape ec2_SecurityGroupList = {
	.name = "SecurityGroupList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroup,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeSecurityGroupsResult[] = {
	{ "SecurityGroups", "SecurityGroupInfo", "securityGroupInfo", &ec2_SecurityGroupList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeSecurityGroupsResult = {
	.name = "DescribeSecurityGroupsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeSecurityGroupsResult
};

static const struct shape ec2_SubnetIdStringList = {
	.name = "SubnetIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_SubnetId,
	.item_xml = "SubnetId"
};

static const struct shape ec2_DescribeSubnetsMaxResults = {
	.name = "DescribeSubnetsMaxResults",
	.kind = SHAPE_INT,
	.min = 5,
	.max = 1000
};

static const struct shape_member members_ec2_DescribeSubnetsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "SubnetIds", "SubnetId", "SubnetId", &ec2_SubnetIdStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeSubnetsMaxResults, false },
};
const struct shape ec2_DescribeSubnetsRequest = {
	.name = "DescribeSubnetsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeSubnetsRequest
};

static const struct shape ec2_SubnetList = {
	.name = "SubnetList",
	.kind = SHAPE_LIST,
	.item = &ec2_Subnet,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeSubnetsResult[] = {
	{ "Subnets", "SubnetSet", "subnetSet", &ec2_SubnetList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeSubnetsResult = {
	.name = "DescribeSubnetsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeSubnetsResult
};

static const struct shape_member members_ec2_DescribeTagsRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "MaxResults", "MaxResults", "maxResults", &ec2_Integer, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeTagsRequest = {
	.name = "DescribeTagsRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DescribeTagsRequest
};

static const struct shape_member members_ec2_TagDescription[] = {
	{ "Key", "Key", "key", &ec2_String, false },
	{ "ResourceId", "ResourceId", "resourceId", &ec2_String, false },
	{ "ResourceType", "ResourceType", "resourceType", &ec2_ResourceType, false },
	{ "Value", "Value", "value", &ec2_String, false },
};
static const struct shape ec2_TagDescription = {
	.name = "TagDescription",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_TagDescription
};

static const struct shape ec2_TagDescriptionList = {
	.name = "TagDescriptionList",
	.kind = SHAPE_LIST,
	.item = &ec2_TagDescription,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeTagsResult[] = {
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagDescriptionList, false },
};
const struct shape ec2_DescribeTagsResult = {
	.name = "DescribeTagsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeTagsResult
};

static const struct shape ec2_VolumeIdStringList = {
	.name = "VolumeIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_VolumeId,
	.item_xml = "VolumeId"
};

static const struct shape_member members_ec2_DescribeVolumesRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "VolumeIds", "VolumeId", "VolumeId", &ec2_VolumeIdStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "MaxResults", "MaxResults", "maxResults", &ec2_Integer, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeVolumesRequest = {
	.name = "DescribeVolumesRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeVolumesRequest
};

static const struct shape ec2_VolumeList = {
	.name = "VolumeList",
	.kind = SHAPE_LIST,
	.item = &ec2_Volume,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeVolumesResult[] = {
	{ "Volumes", "VolumeSet", "volumeSet", &ec2_VolumeList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeVolumesResult = {
	.name = "DescribeVolumesResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeVolumesResult
};

static const char *const words_ec2_VpcAttributeName[] = {
	"enableDnsSupport", "enableDnsHostnames", "enableNetworkAddressUsageMetrics",
};
static const struct shape ec2_VpcAttributeName = {
	.name = "VpcAttributeName",
	.kind = SHAPE_STRING,
	.n = 3,
	.words = words_ec2_VpcAttributeName
};

static const struct shape_member members_ec2_DescribeVpcAttributeRequest[] = {
	{ "Attribute", "Attribute", "Attribute", &ec2_VpcAttributeName, true },
	{ "VpcId", "VpcId", "VpcId", &ec2_VpcId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DescribeVpcAttributeRequest = {
	.name = "DescribeVpcAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DescribeVpcAttributeRequest
};

static const struct shape_member members_ec2_DescribeVpcAttributeResult[] = {
	{ "VpcId", "VpcId", "vpcId", &ec2_String, false },
	{ "EnableDnsHostnames", "EnableDnsHostnames", "enableDnsHostnames", &ec2_AttributeBooleanValue, false },
	{ "EnableDnsSupport", "EnableDnsSupport", "enableDnsSupport", &ec2_AttributeBooleanValue, false },
	{ "EnableNetworkAddressUsageMetrics", "EnableNetworkAddressUsageMetrics", "enableNetworkAddressUsageMetrics", &ec2_AttributeBooleanValue, false },
};
const struct shape ec2_DescribeVpcAttributeResult = {
	.name = "DescribeVpcAttributeResult",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_DescribeVpcAttributeResult
};

static const struct shape ec2_VpcIdStringList = {
	.name = "VpcIdStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_VpcId,
	.item_xml = "VpcId"
};

static const struct shape_member members_ec2_DescribeVpcsRequest[] = {
	{ "Filters", "Filter", "Filter", &ec2_FilterList, false },
	{ "VpcIds", "VpcId", "VpcId", &ec2_VpcIdStringList, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "NextToken", "NextToken", "NextToken", &ec2_String, false },
	{ "MaxResults", "MaxResults", "MaxResults", &ec2_DescribeVpcsMaxResults, false },
};
const struct shape ec2_DescribeVpcsRequest = {
	.name = "DescribeVpcsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DescribeVpcsRequest
};

static const struct shape ec2_VpcList = {
	.name = "VpcList",
	.kind = SHAPE_LIST,
	.item = &ec2_Vpc,
	.item_xml = "item"
};

static const struct shape_member members_ec2_DescribeVpcsResult[] = {
	{ "Vpcs", "VpcSet", "vpcSet", &ec2_VpcList, false },
	{ "NextToken", "NextToken", "nextToken", &ec2_String, false },
};
const struct shape ec2_DescribeVpcsResult = {
	.name = "DescribeVpcsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DescribeVpcsResult
};

static const struct shape_member members_ec2_DetachInternetGatewayRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "InternetGatewayId", "InternetGatewayId", "internetGatewayId", &ec2_InternetGatewayId, true },
	{ "VpcId", "VpcId", "vpcId", &ec2_VpcId, true },
};
const struct shape ec2_DetachInternetGatewayRequest = {
	.name = "DetachInternetGatewayRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_DetachInternetGatewayRequest
};

static const struct shape_member members_ec2_DetachVolumeRequest[] = {
	{ "Device", "Device", "Device", &ec2_String, false },
	{ "Force", "Force", "Force", &ec2_Boolean, false },
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, false },
	{ "VolumeId", "VolumeId", "VolumeId", &ec2_VolumeId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DetachVolumeRequest = {
	.name = "DetachVolumeRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_DetachVolumeRequest
};

static const struct shape ec2_RouteTableAssociationId = {
	.name = "RouteTableAssociationId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_DisassociateRouteTableRequest[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_RouteTableAssociationId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_DisassociateRouteTableRequest = {
	.name = "DisassociateRouteTableRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_DisassociateRouteTableRequest
};

static const struct shape_member members_ec2_GetConsoleOutputRequest[] = {
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Latest", "Latest", "Latest", &ec2_Boolean, false },
};
const struct shape ec2_GetConsoleOutputRequest = {
	.name = "GetConsoleOutputRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_GetConsoleOutputRequest
};

static const struct shape_member members_ec2_GetConsoleOutputResult[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "Output", "Output", "output", &ec2_String, false },
	{ "Timestamp", "Timestamp", "timestamp", &ec2_DateTime, false },
};
const struct shape ec2_GetConsoleOutputResult = {
	.name = "GetConsoleOutputResult",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_GetConsoleOutputResult
};

static const struct shape_member members_ec2_GetInstanceUefiDataRequest[] = {
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, true },
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
};
const struct shape ec2_GetInstanceUefiDataRequest = {
	.name = "GetInstanceUefiDataRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_GetInstanceUefiDataRequest
};

static const struct shape_member members_ec2_GetInstanceUefiDataResult[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, false },
	{ "UefiData", "UefiData", "uefiData", &ec2_String, false },
};
const struct shape ec2_GetInstanceUefiDataResult = {
	.name = "GetInstanceUefiDataResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_GetInstanceUefiDataResult
};

static const struct shape_member members_ec2_GetPasswordDataRequest[] = {
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_GetPasswordDataRequest = {
	.name = "GetPasswordDataRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_GetPasswordDataRequest
};

static const struct shape_member members_ec2_GetPasswordDataResult[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "PasswordData", "PasswordData", "passwordData", &ec2_String, false },
	{ "Timestamp", "Timestamp", "timestamp", &ec2_DateTime, false },
};
const struct shape ec2_GetPasswordDataResult = {
	.name = "GetPasswordDataResult",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_GetPasswordDataResult
};

static const struct shape ec2_Blob = {
	.name = "Blob",
	.kind = SHAPE_BLOB
};

static const struct shape_member members_ec2_ImportKeyPairRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "KeyName", "KeyName", "keyName", &ec2_String, true },
	{ "PublicKeyMaterial", "PublicKeyMaterial", "publicKeyMaterial", &ec2_Blob, true },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
};
const struct shape ec2_ImportKeyPairRequest = {
	.name = "ImportKeyPairRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_ImportKeyPairRequest
};

static const struct shape_member members_ec2_ImportKeyPairResult[] = {
	{ "KeyFingerprint", "KeyFingerprint", "keyFingerprint", &ec2_String, false },
	{ "KeyName", "KeyName", "keyName", &ec2_String, false },
	{ "KeyPairId", "KeyPairId", "keyPairId", &ec2_String, false },
	{ "Tags", "TagSet", "tagSet", &ec2_TagList, false },
};
const struct shape ec2_ImportKeyPairResult = {
	.name = "ImportKeyPairResult",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_ImportKeyPairResult
};

static const struct shape_member members_ec2_EbsInstanceBlockDeviceSpecification[] = {
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "VolumeId", "VolumeId", "volumeId", &ec2_VolumeId, false },
};
static const struct shape ec2_EbsInstanceBlockDeviceSpecification = {
	.name = "EbsInstanceBlockDeviceSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_EbsInstanceBlockDeviceSpecification
};

static const struct shape_member members_ec2_InstanceBlockDeviceMappingSpecification[] = {
	{ "DeviceName", "DeviceName", "deviceName", &ec2_String, false },
	{ "Ebs", "Ebs", "ebs", &ec2_EbsInstanceBlockDeviceSpecification, false },
	{ "NoDevice", "NoDevice", "noDevice", &ec2_String, false },
	{ "VirtualName", "VirtualName", "virtualName", &ec2_String, false },
};
static const struct shape ec2_InstanceBlockDeviceMappingSpecification = {
	.name = "InstanceBlockDeviceMappingSpecification",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_InstanceBlockDeviceMappingSpecification
};

static const struct shape ec2_InstanceBlockDeviceMappingSpecificationList = {
	.name = "InstanceBlockDeviceMappingSpecificationList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceBlockDeviceMappingSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_BlobAttributeValue[] = {
	{ "Value", "Value", "value", &ec2_Blob, false },
};
static const struct shape ec2_BlobAttributeValue = {
	.name = "BlobAttributeValue",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_BlobAttributeValue
};

static const struct shape_member members_ec2_ModifyInstanceAttributeRequest[] = {
	{ "SourceDestCheck", "SourceDestCheck", "SourceDestCheck", &ec2_AttributeBooleanValue, false },
	{ "Attribute", "Attribute", "attribute", &ec2_InstanceAttributeName, false },
	{ "BlockDeviceMappings", "BlockDeviceMapping", "blockDeviceMapping", &ec2_InstanceBlockDeviceMappingSpecificationList, false },
	{ "DisableApiTermination", "DisableApiTermination", "disableApiTermination", &ec2_AttributeBooleanValue, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "EbsOptimized", "EbsOptimized", "ebsOptimized", &ec2_AttributeBooleanValue, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_AttributeBooleanValue, false },
	{ "Groups", "GroupId", "GroupId", &ec2_GroupIdStringList, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, true },
	{ "InstanceInitiatedShutdownBehavior", "InstanceInitiatedShutdownBehavior", "instanceInitiatedShutdownBehavior", &ec2_AttributeValue, false },
	{ "InstanceType", "InstanceType", "instanceType", &ec2_AttributeValue, false },
	{ "Kernel", "Kernel", "kernel", &ec2_AttributeValue, false },
	{ "Ramdisk", "Ramdisk", "ramdisk", &ec2_AttributeValue, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_AttributeValue, false },
	{ "UserData", "UserData", "userData", &ec2_BlobAttributeValue, false },
	{ "Value", "Value", "value", &ec2_String, false },
	{ "DisableApiStop", "DisableApiStop", "DisableApiStop", &ec2_AttributeBooleanValue, false },
};
const struct shape ec2_ModifyInstanceAttributeRequest = {
	.name = "ModifyInstanceAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 17,
	.members = members_ec2_ModifyInstanceAttributeRequest
};

static const struct shape_member members_ec2_InstanceCreditSpecificationRequest[] = {
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, false },
	{ "CpuCredits", "CpuCredits", "CpuCredits", &ec2_String, false },
};
static const struct shape ec2_InstanceCreditSpecificationRequest = {
	.name = "InstanceCreditSpecificationRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceCreditSpecificationRequest
};

static const struct shape ec2_InstanceCreditSpecificationListRequest = {
	.name = "InstanceCreditSpecificationListRequest",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceCreditSpecificationRequest,
	.item_xml = "item"
};

static const struct shape_member members_ec2_ModifyInstanceCreditSpecificationRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "ClientToken", "ClientToken", "ClientToken", &ec2_String, false },
	{ "InstanceCreditSpecifications", "InstanceCreditSpecification", "InstanceCreditSpecification", &ec2_InstanceCreditSpecificationListRequest, true },
};
const struct shape ec2_ModifyInstanceCreditSpecificationRequest = {
	.name = "ModifyInstanceCreditSpecificationRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_ModifyInstanceCreditSpecificationRequest
};

static const struct shape_member members_ec2_SuccessfulInstanceCreditSpecificationItem[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
};
static const struct shape ec2_SuccessfulInstanceCreditSpecificationItem = {
	.name = "SuccessfulInstanceCreditSpecificationItem",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_SuccessfulInstanceCreditSpecificationItem
};

static const struct shape ec2_SuccessfulInstanceCreditSpecificationSet = {
	.name = "SuccessfulInstanceCreditSpecificationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_SuccessfulInstanceCreditSpecificationItem,
	.item_xml = "item"
};

static const struct shape ec2_UnsuccessfulInstanceCreditSpecificationErrorCode = {
	.name = "UnsuccessfulInstanceCreditSpecificationErrorCode",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_UnsuccessfulInstanceCreditSpecificationItemError[] = {
	{ "Code", "Code", "code", &ec2_UnsuccessfulInstanceCreditSpecificationErrorCode, false },
	{ "Message", "Message", "message", &ec2_String, false },
};
static const struct shape ec2_UnsuccessfulInstanceCreditSpecificationItemError = {
	.name = "UnsuccessfulInstanceCreditSpecificationItemError",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_UnsuccessfulInstanceCreditSpecificationItemError
};

static const struct shape_member members_ec2_UnsuccessfulInstanceCreditSpecificationItem[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "Error", "Error", "error", &ec2_UnsuccessfulInstanceCreditSpecificationItemError, false },
};
static const struct shape ec2_UnsuccessfulInstanceCreditSpecificationItem = {
	.name = "UnsuccessfulInstanceCreditSpecificationItem",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_UnsuccessfulInstanceCreditSpecificationItem
};

static const struct shape ec2_UnsuccessfulInstanceCreditSpecificationSet = {
	.name = "UnsuccessfulInstanceCreditSpecificationSet",
	.kind = SHAPE_LIST,
	.item = &ec2_UnsuccessfulInstanceCreditSpecificationItem,
	.item_xml = "item"
};

static const struct shape_member members_ec2_ModifyInstanceCreditSpecificationResult[] = {
	{ "SuccessfulInstanceCreditSpecifications", "SuccessfulInstanceCreditSpecificationSet", "successfulInstanceCreditSpecificationSet", &ec2_SuccessfulInstanceCreditSpecificationSet, false },
	{ "UnsuccessfulInstanceCreditSpecifications", "UnsuccessfulInstanceCreditSpecificationSet", "unsuccessfulInstanceCreditSpecificationSet", &ec2_UnsuccessfulInstanceCreditSpecificationSet, false },
};
const struct shape ec2_ModifyInstanceCreditSpecificationResult = {
	.name = "ModifyInstanceCreditSpecificationResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ModifyInstanceCreditSpecificationResult
};

static const struct shape_member members_ec2_ModifyInstanceMetadataOptionsRequest[] = {
	{ "InstanceId", "InstanceId", "InstanceId", &ec2_InstanceId, true },
	{ "HttpTokens", "HttpTokens", "HttpTokens", &ec2_HttpTokensState, false },
	{ "HttpPutResponseHopLimit", "HttpPutResponseHopLimit", "HttpPutResponseHopLimit", &ec2_Integer, false },
	{ "HttpEndpoint", "HttpEndpoint", "HttpEndpoint", &ec2_InstanceMetadataEndpointState, false },
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "HttpProtocolIpv6", "HttpProtocolIpv6", "HttpProtocolIpv6", &ec2_InstanceMetadataProtocolState, false },
	{ "InstanceMetadataTags", "InstanceMetadataTags", "InstanceMetadataTags", &ec2_InstanceMetadataTagsState, false },
};
const struct shape ec2_ModifyInstanceMetadataOptionsRequest = {
	.name = "ModifyInstanceMetadataOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_ModifyInstanceMetadataOptionsRequest
};

static const struct shape_member members_ec2_ModifyInstanceMetadataOptionsResult[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "InstanceMetadataOptions", "InstanceMetadataOptions", "instanceMetadataOptions", &ec2_InstanceMetadataOptionsResponse, false },
};
const struct shape ec2_ModifyInstanceMetadataOptionsResult = {
	.name = "ModifyInstanceMetadataOptionsResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ModifyInstanceMetadataOptionsResult
};

static const struct shape ec2_NetworkInterfaceAttachmentId = {
	.name = "NetworkInterfaceAttachmentId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_NetworkInterfaceAttachmentChanges[] = {
	{ "AttachmentId", "AttachmentId", "attachmentId", &ec2_NetworkInterfaceAttachmentId, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
};
static const struct shape ec2_NetworkInterfaceAttachmentChanges = {
	.name = "NetworkInterfaceAttachmentChanges",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_NetworkInterfaceAttachmentChanges
};

static const struct shape_member members_ec2_EnaSrdUdpSpecification[] = {
	{ "EnaSrdUdpEnabled", "EnaSrdUdpEnabled", "EnaSrdUdpEnabled", &ec2_Boolean, false },
};
static const struct shape ec2_EnaSrdUdpSpecification = {
	.name = "EnaSrdUdpSpecification",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_EnaSrdUdpSpecification
};

static const struct shape_member members_ec2_EnaSrdSpecification[] = {
	{ "EnaSrdEnabled", "EnaSrdEnabled", "EnaSrdEnabled", &ec2_Boolean, false },
	{ "EnaSrdUdpSpecification", "EnaSrdUdpSpecification", "EnaSrdUdpSpecification", &ec2_EnaSrdUdpSpecification, false },
};
static const struct shape ec2_EnaSrdSpecification = {
	.name = "EnaSrdSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_EnaSrdSpecification
};

static const struct shape_member members_ec2_ModifyNetworkInterfaceAttributeRequest[] = {
	{ "Attachment", "Attachment", "attachment", &ec2_NetworkInterfaceAttachmentChanges, false },
	{ "Description", "Description", "description", &ec2_AttributeValue, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Groups", "SecurityGroupId", "SecurityGroupId", &ec2_SecurityGroupIdStringList, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_NetworkInterfaceId, true },
	{ "SourceDestCheck", "SourceDestCheck", "sourceDestCheck", &ec2_AttributeBooleanValue, false },
	{ "EnaSrdSpecification", "EnaSrdSpecification", "EnaSrdSpecification", &ec2_EnaSrdSpecification, false },
};
const struct shape ec2_ModifyNetworkInterfaceAttributeRequest = {
	.name = "ModifyNetworkInterfaceAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 7,
	.members = members_ec2_ModifyNetworkInterfaceAttributeRequest
};

static const struct shape_member members_ec2_ModifySubnetAttributeRequest[] = {
	{ "AssignIpv6AddressOnCreation", "AssignIpv6AddressOnCreation", "AssignIpv6AddressOnCreation", &ec2_AttributeBooleanValue, false },
	{ "MapPublicIpOnLaunch", "MapPublicIpOnLaunch", "MapPublicIpOnLaunch", &ec2_AttributeBooleanValue, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_SubnetId, true },
	{ "MapCustomerOwnedIpOnLaunch", "MapCustomerOwnedIpOnLaunch", "MapCustomerOwnedIpOnLaunch", &ec2_AttributeBooleanValue, false },
	{ "CustomerOwnedIpv4Pool", "CustomerOwnedIpv4Pool", "CustomerOwnedIpv4Pool", &ec2_CoipPoolId, false },
	{ "EnableDns64", "EnableDns64", "EnableDns64", &ec2_AttributeBooleanValue, false },
	{ "PrivateDnsHostnameTypeOnLaunch", "PrivateDnsHostnameTypeOnLaunch", "PrivateDnsHostnameTypeOnLaunch", &ec2_HostnameType, false },
	{ "EnableResourceNameDnsARecordOnLaunch", "EnableResourceNameDnsARecordOnLaunch", "EnableResourceNameDnsARecordOnLaunch", &ec2_AttributeBooleanValue, false },
	{ "EnableResourceNameDnsAAAARecordOnLaunch", "EnableResourceNameDnsAAAARecordOnLaunch", "EnableResourceNameDnsAAAARecordOnLaunch", &ec2_AttributeBooleanValue, false },
	{ "EnableLniAtDeviceIndex", "EnableLniAtDeviceIndex", "EnableLniAtDeviceIndex", &ec2_Integer, false },
	{ "DisableLniAtDeviceIndex", "DisableLniAtDeviceIndex", "DisableLniAtDeviceIndex", &ec2_AttributeBooleanValue, false },
};
const struct shape ec2_ModifySubnetAttributeRequest = {
	.name = "ModifySubnetAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 11,
	.members = members_ec2_ModifySubnetAttributeRequest
};

static const struct shape_member members_ec2_ModifyVpcAttributeRequest[] = {
	{ "EnableDnsHostnames", "EnableDnsHostnames", "EnableDnsHostnames", &ec2_AttributeBooleanValue, false },
	{ "EnableDnsSupport", "EnableDnsSupport", "EnableDnsSupport", &ec2_AttributeBooleanValue, false },
	{ "VpcId", "VpcId", "vpcId", &ec2_VpcId, true },
	{ "EnableNetworkAddressUsageMetrics", "EnableNetworkAddressUsageMetrics", "EnableNetworkAddressUsageMetrics", &ec2_AttributeBooleanValue, false },
};
const struct shape ec2_ModifyVpcAttributeRequest = {
	.name = "ModifyVpcAttributeRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_ModifyVpcAttributeRequest
};

static const struct shape_member members_ec2_MonitorInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_MonitorInstancesRequest = {
	.name = "MonitorInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_MonitorInstancesRequest
};

static const struct shape_member members_ec2_InstanceMonitoring[] = {
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "Monitoring", "Monitoring", "monitoring", &ec2_Monitoring, false },
};
static const struct shape ec2_InstanceMonitoring = {
	.name = "InstanceMonitoring",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceMonitoring
};

static const struct shape ec2_InstanceMonitoringList = {
	.name = "InstanceMonitoringList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceMonitoring,
	.item_xml = "item"
};

static const struct shape_member members_ec2_MonitorInstancesResult[] = {
	{ "InstanceMonitorings", "InstancesSet", "instancesSet", &ec2_InstanceMonitoringList, false },
};
const struct shape ec2_MonitorInstancesResult = {
	.name = "MonitorInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_MonitorInstancesResult
};

static const struct shape_member members_ec2_RebootInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_RebootInstancesRequest = {
	.name = "RebootInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_RebootInstancesRequest
};

static const struct shape ec2_KernelId = {
	.name = "KernelId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_BillingProductList = {
	.name = "BillingProductList",
	.kind = SHAPE_LIST,
	.item = &ec2_String,
	.item_xml = "item"
};

static const struct shape ec2_RamdiskId = {
	.name = "RamdiskId",
	.kind = SHAPE_STRING
};

static const struct shape ec2_StringType = {
	.name = "StringType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_RegisterImageRequest[] = {
	{ "ImageLocation", "ImageLocation", "ImageLocation", &ec2_String, false },
	{ "Architecture", "Architecture", "architecture", &ec2_ArchitectureValues, false },
	{ "BlockDeviceMappings", "BlockDeviceMapping", "BlockDeviceMapping", &ec2_BlockDeviceMappingRequestList, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "EnaSupport", "EnaSupport", "enaSupport", &ec2_Boolean, false },
	{ "KernelId", "KernelId", "kernelId", &ec2_KernelId, false },
	{ "Name", "Name", "name", &ec2_String, true },
	{ "BillingProducts", "BillingProduct", "BillingProduct", &ec2_BillingProductList, false },
	{ "RamdiskId", "RamdiskId", "ramdiskId", &ec2_RamdiskId, false },
	{ "RootDeviceName", "RootDeviceName", "rootDeviceName", &ec2_String, false },
	{ "SriovNetSupport", "SriovNetSupport", "sriovNetSupport", &ec2_String, false },
	{ "VirtualizationType", "VirtualizationType", "virtualizationType", &ec2_String, false },
	{ "BootMode", "BootMode", "BootMode", &ec2_BootModeValues, false },
	{ "TpmSupport", "TpmSupport", "TpmSupport", &ec2_TpmSupportValues, false },
	{ "UefiData", "UefiData", "UefiData", &ec2_StringType, false },
	{ "ImdsSupport", "ImdsSupport", "ImdsSupport", &ec2_ImdsSupportValues, false },
};
const struct shape ec2_RegisterImageRequest = {
	.name = "RegisterImageRequest",
	.kind = SHAPE_STRUCT,
	.n = 17,
	.members = members_ec2_RegisterImageRequest
};

static const struct shape_member members_ec2_RegisterImageResult[] = {
	{ "ImageId", "ImageId", "imageId", &ec2_String, false },
};
const struct shape ec2_RegisterImageResult = {
	.name = "RegisterImageResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_RegisterImageResult
};

static const struct shape_member members_ec2_ReplaceRouteRequest[] = {
	{ "DestinationCidrBlock", "DestinationCidrBlock", "destinationCidrBlock", &ec2_String, false },
	{ "DestinationIpv6CidrBlock", "DestinationIpv6CidrBlock", "destinationIpv6CidrBlock", &ec2_String, false },
	{ "DestinationPrefixListId", "DestinationPrefixListId", "DestinationPrefixListId", &ec2_PrefixListResourceId, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "VpcEndpointId", "VpcEndpointId", "VpcEndpointId", &ec2_VpcEndpointId, false },
	{ "EgressOnlyInternetGatewayId", "EgressOnlyInternetGatewayId", "egressOnlyInternetGatewayId", &ec2_EgressOnlyInternetGatewayId, false },
	{ "GatewayId", "GatewayId", "gatewayId", &ec2_RouteGatewayId, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_InstanceId, false },
	{ "LocalTarget", "LocalTarget", "LocalTarget", &ec2_Boolean, false },
	{ "NatGatewayId", "NatGatewayId", "natGatewayId", &ec2_NatGatewayId, false },
	{ "TransitGatewayId", "TransitGatewayId", "TransitGatewayId", &ec2_TransitGatewayId, false },
	{ "LocalGatewayId", "LocalGatewayId", "LocalGatewayId", &ec2_LocalGatewayId, false },
	{ "CarrierGatewayId", "CarrierGatewayId", "CarrierGatewayId", &ec2_CarrierGatewayId, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_NetworkInterfaceId, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
	{ "VpcPeeringConnectionId", "VpcPeeringConnectionId", "vpcPeeringConnectionId", &ec2_VpcPeeringConnectionId, false },
	{ "CoreNetworkArn", "CoreNetworkArn", "CoreNetworkArn", &ec2_CoreNetworkArn, false },
};
const struct shape ec2_ReplaceRouteRequest = {
	.name = "ReplaceRouteRequest",
	.kind = SHAPE_STRUCT,
	.n = 17,
	.members = members_ec2_ReplaceRouteRequest
};

static const struct shape_member members_ec2_ReplaceRouteTableAssociationRequest[] = {
	{ "AssociationId", "AssociationId", "associationId", &ec2_RouteTableAssociationId, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "RouteTableId", "RouteTableId", "routeTableId", &ec2_RouteTableId, true },
};
const struct shape ec2_ReplaceRouteTableAssociationRequest = {
	.name = "ReplaceRouteTableAssociationRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_ReplaceRouteTableAssociationRequest
};

static const struct shape_member members_ec2_ReplaceRouteTableAssociationResult[] = {
	{ "NewAssociationId", "NewAssociationId", "newAssociationId", &ec2_String, false },
	{ "AssociationState", "AssociationState", "associationState", &ec2_RouteTableAssociationState, false },
};
const struct shape ec2_ReplaceRouteTableAssociationResult = {
	.name = "ReplaceRouteTableAssociationResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ReplaceRouteTableAssociationResult
};

static const struct shape_member members_ec2_RevokeSecurityGroupEgressRequest[] = {
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "GroupId", "GroupId", "groupId", &ec2_SecurityGroupId, true },
	{ "IpPermissions", "IpPermissions", "ipPermissions", &ec2_IpPermissionList, false },
	{ "SecurityGroupRuleIds", "SecurityGroupRuleId", "SecurityGroupRuleId", &ec2_SecurityGroupRuleIdList, false },
	{ "CidrIp", "CidrIp", "cidrIp", &ec2_String, false },
	{ "FromPort", "FromPort", "fromPort", &ec2_Integer, false },
	{ "IpProtocol", "IpProtocol", "ipProtocol", &ec2_String, false },
	{ "ToPort", "ToPort", "toPort", &ec2_Integer, false },
	{ "SourceSecurityGroupName", "SourceSecurityGroupName", "sourceSecurityGroupName", &ec2_String, false },
	{ "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", "sourceSecurityGroupOwnerId", &ec2_String, false },
};
const struct shape ec2_RevokeSecurityGroupEgressRequest = {
	.name = "RevokeSecurityGroupEgressRequest",
	.kind = SHAPE_STRUCT,
	.n = 10,
	.members = members_ec2_RevokeSecurityGroupEgressRequest
};

static const struct shape_member members_ec2_RevokeSecurityGroupEgressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
	{ "UnknownIpPermissions", "UnknownIpPermissionSet", "unknownIpPermissionSet", &ec2_IpPermissionList, false },
};
const struct shape ec2_RevokeSecurityGroupEgressResult = {
	.name = "RevokeSecurityGroupEgressResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_RevokeSecurityGroupEgressResult
};

static const struct shape_member members_ec2_RevokeSecurityGroupIngressRequest[] = {
	{ "CidrIp", "CidrIp", "CidrIp", &ec2_String, false },
	{ "FromPort", "FromPort", "FromPort", &ec2_Integer, false },
	{ "GroupId", "GroupId", "GroupId", &ec2_SecurityGroupId, false },
	{ "GroupName", "GroupName", "GroupName", &ec2_SecurityGroupName, false },
	{ "IpPermissions", "IpPermissions", "IpPermissions", &ec2_IpPermissionList, false },
	{ "IpProtocol", "IpProtocol", "IpProtocol", &ec2_String, false },
	{ "SourceSecurityGroupName", "SourceSecurityGroupName", "SourceSecurityGroupName", &ec2_String, false },
	{ "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", "SourceSecurityGroupOwnerId", &ec2_String, false },
	{ "ToPort", "ToPort", "ToPort", &ec2_Integer, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "SecurityGroupRuleIds", "SecurityGroupRuleId", "SecurityGroupRuleId", &ec2_SecurityGroupRuleIdList, false },
};
const struct shape ec2_RevokeSecurityGroupIngressRequest = {
	.name = "RevokeSecurityGroupIngressRequest",
	.kind = SHAPE_STRUCT,
	.n = 11,
	.members = members_ec2_RevokeSecurityGroupIngressRequest
};

static const struct shape_member members_ec2_RevokeSecurityGroupIngressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
	{ "UnknownIpPermissions", "UnknownIpPermissionSet", "unknownIpPermissionSet", &ec2_IpPermissionList, false },
};
const struct shape ec2_RevokeSecurityGroupIngressResult = {
	.name = "RevokeSecurityGroupIngressResult",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_RevokeSecurityGroupIngressResult
};

static const struct shape_member members_ec2_RunInstancesMonitoringEnabled[] = {
	{ "Enabled", "Enabled", "enabled", &ec2_Boolean, true },
};
static const struct shape ec2_RunInstancesMonitoringEnabled = {
	.name = "RunInstancesMonitoringEnabled",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_RunInstancesMonitoringEnabled
};

static const struct shape ec2_SecurityGroupStringList = {
	.name = "SecurityGroupStringList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupName,
	.item_xml = "SecurityGroup"
};

static const struct shape ec2_RunInstancesUserData = {
	.name = "RunInstancesUserData",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_IamInstanceProfileSpecification[] = {
	{ "Arn", "Arn", "arn", &ec2_String, false },
	{ "Name", "Name", "name", &ec2_String, false },
};
static const struct shape ec2_IamInstanceProfileSpecification = {
	.name = "IamInstanceProfileSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_IamInstanceProfileSpecification
};

static const char *const words_ec2_ShutdownBehavior[] = {
	"stop", "terminate",
};
static const struct shape ec2_ShutdownBehavior = {
	.name = "ShutdownBehavior",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_ShutdownBehavior
};

static const struct shape_member members_ec2_InstanceNetworkInterfaceSpecification[] = {
	{ "AssociatePublicIpAddress", "AssociatePublicIpAddress", "associatePublicIpAddress", &ec2_Boolean, false },
	{ "DeleteOnTermination", "DeleteOnTermination", "deleteOnTermination", &ec2_Boolean, false },
	{ "Description", "Description", "description", &ec2_String, false },
	{ "DeviceIndex", "DeviceIndex", "deviceIndex", &ec2_Integer, false },
	{ "Groups", "SecurityGroupId", "SecurityGroupId", &ec2_SecurityGroupIdStringList, false },
	{ "Ipv6AddressCount", "Ipv6AddressCount", "ipv6AddressCount", &ec2_Integer, false },
	{ "Ipv6Addresses", "Ipv6Addresses", "ipv6AddressesSet", &ec2_InstanceIpv6AddressList, false },
	{ "NetworkInterfaceId", "NetworkInterfaceId", "networkInterfaceId", &ec2_NetworkInterfaceId, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "PrivateIpAddresses", "PrivateIpAddresses", "privateIpAddressesSet", &ec2_PrivateIpAddressSpecificationList, false },
	{ "SecondaryPrivateIpAddressCount", "SecondaryPrivateIpAddressCount", "secondaryPrivateIpAddressCount", &ec2_Integer, false },
	{ "SubnetId", "SubnetId", "subnetId", &ec2_String, false },
	{ "AssociateCarrierIpAddress", "AssociateCarrierIpAddress", "AssociateCarrierIpAddress", &ec2_Boolean, false },
	{ "InterfaceType", "InterfaceType", "InterfaceType", &ec2_String, false },
	{ "NetworkCardIndex", "NetworkCardIndex", "NetworkCardIndex", &ec2_Integer, false },
	{ "Ipv4Prefixes", "Ipv4Prefix", "Ipv4Prefix", &ec2_Ipv4PrefixList, false },
	{ "Ipv4PrefixCount", "Ipv4PrefixCount", "Ipv4PrefixCount", &ec2_Integer, false },
	{ "Ipv6Prefixes", "Ipv6Prefix", "Ipv6Prefix", &ec2_Ipv6PrefixList, false },
	{ "Ipv6PrefixCount", "Ipv6PrefixCount", "Ipv6PrefixCount", &ec2_Integer, false },
};
static const struct shape ec2_InstanceNetworkInterfaceSpecification = {
	.name = "InstanceNetworkInterfaceSpecification",
	.kind = SHAPE_STRUCT,
	.n = 19,
	.members = members_ec2_InstanceNetworkInterfaceSpecification
};

static const struct shape ec2_InstanceNetworkInterfaceSpecificationList = {
	.name = "InstanceNetworkInterfaceSpecificationList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceNetworkInterfaceSpecification,
	.item_xml = "item"
};

static const struct shape_member members_ec2_ElasticGpuSpecification[] = {
	{ "Type", "Type", "Type", &ec2_String, true },
};
static const struct shape ec2_ElasticGpuSpecification = {
	.name = "ElasticGpuSpecification",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_ElasticGpuSpecification
};

static const struct shape ec2_ElasticGpuSpecifications = {
	.name = "ElasticGpuSpecifications",
	.kind = SHAPE_LIST,
	.item = &ec2_ElasticGpuSpecification,
	.item_xml = "item"
};

static const struct shape ec2_ElasticInferenceAcceleratorCount = {
	.name = "ElasticInferenceAcceleratorCount",
	.kind = SHAPE_INT,
	.min = 1,
	.max = 2147483647
};

static const struct shape_member members_ec2_ElasticInferenceAccelerator[] = {
	{ "Type", "Type", "Type", &ec2_String, true },
	{ "Count", "Count", "Count", &ec2_ElasticInferenceAcceleratorCount, false },
};
static const struct shape ec2_ElasticInferenceAccelerator = {
	.name = "ElasticInferenceAccelerator",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_ElasticInferenceAccelerator
};

static const struct shape ec2_ElasticInferenceAccelerators = {
	.name = "ElasticInferenceAccelerators",
	.kind = SHAPE_LIST,
	.item = &ec2_ElasticInferenceAccelerator,
	.item_xml = "item"
};

static const struct shape ec2_LaunchTemplateId = {
	.name = "LaunchTemplateId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_LaunchTemplateSpecification[] = {
	{ "LaunchTemplateId", "LaunchTemplateId", "LaunchTemplateId", &ec2_LaunchTemplateId, false },
	{ "LaunchTemplateName", "LaunchTemplateName", "LaunchTemplateName", &ec2_String, false },
	{ "Version", "Version", "Version", &ec2_String, false },
};
static const struct shape ec2_LaunchTemplateSpecification = {
	.name = "LaunchTemplateSpecification",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_LaunchTemplateSpecification
};

static const char *const words_ec2_MarketType[] = {
	"spot",
};
static const struct shape ec2_MarketType = {
	.name = "MarketType",
	.kind = SHAPE_STRING,
	.n = 1,
	.words = words_ec2_MarketType
};

static const char *const words_ec2_SpotInstanceType[] = {
	"one-time", "persistent",
};
static const struct shape ec2_SpotInstanceType = {
	.name = "SpotInstanceType",
	.kind = SHAPE_STRING,
	.n = 2,
	.words = words_ec2_SpotInstanceType
};

static const char *const words_ec2_InstanceInterruptionBehavior[] = {
	"hibernate", "stop", "terminate",
};
static const struct shape ec2_InstanceInterruptionBehavior = {
	.name = "InstanceInterruptionBehavior",
	.kind = SHAPE_STRING,
	.n = 3,
	.words = words_ec2_InstanceInterruptionBehavior
};

static const struct shape_member members_ec2_SpotMarketOptions[] = {
	{ "MaxPrice", "MaxPrice", "MaxPrice", &ec2_String, false },
	{ "SpotInstanceType", "SpotInstanceType", "SpotInstanceType", &ec2_SpotInstanceType, false },
	{ "BlockDurationMinutes", "BlockDurationMinutes", "BlockDurationMinutes", &ec2_Integer, false },
	{ "ValidUntil", "ValidUntil", "ValidUntil", &ec2_DateTime, false },
	{ "InstanceInterruptionBehavior", "InstanceInterruptionBehavior", "InstanceInterruptionBehavior", &ec2_InstanceInterruptionBehavior, false },
};
static const struct shape ec2_SpotMarketOptions = {
	.name = "SpotMarketOptions",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_SpotMarketOptions
};

static const struct shape_member members_ec2_InstanceMarketOptionsRequest[] = {
	{ "MarketType", "MarketType", "MarketType", &ec2_MarketType, false },
	{ "SpotOptions", "SpotOptions", "SpotOptions", &ec2_SpotMarketOptions, false },
};
static const struct shape ec2_InstanceMarketOptionsRequest = {
	.name = "InstanceMarketOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_InstanceMarketOptionsRequest
};

static const struct shape_member members_ec2_CreditSpecificationRequest[] = {
	{ "CpuCredits", "CpuCredits", "CpuCredits", &ec2_String, true },
};
static const struct shape ec2_CreditSpecificationRequest = {
	.name = "CreditSpecificationRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_CreditSpecificationRequest
};

static const struct shape_member members_ec2_CpuOptionsRequest[] = {
	{ "CoreCount", "CoreCount", "CoreCount", &ec2_Integer, false },
	{ "ThreadsPerCore", "ThreadsPerCore", "ThreadsPerCore", &ec2_Integer, false },
};
static const struct shape ec2_CpuOptionsRequest = {
	.name = "CpuOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CpuOptionsRequest
};

static const struct shape ec2_CapacityReservationId = {
	.name = "CapacityReservationId",
	.kind = SHAPE_STRING
};

static const struct shape_member members_ec2_CapacityReservationTarget[] = {
	{ "CapacityReservationId", "CapacityReservationId", "CapacityReservationId", &ec2_CapacityReservationId, false },
	{ "CapacityReservationResourceGroupArn", "CapacityReservationResourceGroupArn", "CapacityReservationResourceGroupArn", &ec2_String, false },
};
static const struct shape ec2_CapacityReservationTarget = {
	.name = "CapacityReservationTarget",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CapacityReservationTarget
};

static const struct shape_member members_ec2_CapacityReservationSpecification[] = {
	{ "CapacityReservationPreference", "CapacityReservationPreference", "CapacityReservationPreference", &ec2_CapacityReservationPreference, false },
	{ "CapacityReservationTarget", "CapacityReservationTarget", "CapacityReservationTarget", &ec2_CapacityReservationTarget, false },
};
static const struct shape ec2_CapacityReservationSpecification = {
	.name = "CapacityReservationSpecification",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_CapacityReservationSpecification
};

static const struct shape_member members_ec2_HibernationOptionsRequest[] = {
	{ "Configured", "Configured", "Configured", &ec2_Boolean, false },
};
static const struct shape ec2_HibernationOptionsRequest = {
	.name = "HibernationOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_HibernationOptionsRequest
};

static const struct shape_member members_ec2_LicenseConfigurationRequest[] = {
	{ "LicenseConfigurationArn", "LicenseConfigurationArn", "LicenseConfigurationArn", &ec2_String, false },
};
static const struct shape ec2_LicenseConfigurationRequest = {
	.name = "LicenseConfigurationRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_LicenseConfigurationRequest
};

static const struct shape ec2_LicenseSpecificationListRequest = {
	.name = "LicenseSpecificationListRequest",
	.kind = SHAPE_LIST,
	.item = &ec2_LicenseConfigurationRequest,
	.item_xml = "item"
};

static const struct shape_member members_ec2_InstanceMetadataOptionsRequest[] = {
	{ "HttpTokens", "HttpTokens", "HttpTokens", &ec2_HttpTokensState, false },
	{ "HttpPutResponseHopLimit", "HttpPutResponseHopLimit", "HttpPutResponseHopLimit", &ec2_Integer, false },
	{ "HttpEndpoint", "HttpEndpoint", "HttpEndpoint", &ec2_InstanceMetadataEndpointState, false },
	{ "HttpProtocolIpv6", "HttpProtocolIpv6", "HttpProtocolIpv6", &ec2_InstanceMetadataProtocolState, false },
	{ "InstanceMetadataTags", "InstanceMetadataTags", "InstanceMetadataTags", &ec2_InstanceMetadataTagsState, false },
};
static const struct shape ec2_InstanceMetadataOptionsRequest = {
	.name = "InstanceMetadataOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_InstanceMetadataOptionsRequest
};

static const struct shape_member members_ec2_EnclaveOptionsRequest[] = {
	{ "Enabled", "Enabled", "Enabled", &ec2_Boolean, false },
};
static const struct shape ec2_EnclaveOptionsRequest = {
	.name = "EnclaveOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_EnclaveOptionsRequest
};

static const struct shape_member members_ec2_PrivateDnsNameOptionsRequest[] = {
	{ "HostnameType", "HostnameType", "HostnameType", &ec2_HostnameType, false },
	{ "EnableResourceNameDnsARecord", "EnableResourceNameDnsARecord", "EnableResourceNameDnsARecord", &ec2_Boolean, false },
	{ "EnableResourceNameDnsAAAARecord", "EnableResourceNameDnsAAAARecord", "EnableResourceNameDnsAAAARecord", &ec2_Boolean, false },
};
static const struct shape ec2_PrivateDnsNameOptionsRequest = {
	.name = "PrivateDnsNameOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_PrivateDnsNameOptionsRequest
};

static const struct shape_member members_ec2_InstanceMaintenanceOptionsRequest[] = {
	{ "AutoRecovery", "AutoRecovery", "AutoRecovery", &ec2_InstanceAutoRecoveryState, false },
};
static const struct shape ec2_InstanceMaintenanceOptionsRequest = {
	.name = "InstanceMaintenanceOptionsRequest",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_InstanceMaintenanceOptionsRequest
};

static const struct shape_member members_ec2_RunInstancesRequest[] = {
	{ "BlockDeviceMappings", "BlockDeviceMapping", "BlockDeviceMapping", &ec2_BlockDeviceMappingRequestList, false },
	{ "ImageId", "ImageId", "ImageId", &ec2_ImageId, false },
	{ "InstanceType", "InstanceType", "InstanceType", &ec2_InstanceType, false },
	{ "Ipv6AddressCount", "Ipv6AddressCount", "Ipv6AddressCount", &ec2_Integer, false },
	{ "Ipv6Addresses", "Ipv6Address", "Ipv6Address", &ec2_InstanceIpv6AddressList, false },
	{ "KernelId", "KernelId", "KernelId", &ec2_KernelId, false },
	{ "KeyName", "KeyName", "KeyName", &ec2_KeyPairName, false },
	{ "MaxCount", "MaxCount", "MaxCount", &ec2_Integer, true },
	{ "MinCount", "MinCount", "MinCount", &ec2_Integer, true },
	{ "Monitoring", "Monitoring", "Monitoring", &ec2_RunInstancesMonitoringEnabled, false },
	{ "Placement", "Placement", "Placement", &ec2_Placement, false },
	{ "RamdiskId", "RamdiskId", "RamdiskId", &ec2_RamdiskId, false },
	{ "SecurityGroupIds", "SecurityGroupId", "SecurityGroupId", &ec2_SecurityGroupIdStringList, false },
	{ "SecurityGroups", "SecurityGroup", "SecurityGroup", &ec2_SecurityGroupStringList, false },
	{ "SubnetId", "SubnetId", "SubnetId", &ec2_SubnetId, false },
	{ "UserData", "UserData", "UserData", &ec2_RunInstancesUserData, false },
	{ "AdditionalInfo", "AdditionalInfo", "additionalInfo", &ec2_String, false },
	{ "ClientToken", "ClientToken", "clientToken", &ec2_String, false },
	{ "DisableApiTermination", "DisableApiTermination", "disableApiTermination", &ec2_Boolean, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "EbsOptimized", "EbsOptimized", "ebsOptimized", &ec2_Boolean, false },
	{ "IamInstanceProfile", "IamInstanceProfile", "iamInstanceProfile", &ec2_IamInstanceProfileSpecification, false },
	{ "InstanceInitiatedShutdownBehavior", "InstanceInitiatedShutdownBehavior", "instanceInitiatedShutdownBehavior", &ec2_ShutdownBehavior, false },
	{ "NetworkInterfaces", "NetworkInterface", "networkInterface", &ec2_InstanceNetworkInterfaceSpecificationList, false },
	{ "PrivateIpAddress", "PrivateIpAddress", "privateIpAddress", &ec2_String, false },
	{ "ElasticGpuSpecification", "ElasticGpuSpecification", "ElasticGpuSpecification", &ec2_ElasticGpuSpecifications, false },
	{ "ElasticInferenceAccelerators", "ElasticInferenceAccelerator", "ElasticInferenceAccelerator", &ec2_ElasticInferenceAccelerators, false },
	{ "TagSpecifications", "TagSpecification", "TagSpecification", &ec2_TagSpecificationList, false },
	{ "LaunchTemplate", "LaunchTemplate", "LaunchTemplate", &ec2_LaunchTemplateSpecification, false },
	{ "InstanceMarketOptions", "InstanceMarketOptions", "InstanceMarketOptions", &ec2_InstanceMarketOptionsRequest, false },
	{ "CreditSpecification", "CreditSpecification", "CreditSpecification", &ec2_CreditSpecificationRequest, false },
	{ "CpuOptions", "CpuOptions", "CpuOptions", &ec2_CpuOptionsRequest, false },
	{ "CapacityReservationSpecification", "CapacityReservationSpecification", "CapacityReservationSpecification", &ec2_CapacityReservationSpecification, false },
	{ "HibernationOptions", "HibernationOptions", "HibernationOptions", &ec2_HibernationOptionsRequest, false },
	{ "LicenseSpecifications", "LicenseSpecification", "LicenseSpecification", &ec2_LicenseSpecificationListRequest, false },
	{ "MetadataOptions", "MetadataOptions", "MetadataOptions", &ec2_InstanceMetadataOptionsRequest, false },
	{ "EnclaveOptions", "EnclaveOptions", "EnclaveOptions", &ec2_EnclaveOptionsRequest, false },
	{ "PrivateDnsNameOptions", "PrivateDnsNameOptions", "PrivateDnsNameOptions", &ec2_PrivateDnsNameOptionsRequest, false },
	{ "MaintenanceOptions", "MaintenanceOptions", "MaintenanceOptions", &ec2_InstanceMaintenanceOptionsRequest, false },
	{ "DisableApiStop", "DisableApiStop", "DisableApiStop", &ec2_Boolean, false },
};
const struct shape ec2_RunInstancesRequest = {
	.name = "RunInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 40,
	.members = members_ec2_RunInstancesRequest
};

static const struct shape_member members_ec2_StartInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "AdditionalInfo", "AdditionalInfo", "additionalInfo", &ec2_String, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_StartInstancesRequest = {
	.name = "StartInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_StartInstancesRequest
};

static const struct shape_member members_ec2_InstanceStateChange[] = {
	{ "CurrentState", "CurrentState", "currentState", &ec2_InstanceState, false },
	{ "InstanceId", "InstanceId", "instanceId", &ec2_String, false },
	{ "PreviousState", "PreviousState", "previousState", &ec2_InstanceState, false },
};
static const struct shape ec2_InstanceStateChange = {
	.name = "InstanceStateChange",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_ec2_InstanceStateChange
};

static const struct shape ec2_InstanceStateChangeList = {
	.name = "InstanceStateChangeList",
	.kind = SHAPE_LIST,
	.item = &ec2_InstanceStateChange,
	.item_xml = "item"
};

static const struct shape_member members_ec2_StartInstancesResult[] = {
	{ "StartingInstances", "InstancesSet", "instancesSet", &ec2_InstanceStateChangeList, false },
};
const struct shape ec2_StartInstancesResult = {
	.name = "StartInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_StartInstancesResult
};

static const struct shape_member members_ec2_StopInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "Hibernate", "Hibernate", "Hibernate", &ec2_Boolean, false },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
	{ "Force", "Force", "force", &ec2_Boolean, false },
};
const struct shape ec2_StopInstancesRequest = {
	.name = "StopInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 4,
	.members = members_ec2_StopInstancesRequest
};

static const struct shape_member members_ec2_StopInstancesResult[] = {
	{ "StoppingInstances", "InstancesSet", "instancesSet", &ec2_InstanceStateChangeList, false },
};
const struct shape ec2_StopInstancesResult = {
	.name = "StopInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_StopInstancesResult
};

static const struct shape_member members_ec2_TerminateInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_TerminateInstancesRequest = {
	.name = "TerminateInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_TerminateInstancesRequest
};

static const struct shape_member members_ec2_TerminateInstancesResult[] = {
	{ "TerminatingInstances", "InstancesSet", "instancesSet", &ec2_InstanceStateChangeList, false },
};
const struct shape ec2_TerminateInstancesResult = {
	.name = "TerminateInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_TerminateInstancesResult
};

static const struct shape_member members_ec2_UnmonitorInstancesRequest[] = {
	{ "InstanceIds", "InstanceId", "InstanceId", &ec2_InstanceIdStringList, true },
	{ "DryRun", "DryRun", "dryRun", &ec2_Boolean, false },
};
const struct shape ec2_UnmonitorInstancesRequest = {
	.name = "UnmonitorInstancesRequest",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_UnmonitorInstancesRequest
};

static const struct shape_member members_ec2_UnmonitorInstancesResult[] = {
	{ "InstanceMonitorings", "InstancesSet", "instancesSet", &ec2_InstanceMonitoringList, false },
};
const struct shape ec2_UnmonitorInstancesResult = {
	.name = "UnmonitorInstancesResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_UnmonitorInstancesResult
};

static const struct shape_member members_ec2_SecurityGroupRuleDescription[] = {
	{ "SecurityGroupRuleId", "SecurityGroupRuleId", "SecurityGroupRuleId", &ec2_String, false },
	{ "Description", "Description", "Description", &ec2_String, false },
};
static const struct shape ec2_SecurityGroupRuleDescription = {
	.name = "SecurityGroupRuleDescription",
	.kind = SHAPE_STRUCT,
	.n = 2,
	.members = members_ec2_SecurityGroupRuleDescription
};

static const struct shape ec2_SecurityGroupRuleDescriptionList = {
	.name = "SecurityGroupRuleDescriptionList",
	.kind = SHAPE_LIST,
	.item = &ec2_SecurityGroupRuleDescription,
	.item_xml = "item"
};

static const struct shape_member members_ec2_UpdateSecurityGroupRuleDescriptionsEgressRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "GroupId", "GroupId", "GroupId", &ec2_SecurityGroupId, false },
	{ "GroupName", "GroupName", "GroupName", &ec2_SecurityGroupName, false },
	{ "IpPermissions", "IpPermissions", "IpPermissions", &ec2_IpPermissionList, false },
	{ "SecurityGroupRuleDescriptions", "SecurityGroupRuleDescription", "SecurityGroupRuleDescription", &ec2_SecurityGroupRuleDescriptionList, false },
};
const struct shape ec2_UpdateSecurityGroupRuleDescriptionsEgressRequest = {
	.name = "UpdateSecurityGroupRuleDescriptionsEgressRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_UpdateSecurityGroupRuleDescriptionsEgressRequest
};

static const struct shape_member members_ec2_UpdateSecurityGroupRuleDescriptionsEgressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
};
const struct shape ec2_UpdateSecurityGroupRuleDescriptionsEgressResult = {
	.name = "UpdateSecurityGroupRuleDescriptionsEgressResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_UpdateSecurityGroupRuleDescriptionsEgressResult
};

static const struct shape_member members_ec2_UpdateSecurityGroupRuleDescriptionsIngressRequest[] = {
	{ "DryRun", "DryRun", "DryRun", &ec2_Boolean, false },
	{ "GroupId", "GroupId", "GroupId", &ec2_SecurityGroupId, false },
	{ "GroupName", "GroupName", "GroupName", &ec2_SecurityGroupName, false },
	{ "IpPermissions", "IpPermissions", "IpPermissions", &ec2_IpPermissionList, false },
	{ "SecurityGroupRuleDescriptions", "SecurityGroupRuleDescription", "SecurityGroupRuleDescription", &ec2_SecurityGroupRuleDescriptionList, false },
};
const struct shape ec2_UpdateSecurityGroupRuleDescriptionsIngressRequest = {
	.name = "UpdateSecurityGroupRuleDescriptionsIngressRequest",
	.kind = SHAPE_STRUCT,
	.n = 5,
	.members = members_ec2_UpdateSecurityGroupRuleDescriptionsIngressRequest
};

static const struct shape_member members_ec2_UpdateSecurityGroupRuleDescriptionsIngressResult[] = {
	{ "Return", "Return", "return", &ec2_Boolean, false },
};
const struct shape ec2_UpdateSecurityGroupRuleDescriptionsIngressResult = {
	.name = "UpdateSecurityGroupRuleDescriptionsIngressResult",
	.kind = SHAPE_STRUCT,
	.n = 1,
	.members = members_ec2_UpdateSecurityGroupRuleDescriptionsIngressResult
};

const struct shape sts_GetCallerIdentityRequest = {
	.name = "GetCallerIdentityRequest",
	.kind = SHAPE_STRUCT
};

static const struct shape sts_userIdType = {
	.name = "userIdType",
	.kind = SHAPE_STRING
};

static const struct shape sts_accountType = {
	.name = "accountType",
	.kind = SHAPE_STRING
};

static const struct shape sts_arnType = {
	.name = "arnType",
	.kind = SHAPE_STRING
};

static const struct shape_member members_sts_GetCallerIdentityResponse[] = {
	{ "UserId", "UserId", "UserId", &sts_userIdType, false },
	{ "Account", "Account", "Account", &sts_accountType, false },
	{ "Arn", "Arn", "Arn", &sts_arnType, false },
};
const struct shape sts_GetCallerIdentityResponse = {
	.name = "GetCallerIdentityResponse",
	.kind = SHAPE_STRUCT,
	.n = 3,
	.members = members_sts_GetCallerIdentityResponse
};
