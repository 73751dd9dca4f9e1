# bash completion for leasectl, uefictl, vmctl and reaperctl: options, and the verbs that the
# tool itself lists.
_spinifex_tool() {
	local cur=${COMP_WORDS[COMP_CWORD]} i skip=
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ $skip ]]; then
			skip=
		elif [[ ${COMP_WORDS[i]} == -[cN] ]]; then
			skip=${COMP_WORDS[i]}
		elif [[ ${COMP_WORDS[i]} != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")	# after the verb
			return
		fi
	done
	if [[ $skip == -c ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	elif [[ ! $skip && $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "-c -N -h --json --help" -- "$cur")
	elif [[ ! $skip ]]; then
		local verbs
		verbs=$("$1" -h 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$cur")
	fi
}
complete -F _spinifex_tool leasectl uefictl vmctl reaperctl
