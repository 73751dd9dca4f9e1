/* msgid.h - MESSAGE_IDs of the events that an operator alerts on.  Made with
 * systemd-id128 new; never changed, never used again for another meaning. */
#pragma once

#define MSG_BUCKET_LOST		"8c1f0f6e2d1e4d0c9a5b1b9d7f2f4f01"
#define MSG_STORE_WENT_BACK	"b54d2a7c5f6b4b5fb3e0a3d7c1e89e02"
#define MSG_UEFI_TAKEOVER	"5d0cbb1f8b7a4c63a9f6f2c9e8a10d03"
#define MSG_UEFI_FENCED		"e7a9c5d41b0f4a6c8f3d2b7e6c5a1e04"
#define MSG_UEFI_OWED		"1f6b3c8d9e2a4f7bb0c5d4e3f2a19b05"
#define MSG_UEFI_STORE_LOST	"a3d9e8f7b6c54d3eb2a1f0e9d8c7b606"
#define MSG_QEMU_CRASHED	"6c5b4a39281f4e0dbc9a8f7e6d5c4b07"
#define MSG_OWNERSHIP_LOST	"d2e1f0c9b8a74f6e9d5c4b3a29181f08"
#define MSG_NODE_NAME_TAKEN	"4e3d2c1b0a9f4e8db7c6a5f4e3d2c10a"
#define MSG_REAP_SHARE		"d92e1f1c478243a0b0de89ee13225bcf"
#define MSG_TEARDOWN_STUCK	"a4bd580d3b434e9c9b1c3e51bdcef03a"
#define MSG_DATA_SAFETY		"635b01ac9cca438194b9aec67877a1f3"
#define MSG_VOLUME_ORPHAN	"f6af0f2802c541189793191ab79500f9"
#define MSG_UEFI_WRITE_FAILED	"da9edea4deed4727a93121b8e9f70487"
