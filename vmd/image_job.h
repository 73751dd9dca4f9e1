/* image_job.h - what vm.v1.<node>.image-* have in common: one request about images, as a job. */
#pragma once

#include "vmd/images.h"
#include "vmd/wire.h"

struct image_job {
	struct bus_req		*req;
	struct bus		*bus;
	struct bucket		*images, *instances, *volumes;
	char			 node[65];
	char			 qemu_img[300], image_dir[256], disk_dir[256];
	char			 file[512];
	char			 instance_id[INSTANCE_ID_MAX + 1];	/* create */
	char			 volume_id[22];				/* the instance's root */
	char			 snapshot_id[24];			/* register */
	bool			 secure_boot;	/* import: keys are enrolled */
	char			*uefi_data;	/* register: base64, owned; NULL: none */
	cJSON			*tags;		/* create: a list, owned; NULL: none */
	struct image		 image;		/* in and out; remove: its id */
	struct image		*list;		/* owned */
	size_t			 n;
	enum images_result	 res;
	char			 why[DISK_WHY_MAX];
};

/* The jobs of import, register and create; id and variables of image are set. */
void	 image_import_run(void *job);
void	 image_register_run(void *job);
void	 image_create_run(void *job);
/* Has uefid remove what image.uefi_object names; a failure is logged. */
void	 image_drop_variables(struct image_job *j);
