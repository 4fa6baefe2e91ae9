# steps.sh: how check runs a step and prints its line. check reads this file.
#
# What needs to be repeated at the end is in the array failed, and the files of
# the run are in the directory $tmp.

# report NAME SECONDS CODE LOG prints a step's line, and its output if it failed.
report() {
	if [ "$3" = 0 ]; then
		printf 'ok    %4ds  %s\n' "$2" "$1"
	else
		printf 'FAIL  %4ds  %s\n' "$2" "$1"
		cat "$4"
		failed+=("$1")
	fi
}

# step NAME COMMAND... runs a command as a step.
step() {
	local name=$1 began=$SECONDS code=0
	shift
	"$@" >"$tmp/log" 2>&1 || code=$?
	report "$name" $((SECONDS - began)) "$code" "$tmp/log"
	return "$code"
}

# missing NAME WHY reports a step that did not run. Only CI must run them all.
missing() {
	printf 'skip         %s: %s\n' "$1" "$2"
	[ "${CI:-}" != true ] || failed+=("$1")
}

# silent COMMAND... fails if the command prints anything.
silent() {
	local out
	out=$("$@" 2>&1) || { echo "$out"; return 1; }
	[ -z "$out" ] || { echo "$out"; return 1; }
}

# aside NAME COMMAND... runs steps while others run. Its lines wait for together.
aside() {
	local name=$1
	shift
	(
		failed=()
		tmp=$tmp/$name
		mkdir -p "$tmp"
		"$@" >"$tmp.lines"
		[ ${#failed[@]} = 0 ] || printf '%s\n' "${failed[@]}" >"$tmp.failed"
	) &
	beside+=("$!:$name")
}

# together waits for what runs aside, and prints its lines.
together() {
	local one name
	for one in ${beside[@]+"${beside[@]}"}; do
		wait "${one%%:*}"
		cat "$tmp/${one#*:}.lines"
		[ ! -e "$tmp/${one#*:}.failed" ] ||
			while read -r name; do failed+=("$name"); done <"$tmp/${one#*:}.failed"
	done
	beside=()
}

# server NAME SCRIPT VARIABLE starts a server for the tests, unless the variable
# names one already. The script's "stop" is left in the array servers.
server() {
	local began=$SECONDS
	if [ -n "${!3:-}" ]; then
		echo "             $1: the server of $3"
	elif "$2" start >"$tmp/server" 2>"$tmp/log"; then
		eval "$(cat "$tmp/server")"
		servers+=("$2")
		report "$1" $((SECONDS - began)) 0
	else
		missing "$1" "$(tail -n 1 "$tmp/log")"
	fi
}

# go_files lists the project's Go files: those git has and new ones, or all.
go_files() {
	{ git ls-files --cached --others --exclude-standard '*.go' 2>/dev/null || find . -name '*.go'; } |
		while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}
