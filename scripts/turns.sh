#!/usr/bin/env bash
# turns.sh OLD NEW [MEASURE] compares two programs: by turns, each on a store of its own that it
# made from the same input, by the processor time of its processes. It prints one table.
#
#   git worktree add /tmp/old 2b0c7bc
#   (cd /tmp/old && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /tmp/old.bin ./cmd/stemma)
#   CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /tmp/new.bin ./cmd/stemma
#   scripts/turns.sh /tmp/old.bin /tmp/new.bin
#
# MEASURE is an expression; measures that do not match it are left out. RECORDS (default 100,000, at
# the least 20,000) is how many records the stores have, TURNS (default 7) how often each measure is
# taken. The stores are made in DIR (default: a directory that is deleted) and used again if they are
# there.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: turns.sh OLD NEW [MEASURE]" >&2; exit 64; }
here=$(cd "$(dirname "$0")/.." && pwd)
dir=${DIR:-}
if [ -z "$dir" ]; then
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
fi
records=${RECORDS:-100000}
mkdir -p "$dir"
(cd "$here" && go build -o "$dir/talk" ./scripts/talk && go build -o "$dir/turns" ./scripts/turns)
talk=$dir/talk-$records.jsonl
[ -e "$talk" ] || "$dir/talk" "$records" >"$talk"
"$dir/turns" -dir "$dir" -talk "$talk" -turns "${TURNS:-7}" -only "${3:-.}" -path "$PATH" \
	-plain "create table if not exists said (text text)|insert into said values ('%s')" "$(realpath "$1")" "$(realpath "$2")"
