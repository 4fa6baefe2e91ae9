#!/usr/bin/env bash
# readings.sh DIR… asks every verb that reads of the stores in DIR/home (see stores.sh), and
# prints a table: processor seconds (user and system), peak memory in MB, seconds by the clock.
#
#   scripts/readings.sh /tmp/stores/1k /tmp/stores/100k /tmp/stores/1m
#
# With STORE, an address such as postgres://…, that store is asked in place of the person's own; the
# database's own processor time is then not in the figures.
#
# STEMMA is the program (default: stemma). VERBS is an extended expression; verbs that do not
# match it are left out. What takes longer than LIMIT seconds (default 120) is cut off.
set -euo pipefail
stemma=${STEMMA:-stemma}
limit=${LIMIT:-120}
verbs=${VERBS:-.}
of=(--user)
[ -z "${STORE:-}" ] || of=(--store "$STORE")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# as runs the program as the person of one home.
as() {
	local home=$1
	shift
	(cd "$home" && env -i PATH="$PATH" HOME="$home" "$stemma" "${of[@]}" "$@")
}

# first prints the ref of the first listed memory of a kind.
first() {
	as "$1" list "$2" --limit 1 --json | sed -n 's/.*"id": "\([^"]*\)".*/\1/p' | head -n 1
}

# asked runs one verb and prints a row.
asked() {
	local name=$1 home=$2 what=$3 code=0
	shift 3
	[[ "$what" =~ $verbs ]] || return 0
	(cd "$home" && env -i PATH="$PATH" HOME="$home" timeout "$limit" \
		/usr/bin/time -o "$work/time" -f '%U %S %M %e' "$stemma" "${of[@]}" "$@") >"$work/out" 2>"$work/err" || code=$?
	tail -n 1 "$work/time" | awk -v name="$name" -v what="$what" -v code="$code" -v size="$(wc -c <"$work/out")" \
		'{ printf "| %s | `%s` | %.2f | %.0f | %.2f | %d | %d |\n", name, what, $1 + $2, $3 / 1024, $4, size, code }'
}

echo '| store | verb | processor, s | peak, MB | clock, s | bytes | exit |'
echo '|---|---|---|---|---|---|---|'
for dir in "$@"; do
	name=$(basename "$dir") home=$dir/home
	note=$(first "$home" note) belief=$(first "$home" belief)
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		line=${line//NOTE/$note}
		line=${line//BELIEF/$belief}
		line=${line//OUT/$work}
		rm -rf "$work/b.db" "$work/all.jsonl" "$work/one.jsonl"
		eval "asked '$name' '$home' \"\${line//\$work\//}\" $line"
	done <<-'VERBS'
		status
		doctor
		audit
		backup OUT/b.db
		export --out OUT/all.jsonl
		export BELIEF --out OUT/one.jsonl
		list
		list --limit -1
		list raw
		list raw --limit -1
		list --tag nosuchtag
		list --type nosuchtype
		list --oldest
		list --session talk-1
		raw list --unprocessed
		search "Person1 works at Acme"
		search nosuchword
		search --tag nosuchtag bogak
		recall "where does Person1 work"
		context "where does Person1 work"
		recent
		entities list
		entities show Person1
		conflicts
		conflicts --all
		forget candidates
		forget list
		review
		review --all
		jobs --all
		identity show
		goal list
		belief list
		belief history BELIEF
		meta uncertain
		meta lineage BELIEF
		meta history BELIEF
		taint BELIEF
		taint source:import
		taint source:nosuchsource
		trace BELIEF
		why BELIEF
		show BELIEF
		trust BELIEF
		check
		anchor check
		emotion summary
		relationship list
		playbook list
		playbook find bogak
		receipts
		key list
		migrate --infer-provenance
		witness requests
		drive list
		value list
		store list
	VERBS
done
