/*
 * key_make.h - `gwd -k`: makes an access key and prints it.
 */
#pragma once

/* The daemon's mode (daemon.h): argv may hold an account.  The exit status. */
int	 key_make(void *self, int argc, char **argv);
