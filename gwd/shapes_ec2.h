/* Made by tests/support/make-shapes from actions.list and botocore 1.29.27: do not edit. */
/*
 * shapes_ec2.h - the first five columns of an action's row: {EC2_RunInstances, fn}.
 */
#pragma once

#include "gwd/action.h"

extern const struct shape ec2_AssociateRouteTableRequest;
extern const struct shape ec2_AssociateRouteTableResult;
extern const struct shape ec2_AttachInternetGatewayRequest;
extern const struct shape ec2_AttachVolumeRequest;
extern const struct shape ec2_AuthorizeSecurityGroupEgressRequest;
extern const struct shape ec2_AuthorizeSecurityGroupEgressResult;
extern const struct shape ec2_AuthorizeSecurityGroupIngressRequest;
extern const struct shape ec2_AuthorizeSecurityGroupIngressResult;
extern const struct shape ec2_CreateImageRequest;
extern const struct shape ec2_CreateImageResult;
extern const struct shape ec2_CreateInternetGatewayRequest;
extern const struct shape ec2_CreateInternetGatewayResult;
extern const struct shape ec2_CreateKeyPairRequest;
extern const struct shape ec2_CreateNetworkInterfaceRequest;
extern const struct shape ec2_CreateNetworkInterfaceResult;
extern const struct shape ec2_CreateRouteRequest;
extern const struct shape ec2_CreateRouteResult;
extern const struct shape ec2_CreateRouteTableRequest;
extern const struct shape ec2_CreateRouteTableResult;
extern const struct shape ec2_CreateSecurityGroupRequest;
extern const struct shape ec2_CreateSecurityGroupResult;
extern const struct shape ec2_CreateSubnetRequest;
extern const struct shape ec2_CreateSubnetResult;
extern const struct shape ec2_CreateTagsRequest;
extern const struct shape ec2_CreateVolumeRequest;
extern const struct shape ec2_CreateVpcRequest;
extern const struct shape ec2_CreateVpcResult;
extern const struct shape ec2_DeleteInternetGatewayRequest;
extern const struct shape ec2_DeleteKeyPairRequest;
extern const struct shape ec2_DeleteNetworkInterfaceRequest;
extern const struct shape ec2_DeleteRouteRequest;
extern const struct shape ec2_DeleteRouteTableRequest;
extern const struct shape ec2_DeleteSecurityGroupRequest;
extern const struct shape ec2_DeleteSubnetRequest;
extern const struct shape ec2_DeleteTagsRequest;
extern const struct shape ec2_DeleteVolumeRequest;
extern const struct shape ec2_DeleteVpcRequest;
extern const struct shape ec2_DeregisterImageRequest;
extern const struct shape ec2_DescribeAccountAttributesRequest;
extern const struct shape ec2_DescribeAccountAttributesResult;
extern const struct shape ec2_DescribeAddressesRequest;
extern const struct shape ec2_DescribeAddressesResult;
extern const struct shape ec2_DescribeAvailabilityZonesRequest;
extern const struct shape ec2_DescribeAvailabilityZonesResult;
extern const struct shape ec2_DescribeDhcpOptionsRequest;
extern const struct shape ec2_DescribeDhcpOptionsResult;
extern const struct shape ec2_DescribeIamInstanceProfileAssociationsRequest;
extern const struct shape ec2_DescribeIamInstanceProfileAssociationsResult;
extern const struct shape ec2_DescribeImageAttributeRequest;
extern const struct shape ec2_DescribeImagesRequest;
extern const struct shape ec2_DescribeImagesResult;
extern const struct shape ec2_DescribeInstanceAttributeRequest;
extern const struct shape ec2_DescribeInstanceCreditSpecificationsRequest;
extern const struct shape ec2_DescribeInstanceCreditSpecificationsResult;
extern const struct shape ec2_DescribeInstanceStatusRequest;
extern const struct shape ec2_DescribeInstanceStatusResult;
extern const struct shape ec2_DescribeInstanceTypeOfferingsRequest;
extern const struct shape ec2_DescribeInstanceTypeOfferingsResult;
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
extern const struct shape ec2_DetachInternetGatewayRequest;
extern const struct shape ec2_DetachVolumeRequest;
extern const struct shape ec2_DisassociateRouteTableRequest;
extern const struct shape ec2_GetConsoleOutputRequest;
extern const struct shape ec2_GetConsoleOutputResult;
extern const struct shape ec2_GetInstanceUefiDataRequest;
extern const struct shape ec2_GetInstanceUefiDataResult;
extern const struct shape ec2_GetPasswordDataRequest;
extern const struct shape ec2_GetPasswordDataResult;
extern const struct shape ec2_ImageAttribute;
extern const struct shape ec2_ImportKeyPairRequest;
extern const struct shape ec2_ImportKeyPairResult;
extern const struct shape ec2_InstanceAttribute;
extern const struct shape ec2_KeyPair;
extern const struct shape ec2_ModifyInstanceAttributeRequest;
extern const struct shape ec2_ModifyInstanceCreditSpecificationRequest;
extern const struct shape ec2_ModifyInstanceCreditSpecificationResult;
extern const struct shape ec2_ModifyInstanceMetadataOptionsRequest;
extern const struct shape ec2_ModifyInstanceMetadataOptionsResult;
extern const struct shape ec2_ModifyNetworkInterfaceAttributeRequest;
extern const struct shape ec2_ModifySubnetAttributeRequest;
extern const struct shape ec2_ModifyVpcAttributeRequest;
extern const struct shape ec2_MonitorInstancesRequest;
extern const struct shape ec2_MonitorInstancesResult;
extern const struct shape ec2_RebootInstancesRequest;
extern const struct shape ec2_RegisterImageRequest;
extern const struct shape ec2_RegisterImageResult;
extern const struct shape ec2_ReplaceRouteRequest;
extern const struct shape ec2_ReplaceRouteTableAssociationRequest;
extern const struct shape ec2_ReplaceRouteTableAssociationResult;
extern const struct shape ec2_Reservation;
extern const struct shape ec2_RevokeSecurityGroupEgressRequest;
extern const struct shape ec2_RevokeSecurityGroupEgressResult;
extern const struct shape ec2_RevokeSecurityGroupIngressRequest;
extern const struct shape ec2_RevokeSecurityGroupIngressResult;
extern const struct shape ec2_RunInstancesRequest;
extern const struct shape ec2_StartInstancesRequest;
extern const struct shape ec2_StartInstancesResult;
extern const struct shape ec2_StopInstancesRequest;
extern const struct shape ec2_StopInstancesResult;
extern const struct shape ec2_TerminateInstancesRequest;
extern const struct shape ec2_TerminateInstancesResult;
extern const struct shape ec2_UnmonitorInstancesRequest;
extern const struct shape ec2_UnmonitorInstancesResult;
extern const struct shape ec2_UpdateSecurityGroupRuleDescriptionsEgressRequest;
extern const struct shape ec2_UpdateSecurityGroupRuleDescriptionsEgressResult;
extern const struct shape ec2_UpdateSecurityGroupRuleDescriptionsIngressRequest;
extern const struct shape ec2_UpdateSecurityGroupRuleDescriptionsIngressResult;
extern const struct shape ec2_Volume;
extern const struct shape ec2_VolumeAttachment;
extern const struct shape sts_GetCallerIdentityRequest;
extern const struct shape sts_GetCallerIdentityResponse;

#define EC2_AssociateRouteTable \
	"AssociateRouteTable", API_EC2, &ec2_AssociateRouteTableRequest, &ec2_AssociateRouteTableResult, \
	ACTION_DRY_RUN
#define EC2_AttachInternetGateway \
	"AttachInternetGateway", API_EC2, &ec2_AttachInternetGatewayRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_AttachVolume \
	"AttachVolume", API_EC2, &ec2_AttachVolumeRequest, &ec2_VolumeAttachment, \
	ACTION_DRY_RUN
#define EC2_AuthorizeSecurityGroupEgress \
	"AuthorizeSecurityGroupEgress", API_EC2, &ec2_AuthorizeSecurityGroupEgressRequest, &ec2_AuthorizeSecurityGroupEgressResult, \
	ACTION_DRY_RUN
#define EC2_AuthorizeSecurityGroupIngress \
	"AuthorizeSecurityGroupIngress", API_EC2, &ec2_AuthorizeSecurityGroupIngressRequest, &ec2_AuthorizeSecurityGroupIngressResult, \
	ACTION_DRY_RUN
#define EC2_CreateImage \
	"CreateImage", API_EC2, &ec2_CreateImageRequest, &ec2_CreateImageResult, \
	ACTION_DRY_RUN
#define EC2_CreateInternetGateway \
	"CreateInternetGateway", API_EC2, &ec2_CreateInternetGatewayRequest, &ec2_CreateInternetGatewayResult, \
	ACTION_DRY_RUN
#define EC2_CreateKeyPair \
	"CreateKeyPair", API_EC2, &ec2_CreateKeyPairRequest, &ec2_KeyPair, \
	ACTION_DRY_RUN
#define EC2_CreateNetworkInterface \
	"CreateNetworkInterface", API_EC2, &ec2_CreateNetworkInterfaceRequest, &ec2_CreateNetworkInterfaceResult, \
	ACTION_TOKEN | ACTION_DRY_RUN
#define EC2_CreateRoute \
	"CreateRoute", API_EC2, &ec2_CreateRouteRequest, &ec2_CreateRouteResult, \
	ACTION_DRY_RUN
#define EC2_CreateRouteTable \
	"CreateRouteTable", API_EC2, &ec2_CreateRouteTableRequest, &ec2_CreateRouteTableResult, \
	ACTION_TOKEN | ACTION_DRY_RUN
#define EC2_CreateSecurityGroup \
	"CreateSecurityGroup", API_EC2, &ec2_CreateSecurityGroupRequest, &ec2_CreateSecurityGroupResult, \
	ACTION_DRY_RUN
#define EC2_CreateSubnet \
	"CreateSubnet", API_EC2, &ec2_CreateSubnetRequest, &ec2_CreateSubnetResult, \
	ACTION_DRY_RUN
#define EC2_CreateTags \
	"CreateTags", API_EC2, &ec2_CreateTagsRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_CreateVolume \
	"CreateVolume", API_EC2, &ec2_CreateVolumeRequest, &ec2_Volume, \
	ACTION_TOKEN | ACTION_DRY_RUN
#define EC2_CreateVpc \
	"CreateVpc", API_EC2, &ec2_CreateVpcRequest, &ec2_CreateVpcResult, \
	ACTION_DRY_RUN
#define EC2_DeleteInternetGateway \
	"DeleteInternetGateway", API_EC2, &ec2_DeleteInternetGatewayRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteKeyPair \
	"DeleteKeyPair", API_EC2, &ec2_DeleteKeyPairRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteNetworkInterface \
	"DeleteNetworkInterface", API_EC2, &ec2_DeleteNetworkInterfaceRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteRoute \
	"DeleteRoute", API_EC2, &ec2_DeleteRouteRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteRouteTable \
	"DeleteRouteTable", API_EC2, &ec2_DeleteRouteTableRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteSecurityGroup \
	"DeleteSecurityGroup", API_EC2, &ec2_DeleteSecurityGroupRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteSubnet \
	"DeleteSubnet", API_EC2, &ec2_DeleteSubnetRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteTags \
	"DeleteTags", API_EC2, &ec2_DeleteTagsRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteVolume \
	"DeleteVolume", API_EC2, &ec2_DeleteVolumeRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DeleteVpc \
	"DeleteVpc", API_EC2, &ec2_DeleteVpcRequest, NULL, \
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
#define EC2_DescribeIamInstanceProfileAssociations \
	"DescribeIamInstanceProfileAssociations", API_EC2, &ec2_DescribeIamInstanceProfileAssociationsRequest, &ec2_DescribeIamInstanceProfileAssociationsResult, \
	ACTION_PAGES
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
#define EC2_DescribeInstanceTypeOfferings \
	"DescribeInstanceTypeOfferings", API_EC2, &ec2_DescribeInstanceTypeOfferingsRequest, &ec2_DescribeInstanceTypeOfferingsResult, \
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
#define EC2_DetachInternetGateway \
	"DetachInternetGateway", API_EC2, &ec2_DetachInternetGatewayRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_DetachVolume \
	"DetachVolume", API_EC2, &ec2_DetachVolumeRequest, &ec2_VolumeAttachment, \
	ACTION_DRY_RUN
#define EC2_DisassociateRouteTable \
	"DisassociateRouteTable", API_EC2, &ec2_DisassociateRouteTableRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_GetConsoleOutput \
	"GetConsoleOutput", API_EC2, &ec2_GetConsoleOutputRequest, &ec2_GetConsoleOutputResult, \
	ACTION_DRY_RUN
#define EC2_GetInstanceUefiData \
	"GetInstanceUefiData", API_EC2, &ec2_GetInstanceUefiDataRequest, &ec2_GetInstanceUefiDataResult, \
	ACTION_DRY_RUN
#define EC2_GetPasswordData \
	"GetPasswordData", API_EC2, &ec2_GetPasswordDataRequest, &ec2_GetPasswordDataResult, \
	ACTION_DRY_RUN
#define EC2_ImportKeyPair \
	"ImportKeyPair", API_EC2, &ec2_ImportKeyPairRequest, &ec2_ImportKeyPairResult, \
	ACTION_DRY_RUN
#define EC2_ModifyInstanceAttribute \
	"ModifyInstanceAttribute", API_EC2, &ec2_ModifyInstanceAttributeRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_ModifyInstanceCreditSpecification \
	"ModifyInstanceCreditSpecification", API_EC2, &ec2_ModifyInstanceCreditSpecificationRequest, &ec2_ModifyInstanceCreditSpecificationResult, \
	ACTION_TOKEN | ACTION_DRY_RUN
#define EC2_ModifyInstanceMetadataOptions \
	"ModifyInstanceMetadataOptions", API_EC2, &ec2_ModifyInstanceMetadataOptionsRequest, &ec2_ModifyInstanceMetadataOptionsResult, \
	ACTION_DRY_RUN
#define EC2_ModifyNetworkInterfaceAttribute \
	"ModifyNetworkInterfaceAttribute", API_EC2, &ec2_ModifyNetworkInterfaceAttributeRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_ModifySubnetAttribute \
	"ModifySubnetAttribute", API_EC2, &ec2_ModifySubnetAttributeRequest, NULL, \
	0
#define EC2_ModifyVpcAttribute \
	"ModifyVpcAttribute", API_EC2, &ec2_ModifyVpcAttributeRequest, NULL, \
	0
#define EC2_MonitorInstances \
	"MonitorInstances", API_EC2, &ec2_MonitorInstancesRequest, &ec2_MonitorInstancesResult, \
	ACTION_DRY_RUN
#define EC2_RebootInstances \
	"RebootInstances", API_EC2, &ec2_RebootInstancesRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_RegisterImage \
	"RegisterImage", API_EC2, &ec2_RegisterImageRequest, &ec2_RegisterImageResult, \
	ACTION_DRY_RUN
#define EC2_ReplaceRoute \
	"ReplaceRoute", API_EC2, &ec2_ReplaceRouteRequest, NULL, \
	ACTION_DRY_RUN
#define EC2_ReplaceRouteTableAssociation \
	"ReplaceRouteTableAssociation", API_EC2, &ec2_ReplaceRouteTableAssociationRequest, &ec2_ReplaceRouteTableAssociationResult, \
	ACTION_DRY_RUN
#define EC2_RevokeSecurityGroupEgress \
	"RevokeSecurityGroupEgress", API_EC2, &ec2_RevokeSecurityGroupEgressRequest, &ec2_RevokeSecurityGroupEgressResult, \
	ACTION_DRY_RUN
#define EC2_RevokeSecurityGroupIngress \
	"RevokeSecurityGroupIngress", API_EC2, &ec2_RevokeSecurityGroupIngressRequest, &ec2_RevokeSecurityGroupIngressResult, \
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
#define EC2_UnmonitorInstances \
	"UnmonitorInstances", API_EC2, &ec2_UnmonitorInstancesRequest, &ec2_UnmonitorInstancesResult, \
	ACTION_DRY_RUN
#define EC2_UpdateSecurityGroupRuleDescriptionsEgress \
	"UpdateSecurityGroupRuleDescriptionsEgress", API_EC2, &ec2_UpdateSecurityGroupRuleDescriptionsEgressRequest, &ec2_UpdateSecurityGroupRuleDescriptionsEgressResult, \
	ACTION_DRY_RUN
#define EC2_UpdateSecurityGroupRuleDescriptionsIngress \
	"UpdateSecurityGroupRuleDescriptionsIngress", API_EC2, &ec2_UpdateSecurityGroupRuleDescriptionsIngressRequest, &ec2_UpdateSecurityGroupRuleDescriptionsIngressResult, \
	ACTION_DRY_RUN
#define STS_GetCallerIdentity \
	"GetCallerIdentity", API_STS, &sts_GetCallerIdentityRequest, &sts_GetCallerIdentityResponse, \
	0
