#!/usr/bin/env bash
# team.sh plays two teams at one hub, by the commands of the how-to pages, and prints what they print.
#
#   scripts/team.sh DIR [PEOPLE [MACHINES]]   20 people and 20 machines, unless it is said otherwise
#
# DIR is a new directory, in which everything is made. The program is the `stemma` in PATH. The hub is a file; with
# STEMMA_TEST_POSTGRES it is a schema of that server with 4 shards, and with STEMMA_TEST_CITUS shards on its nodes.
# Everybody joins, works on one belief while the hub is away, and syncs; a keeper resolves what differs; a shard moves;
# a person leaves; a purge reaches every store. It ends with an error if a store is left with another state.
set -euo pipefail
dir=${1:?usage: team.sh DIR [PEOPLE [MACHINES]]} people=${2:-20} machines=${3:-20}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
[ -z "$(ls -A "$dir")" ] || { echo "team.sh: $dir is not empty" >&2; exit 2; }
server=${STEMMA_TEST_CITUS:-${STEMMA_TEST_POSTGRES:-}}
export STEMMA_HUB_DIR=$dir/hub
secret="the door code is 4711-kingfisher"
began=$SECONDS
hub=

step() { printf '\n## %s (%d s)\n' "$*" $((SECONDS - began)); }
wrong() { echo "team.sh: $*" >&2; exit 1; }

# as WHO COMMAND… runs a command for somebody with a data directory; own is a person at a terminal.
as() {
	local who=$1
	shift
	env HOME="$dir/$who" XDG_DATA_HOME="$dir/$who" XDG_CONFIG_HOME="$dir/$who" XDG_CACHE_HOME="$dir/$who/cache" "$@"
}
own() {
	local who=$1
	shift
	as "$who" script -qec "stty -onlcr -echo; exec $(printf '%q ' "$@")" /dev/null
}

serve() {
	rm -f "$dir/url"
	stemma hub serve --addr "127.0.0.1:${port:-0}" >"$dir/url" 2>>"$dir/hub.log" &
	hub=$!
	until [ -s "$dir/url" ]; do
		kill -0 $hub || wrong "the hub does not start: $(tail -n 3 "$dir/hub.log")"
		sleep 0.1
	done
	url=$(cat "$dir/url")
	port=${url##*:}
}
stops() {
	[ -z "$hub" ] || { kill -INT "$hub" && wait "$hub" || true; }
	hub=
}
trap stops EXIT

# everybody COMMAND… runs a command for all who are in, one after the other, and shows what the first and the last say.
everybody() {
	local who out i=0
	for who in $in; do
		out=$(as "$who" "$@" 2>&1) || wrong "$who: $*: $out"
		i=$((i + 1))
		[ "$i" != 1 ] && [ "$who" != "$last" ] || printf '%s$ %s\n%s\n' "$who" "$*" "$out"
	done
}

# beliefs SPACE of somebody, one a line, as a reader gets them.
beliefs() { as "$1" stemma --space "$2" list --kind belief --json | grep -o '"statement": "[^"]*"' | sort || true; }

step "a hub"
if [ -n "$server" ]; then
	schema=team_$$_$(date +%s)
	psql -qAtX "$server" -c "CREATE SCHEMA $schema"
	admin="$server&search_path=$schema"
	stemma hub migrate --admin "$admin" --role "$schema" --shards 4
fi
stemma hub init --name hub.test
serve

step "two teams, each with a keeper"
for team in red blue; do
	as keeper-$team mkdir -p "$dir/keeper-$team"
	as keeper-$team stemma init --user >"$dir/said"
	space=$(grep -o 'did:key:[A-Za-z0-9]*/main' "$dir/said")
	eval "space_$team=$space"
	own keeper-$team stemma remote add team "$url" --invitation "$(stemma hub invite 2>/dev/null | grep -o 'stemma-invitation-.*')"
	as keeper-$team stemma belief "The $team team deploys on Mondays" >"$dir/said"
	eval "first_$team=$(grep -o 'belief:[0-9a-f]*' "$dir/said" | head -n 1)"
	as keeper-$team stemma sync
done
in="keeper-red keeper-blue"
space_of() { case $1 in *red*) echo "$space_red" ;; *) echo "$space_blue" ;; esac; }
first_of() { case $1 in *red*) echo "$first_red" ;; *) echo "$first_blue" ;; esac; }

step "$people people join with invitations"
for team in red blue; do
	n=$(((people + 1) / 2))
	[ $team = red ] || n=$((people / 2))
	stemma hub invite "$(space_of $team)" --role writer --count "$n" >"$dir/codes-$team" 2>/dev/null
	i=0
	for code in $(grep -o 'stemma-invitation-.*' "$dir/codes-$team"); do
		i=$((i + 1)) who=$team-$i
		mkdir -p "$dir/$who"
		as "$who" stemma init --user >"$dir/said"
		own "$who" stemma remote add team "$url" --invitation "$code" --label "$who" >"$dir/said" || wrong "$who: $(cat "$dir/said")"
		in="$in $who" last=$who
	done
done

step "$machines machines join with service files, without a terminal"
for team in red blue; do
	n=$(((machines + 1) / 2))
	[ $team = red ] || n=$((machines / 2))
	[ "$n" -gt 0 ] || continue
	own keeper-$team stemma remote service add team "$team-agent" --count "$n" --out "$dir/services-$team" | tail -n 1
	for file in "$dir/services-$team"/*.json; do
		who=$(basename "$file" .json)
		mkdir -p "$dir/$who"
		as "$who" stemma remote join "$file" >"$dir/said" 2>&1 || wrong "$who: $(cat "$dir/said")"
		in="$in $who" last=$who
	done
done
everybody stemma sync

step "the hub is away; everybody works on the belief of their team"
stops
for who in $in; do
	case $who in
	*agent*) as "$who" stemma --space "$(space_of "$who")" belief "$who: deploys took $((RANDOM % 50)) minutes" >/dev/null ;;
	*) own "$who" stemma --space "$(space_of "$who")" revise "$(first_of "$who")" -m "$who: the team deploys on day $((RANDOM % 7))" >"$dir/said" ||
		wrong "$who: $(cat "$dir/said")" ;;
	esac
done
as red-1 stemma sync && wrong "a sync without a hub ends well" || echo "red-1: exit $?"

step "it is back: everybody syncs, and sees that they differ"
serve
everybody stemma sync
everybody stemma sync
for team in red blue; do
	for who in $in; do
		case $who in *$team*) echo "$who: $(as "$who" stemma conflicts --limit -1 --json | grep -o '"link:[0-9a-f]*"' | sort -u | wc -l) differ" ;; esac
	done | sort -k2 | uniq -c -f1 | head -n 5
done

step "the keepers resolve; everybody syncs"
for team in red blue; do
	keeper=keeper-$team decided=0
	for round in $(seq 200); do
		link=$(as $keeper stemma conflicts --limit -1 --json | grep -o '"ref": "link:[0-9a-f]*"' | grep -o 'link:[0-9a-f]*' | head -n 1 || true)
		[ -n "$link" ] || break
		own $keeper stemma resolve "$link" --keep old >"$dir/said" || wrong "$keeper: resolve $link: $(cat "$dir/said")"
		decided=$round
	done
	fork=$(as $keeper stemma conflicts --json | grep -o '"forks": \[$' || true)
	echo "$keeper decided $decided times${fork:+, and forks are left}"
done
everybody stemma sync
everybody stemma sync
for who in $in; do
	left=$(as "$who" stemma conflicts --limit -1 --json | grep -c '"ref": "link:' || true)
	[ "$left" = 0 ] || wrong "$who: $left conflicts are left"
	[ "$(beliefs "$who" "$(space_of "$who")")" = "$(beliefs "$(case $who in *red*) echo keeper-red ;; *) echo keeper-blue ;; esac)" "$(space_of "$who")")" ] ||
		wrong "$who has another state than the keeper"
done
echo "one state: $(beliefs keeper-red "$space_red" | wc -l) beliefs of red, $(beliefs keeper-blue "$space_blue" | wc -l) of blue"

if [ -n "$server" ]; then
	step "a shard moves while people sync"
	(while [ ! -f "$dir/moved" ]; do as red-1 stemma sync || exit 1; done >"$dir/meanwhile" 2>&1) &
	beside=$!
	stemma hub shard list
	no=$(stemma hub shard list --json | tr -d ' \n' | grep -o '"shard":[0-9]*,"schema":"[^"]*","accounts":[1-9]' | head -n 1 | grep -o '[0-9]*' | head -n 1)
	stemma hub shard split "$no" --admin "$admin" --role "$schema" || true
	if [ -n "${STEMMA_TEST_CITUS:-}" ]; then
		at=$(psql -qAtX "$server" -c "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name::text LIKE '$schema%.records' LIMIT 1")
		to=$(psql -qAtX "$server" -c "SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE groupid <> 0 AND nodeport <> $at LIMIT 1")
		for no in 1 2 3; do
			on=$(psql -qAtX "$server" -c "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name::text = '${schema}_shard_00$no.records'")
			[ "$on" = "${to##*:}" ] || { stemma hub shard move $no --to "$to" --admin "$admin"; break; }
		done
	fi
	touch "$dir/moved"
	wait $beside || wrong "red-1 did not sync while a shard moved: $(tail -n 2 "$dir/meanwhile")"
	stemma hub shard list
fi

step "a person leaves"
gone=red-1
account=$(stemma hub account list --json | tr -d ' \n' | grep -o "\"account\":\"did:key:[A-Za-z0-9]*\",\"name\":\"$gone\"" |
	grep -o 'did:key:[A-Za-z0-9]*')
stemma hub export "$account" --out "$dir/red-1.jsonl"
stemma hub account end "$account" --reason "left the team"
as $gone stemma sync && wrong "$gone still syncs" || echo "$gone: exit $?"
in=$(printf '%s ' $in | sed "s/ $gone / /")

step "a purge reaches every store"
as keeper-red stemma belief "$secret" >"$dir/said"
slip=$(grep -o 'belief:[0-9a-f]*' "$dir/said" | head -n 1)
as keeper-red stemma sync
everybody stemma sync >/dev/null
held=$(grep -l "kingfisher" "$dir"/*/stemma/memory.db* | wc -l)
own keeper-red stemma purge "$slip" --reason "a door code" --yes
everybody stemma sync
as keeper-red stemma remote list
own keeper-red stemma purge "$slip" --status || wrong "a machine has not said that it erased the words"
left=$(for who in $in; do grep -l "kingfisher" "$dir/$who/stemma/"* 2>/dev/null || true; done)
[ -z "$left" ] || wrong "the words are still in $left"
echo "the words were in $held files of stores, and are in none of those who are in"
if [ -z "$server" ]; then
	left=$(grep -l kingfisher "$dir"/hub/* || true)
elif command -v pg_dump >/dev/null; then
	left=$(pg_dump --data-only --schema="$schema*" --dbname="$server" | grep -c "$(printf kingfisher | od -An -tx1 | tr -d ' \n')" || true)
	left=${left#0}
fi
[ -z "$left" ] || wrong "the hub still has the words: $left"
echo "the hub has them no more"

step "every store is whole"
everybody stemma doctor
echo "$(printf '%s\n' $in | wc -l) stores in $((SECONDS - began)) s"
stops
if [ -n "$server" ]; then
	for s in $(psql -qAtX "$server" -c "SELECT nspname FROM pg_namespace WHERE nspname LIKE '$schema%'"); do
		psql -qAtX "$server" -c "DROP SCHEMA $s CASCADE" 2>/dev/null
	done
	psql -qAtX "$server" -c "DROP OWNED BY $schema" -c "DROP ROLE $schema"
fi
