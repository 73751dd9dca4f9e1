/* vmd - launches and minds this node's guests; see vmd.h, then vm.h. */
#include "vmd/vmd.h"

int
main(int argc, char **argv)
{
	const struct daemon_spec spec = {
		.name = "vmd",
		.size = sizeof(struct vmd),
		.conf_size = sizeof(struct vmd_conf),
		.conf = &vmd_conf_table,
		.steps = vmd_steps,
		.nsteps = vmd_nsteps,
		.threads = 4,
		.check = vmd_conf_check,
	};

	return daemon_main(argc, argv, &spec);
}
