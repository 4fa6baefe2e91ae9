#!/usr/bin/env bash
# stores.sh DIR NAME=RECORDS… makes stores to measure on: DIR/NAME/home is the home of one
# person whose own store has so many records. The input is the same each time (scripts/talk).
#
#   scripts/stores.sh /tmp/stores 1k=1000 100k=100000 1m=1000000
#
# STEMMA is the program (default: stemma). It prints what each import took.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
stemma=${STEMMA:-stemma}
dir=$1
shift
mkdir -p "$dir"
(cd "$here" && go build -o "$dir/talk" ./scripts/talk)

# as runs the program as the person of one home, outside of every project.
as() {
	local home=$1
	shift
	(cd "$home" && env -i PATH="$PATH" HOME="$home" "$stemma" "$@")
}

for one in "$@"; do
	name=${one%%=*} records=${one#*=}
	home=$dir/$name/home
	[ ! -e "$home" ] || { echo "stores.sh: $home is there already; delete it first" >&2; exit 1; }
	mkdir -p "$home"
	"$dir/talk" "$records" >"$dir/$name/talk.jsonl"
	/usr/bin/time -f "$name: %U s user, %S s system, %e s, %M KB" \
		env -i PATH="$PATH" HOME="$home" "$stemma" --user import jsonl "$dir/$name/talk.jsonl"
	rm "$dir/$name/talk.jsonl"
	# what does not go together
	for i in 1 2 3 4 5 6 7 8; do
		as "$home" --user --session "place $i" remember "Person$i works at Acme" >/dev/null
		as "$home" --user --session "place $i later" remember "Person$i works at Globex" >/dev/null
	done
done
