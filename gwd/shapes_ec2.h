/* Made by tests/support/make-shapes from actions.list: do not edit. */
/*
 * shapes_ec2.h - the first five columns of an action's row: {EC2_RunInstances, fn}.
 */
#pragma once

#include "gwd/action.h"

extern const struct shape ec2_CreateImageRequest;
extern const struct shape ec2_CreateImageResult;
extern const struct shape ec2_CreateKeyPairRequest;
extern const struct shape ec2_CreateTagsRequest;
extern const struct shape ec2_DeleteKeyPairRequest;
extern const struct shape ec2_DeleteTagsRequest;
extern const struct shape ec2_DeregisterImageRequest;
extern const struct shape ec2_DescribeAccountAttributesRequest;
extern const struct shape ec2_DescribeAccountAttributesResult;
extern const struct shape ec2_DescribeAddressesRequest;
extern const struct shape ec2_DescribeAddressesResult;
extern const struct shape ec2_DescribeAvailabilityZonesRequest;
extern const struct shape ec2_DescribeAvailabilityZonesResult;
extern const struct shape ec2_DescribeDhcpOptionsRequest;
extern const struct shape ec2_DescribeDhcpOptionsResult;
extern const struct shape ec2_DescribeImageAttributeRequest;
extern const struct shape ec2_DescribeImagesRequest;
extern const struct shape ec2_DescribeImagesResult;
extern const struct shape ec2_DescribeInstanceAttributeRequest;
extern const struct shape ec2_DescribeInstanceCreditSpecificationsRequest;
extern const struct shape ec2_DescribeInstanceCreditSpecificationsResult;
extern const struct shape ec2_DescribeInstanceStatusRequest;
extern const struct shape ec2_DescribeInstanceStatusResult;
extern const struct shape ec2_DescribeInstanceTypesRequest;
extern const struct shape ec2_DescribeInstanceTypesResult;
extern const struct shape ec2_DescribeInstancesRequest;
extern const struct shape ec2_DescribeInstancesResult;
extern const struct shape ec2_DescribeInternetGatewaysRequest;
extern const struct shape ec2_DescribeInternetGatewaysResult;
extern const struct shape ec2_DescribeKeyPairsRequest;
extern const struct shape ec2_DescribeKeyPairsResult;
extern const struct shape ec2_DescribeNetworkAclsRequest;
extern const struct shape ec2_DescribeNetworkAclsResult;
extern const struct shape ec2_DescribeNetworkInterfacesRequest;
extern const struct shape ec2_DescribeNetworkInterfacesResult;
extern const struct shape ec2_DescribeRegionsRequest;
extern const struct shape ec2_DescribeRegionsResult;
extern const struct shape ec2_DescribeRouteTablesRequest;
extern const struct shape ec2_DescribeRouteTablesResult;
extern const struct shape ec2_DescribeSecurityGroupRulesRequest;
extern const struct shape ec2_DescribeSecurityGroupRulesResult;
extern const struct shape ec2_DescribeSecurityGroupsRequest;
extern const struct shape ec2_DescribeSecurityGroupsResult;
extern const struct shape ec2_DescribeSubnetsRequest;
extern const struct shape ec2_DescribeSubnetsResult;
extern const struct shape ec2_DescribeTagsRequest;
extern const struct shape ec2_DescribeTagsResult;
extern const struct shape ec2_DescribeVolumesRequest;
extern const struct shape ec2_DescribeVolumesResult;
extern const struct shape ec2_DescribeVpcAttributeRequest;
extern const struct shape ec2_DescribeVpcAttributeResult;
extern const struct shape ec2_DescribeVpcsRequest;
extern const struct shape ec2_DescribeVpcsResult;
extern const struct shape ec2_GetConsoleOutputRequest;
extern const struct shape ec2_GetConsoleOutputResult;
extern const struct shape ec2_GetInstanceUefiDataRequest;
extern const struct shape ec2_GetInstanceUefiDataResult;
extern const struct shape ec2_ImageAttribute;
extern const struct shape ec2_ImportKeyPairRequest;
extern const struct shape ec2_ImportKeyPairResult;
extern const struct shape ec2_InstanceAttribute;
extern const struct shape ec2_KeyPair;
extern const struct shape ec2_ModifyInstanceAttributeRequest;
extern const struct shape ec2_RebootInstancesRequest;
extern const struct shape ec2_RegisterImageRequest;
extern const struct shape ec2_RegisterImageResult;
extern const struct shape ec2_Reservation;
extern const struct shape ec2_RunInstancesRequest;
extern const struct shape ec2_StartInstancesRequest;
extern const struct shape ec2_StartInstancesResult;
extern const struct shape ec2_StopInstancesRequest;
extern const struct shape ec2_StopInstancesResult;
extern const struct shape ec2_TerminateInstancesRequest;
extern const struct shape ec2_TerminateInstancesResult;
extern const struct shape sts_GetCallerIdentityRequest;
extern const struct shape sts_GetCallerIdentityResponse;

#define EC2_CreateImage \
	"CreateImage", API_EC2, &ec2_CreateImageRequest, &ec2_CreateImageResult, \
	ACTION_DRY_RUN
#define EC2_CreateKeyPair \
	"CreateKeyPair", API_EC2, &ec2_CreateKeyPairRequest, &ec2_KeyPair, \
	ACTION_DRY_RUN
#define EC2_CreateTags \
	"CreateTags", API_EC2, &ec2_CreateTagsRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteKeyPair \
	"DeleteKeyPair", API_EC2, &ec2_DeleteKeyPairRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteTags \
	"DeleteTags", API_EC2, &ec2_DeleteTagsRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeregisterImage \
	"DeregisterImage", API_EC2, &ec2_DeregisterImageRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DescribeAccountAttributes \
	"DescribeAccountAttributes", API_EC2, &ec2_DescribeAccountAttributesRequest, &ec2_DescribeAccountAttributesResult, \
	ACTION_DRY_RUN
#define EC2_DescribeAddresses \
	"DescribeAddresses", API_EC2, &ec2_DescribeAddressesRequest, &ec2_DescribeAddressesResult, \
	ACTION_DRY_RUN
#define EC2_DescribeAvailabilityZones \
	"DescribeAvailabilityZones", API_EC2, &ec2_DescribeAvailabilityZonesRequest, &ec2_DescribeAvailabilityZonesResult, \
	ACTION_DRY_RUN
#define EC2_DescribeDhcpOptions \
	"DescribeDhcpOptions", API_EC2, &ec2_DescribeDhcpOptionsRequest, &ec2_DescribeDhcpOptionsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeImageAttribute \
	"DescribeImageAttribute", API_EC2, &ec2_DescribeImageAttributeRequest, &ec2_ImageAttribute, \
	ACTION_DRY_RUN
#define EC2_DescribeImages \
	"DescribeImages", API_EC2, &ec2_DescribeImagesRequest, &ec2_DescribeImagesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeInstanceAttribute \
	"DescribeInstanceAttribute", API_EC2, &ec2_DescribeInstanceAttributeRequest, &ec2_InstanceAttribute, \
	ACTION_DRY_RUN
#define EC2_DescribeInstanceCreditSpecifications \
	"DescribeInstanceCreditSpecifications", API_EC2, &ec2_DescribeInstanceCreditSpecificationsRequest, &ec2_DescribeInstanceCreditSpecificationsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeInstanceStatus \
	"DescribeInstanceStatus", API_EC2, &ec2_DescribeInstanceStatusRequest, &ec2_DescribeInstanceStatusResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeInstanceTypes \
	"DescribeInstanceTypes", API_EC2, &ec2_DescribeInstanceTypesRequest, &ec2_DescribeInstanceTypesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeInstances \
	"DescribeInstances", API_EC2, &ec2_DescribeInstancesRequest, &ec2_DescribeInstancesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeInternetGateways \
	"DescribeInternetGateways", API_EC2, &ec2_DescribeInternetGatewaysRequest, &ec2_DescribeInternetGatewaysResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeKeyPairs \
	"DescribeKeyPairs", API_EC2, &ec2_DescribeKeyPairsRequest, &ec2_DescribeKeyPairsResult, \
	ACTION_DRY_RUN
#define EC2_DescribeNetworkAcls \
	"DescribeNetworkAcls", API_EC2, &ec2_DescribeNetworkAclsRequest, &ec2_DescribeNetworkAclsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeNetworkInterfaces \
	"DescribeNetworkInterfaces", API_EC2, &ec2_DescribeNetworkInterfacesRequest, &ec2_DescribeNetworkInterfacesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeRegions \
	"DescribeRegions", API_EC2, &ec2_DescribeRegionsRequest, &ec2_DescribeRegionsResult, \
	ACTION_DRY_RUN
#define EC2_DescribeRouteTables \
	"DescribeRouteTables", API_EC2, &ec2_DescribeRouteTablesRequest, &ec2_DescribeRouteTablesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeSecurityGroupRules \
	"DescribeSecurityGroupRules", API_EC2, &ec2_DescribeSecurityGroupRulesRequest, &ec2_DescribeSecurityGroupRulesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeSecurityGroups \
	"DescribeSecurityGroups", API_EC2, &ec2_DescribeSecurityGroupsRequest, &ec2_DescribeSecurityGroupsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeSubnets \
	"DescribeSubnets", API_EC2, &ec2_DescribeSubnetsRequest, &ec2_DescribeSubnetsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeTags \
	"DescribeTags", API_EC2, &ec2_DescribeTagsRequest, &ec2_DescribeTagsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeVolumes \
	"DescribeVolumes", API_EC2, &ec2_DescribeVolumesRequest, &ec2_DescribeVolumesResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_DescribeVpcAttribute \
	"DescribeVpcAttribute", API_EC2, &ec2_DescribeVpcAttributeRequest, &ec2_DescribeVpcAttributeResult, \
	ACTION_DRY_RUN
#define EC2_DescribeVpcs \
	"DescribeVpcs", API_EC2, &ec2_DescribeVpcsRequest, &ec2_DescribeVpcsResult, \
	ACTION_PAGES | ACTION_DRY_RUN
#define EC2_GetConsoleOutput \
	"GetConsoleOutput", API_EC2, &ec2_GetConsoleOutputRequest, &ec2_GetConsoleOutputResult, \
	ACTION_DRY_RUN
#define EC2_GetInstanceUefiData \
	"GetInstanceUefiData", API_EC2, &ec2_GetInstanceUefiDataRequest, &ec2_GetInstanceUefiDataResult, \
	ACTION_DRY_RUN
#define EC2_ImportKeyPair \
	"ImportKeyPair", API_EC2, &ec2_ImportKeyPairRequest, &ec2_ImportKeyPairResult, \
	ACTION_DRY_RUN
#define EC2_ModifyInstanceAttribute \
	"ModifyInstanceAttribute", API_EC2, &ec2_ModifyInstanceAttributeRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_RebootInstances \
	"RebootInstances", API_EC2, &ec2_RebootInstancesRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_RegisterImage \
	"RegisterImage", API_EC2, &ec2_RegisterImageRequest, &ec2_RegisterImageResult, \
	ACTION_DRY_RUN
#define EC2_RunInstances \
	"RunInstances", API_EC2, &ec2_RunInstancesRequest, &ec2_Reservation, \
	ACTION_TOKEN | ACTION_DRY_RUN
#define EC2_StartInstances \
	"StartInstances", API_EC2, &ec2_StartInstancesRequest, &ec2_StartInstancesResult, \
	ACTION_DRY_RUN
#define EC2_StopInstances \
	"StopInstances", API_EC2, &ec2_StopInstancesRequest, &ec2_StopInstancesResult, \
	ACTION_DRY_RUN
#define EC2_TerminateInstances \
	"TerminateInstances", API_EC2, &ec2_TerminateInstancesRequest, &ec2_TerminateInstancesResult, \
	ACTION_DRY_RUN
#define STS_GetCallerIdentity \
	"GetCallerIdentity", API_STS, &sts_GetCallerIdentityRequest, &sts_GetCallerIdentityResponse, \
	0
