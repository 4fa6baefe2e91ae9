#!/usr/bin/env bash
# citus.sh starts PostgreSQL with Citus on three nodes for tests, and removes them.
#
#   eval "$(scripts/citus.sh start [SOURCE])"  sets STEMMA_TEST_CITUS, a DSN of the coordinator
#   scripts/citus.sh node N stop|start         stops or starts worker 1 or 2
#   scripts/citus.sh stop                      stops the nodes, deletes their files
#
# SOURCE, or what CITUS_SOURCE names, is a source tree of Citus: 13.2.2 is the last that builds with PostgreSQL 15. For a
# later one CITUS_POSTGRES names a directory with a later PostgreSQL and its headers: 14.0.1 runs on 18.6. It is built
# once, into a directory of its own in the user's cache, and installed into PostgreSQL; SOURCE is only read. The nodes
# live in a new temporary directory and listen on free ports of the loopback address only. Citus is under the AGPL, a
# server of its own: nothing of it is part of this project. Messages go to standard error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

say() { echo "citus.sh: $*" >&2; }

as_server() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

# built prints a directory with the server and Citus in it.
built() {
	local source=$1 bin version root work
	[ -x "$source/configure" ] && [ -d "$source/src/backend/distributed" ] ||
		{ say "$source is no source tree of Citus"; return 1; }
	bin=$(pg_config_dir) || {
		[ -z "${CITUS_POSTGRES:-}" ] || { say "$CITUS_POSTGRES has no PostgreSQL with its headers: CITUS_POSTGRES"; return 1; }
		"$here/install.sh" postgresql postgresql-server-dev-15 libcurl4-openssl-dev liblz4-dev libzstd-dev libssl-dev \
			libkrb5-dev libxslt1-dev libxml2-dev libicu-dev libpam0g-dev libreadline-dev libselinux1-dev zlib1g-dev flex gcc make
		bin=$(pg_config_dir)
	}
	version=$("$bin/pg_config" --version | tr -c 'A-Za-z0-9.\n' '-')
	root=${XDG_CACHE_HOME:-$HOME/.cache}/stemma-check/citus-$version-$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$source/configure")
	if [ ! -f "$root/done" ]; then
		work=$(mktemp -d)
		say "building Citus, some minutes"
		cp -a "$source/." "$work/"
		chmod -R u+w "$work"
		touch "$work/configure" # it is not made again
		# PostgreSQL 15's later minor versions have this function; the copy would be a second one. Later trees have none.
		awk '/^static inline bool$/ { held = $0; next }
			held != "" { if (/^have_createdb_privilege/) skip = 1; else print held; held = "" }
			!skip { print }
			skip && /^}$/ { skip = 0 }' "$source/src/include/pg_version_compat.h" >"$work/src/include/pg_version_compat.h"
		(cd "$work" && ./configure --quiet PG_CONFIG="$bin/pg_config" && make --silent -j2 extension) >"$work/log" 2>&1 ||
			{ tail -n 20 "$work/log" >&2; say "Citus does not build; see $work/log"; return 1; }
		rm -rf "$root"
		mkdir -p "$root"
		make --silent -C "$work" install-extension DESTDIR="$root/new" >>"$work/log" 2>&1 ||
			{ tail -n 20 "$work/log" >&2; return 1; }
		touch "$root/done"
		rm -rf "$work"
	fi
	echo "$root"
}

pg_config_dir() {
	local at=${CITUS_POSTGRES:-/usr/lib/postgresql/15}/bin
	[ -x "$at/pg_config" ] && [ -x "$at/initdb" ] && [ -d "$("$at/pg_config" --includedir-server)" ] && echo "$at"
}

# put copies what was built to where the server looks for it, if it is not there.
put() {
	local root=$1 bin=$2 lib
	lib=$("$bin/pg_config" --pkglibdir)
	cmp -s "$root/new$lib/citus.so" "$lib/citus.so" && return
	if [ -w "$lib" ]; then
		cp -r "$root/new/." /
	else
		sudo -n cp -r "$root/new/." /
	fi
}

on() { as_server psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -U postgres postgres -c "$2"; }

run_node() { # DIR NAME: starts a node that was made, on its port
	as_server "$(pg_config_dir)/pg_ctl" --pgdata="$1/$2" --log="$1/$2.log" --options="-p $(cat "$1/$2.port")" \
		--wait --silent start >&2
}

start() {
	local root bin dir node port try
	[ -n "${1:-${CITUS_SOURCE:-}}" ] || { say "usage: citus.sh start SOURCE"; exit 2; }
	root=$(built "${1:-$CITUS_SOURCE}")
	bin=$(pg_config_dir)
	put "$root" "$bin"
	dir=$(mktemp -d /tmp/stemma-citus.XXXXXX)
	trap 'rm -rf "$dir"' EXIT
	[ "$(id -u)" != 0 ] || chown postgres: "$dir"
	cd "$dir"
	for node in coordinator worker1 worker2; do
		as_server "$bin/initdb" --pgdata="$dir/$node" --auth=trust --username=postgres --encoding=UTF8 --locale=C \
			--no-sync >"$dir/made" 2>&1 || { cat "$dir/made" >&2; exit 1; }
		as_server tee -a "$dir/$node/postgresql.conf" >/dev/null <<-CONF
			listen_addresses = '127.0.0.1'
			unix_socket_directories = '$dir'
			max_connections = 300
			shared_preload_libraries = 'citus'
			wal_level = logical
			citus.enable_schema_based_sharding = on
			citus.enable_unsafe_triggers = on
			citus.enable_version_checks = on
			citus.node_conninfo = 'sslmode=disable'
		CONF
		for try in 1 2 3 4 5; do
			port=$((20000 + RANDOM % 12000))
			echo "$port" >"$dir/$node.port"
			chmod a+r "$dir/$node.port"
			run_node "$dir" "$node" && break
			[ "$try" != 5 ] || { cat "$dir/$node.log" >&2; exit 1; }
		done
		on "$port" "CREATE EXTENSION citus"
	done
	port=$(cat "$dir/coordinator.port")
	on "$port" "SELECT citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
	for node in worker1 worker2; do
		on "$port" "SELECT citus_add_node('127.0.0.1', $(cat "$dir/$node.port"))" >/dev/null
	done
	trap - EXIT
	printf 'export STEMMA_TEST_CITUS=%q STEMMA_CITUS_DIR=%q\n' \
		"postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable" "$dir"
}

ours() {
	case "${STEMMA_CITUS_DIR:-}" in
	*..*) say "that is no directory of start: $STEMMA_CITUS_DIR"; return 1 ;;
	/tmp/stemma-citus.*) ;;
	*) say "nothing is started: STEMMA_CITUS_DIR is not set by start"; return 1 ;;
	esac
}

node() {
	local bin
	ours
	bin=$(pg_config_dir)
	cd "$STEMMA_CITUS_DIR"
	case "${1:-} ${2:-}" in
	"1 stop" | "2 stop") as_server "$bin/pg_ctl" --pgdata="$STEMMA_CITUS_DIR/worker$1" --mode=immediate --wait --silent stop >&2 ;;
	"1 start" | "2 start") run_node "$STEMMA_CITUS_DIR" "worker$1" ;;
	*) say "usage: citus.sh node 1|2 stop|start"; exit 2 ;;
	esac
}

stop() {
	local bin n
	ours || return 0
	bin=$(pg_config_dir)
	cd "$STEMMA_CITUS_DIR"
	for n in coordinator worker1 worker2; do
		as_server "$bin/pg_ctl" --pgdata="$STEMMA_CITUS_DIR/$n" --mode=immediate --wait --silent stop >&2 || true
	done
	cd /
	rm -rf "$STEMMA_CITUS_DIR"
}

what=${1:-}
[ $# = 0 ] || shift
case "$what" in
start | node | stop) "$what" "$@" ;;
*) say "usage: citus.sh start SOURCE|node 1|2 stop|start|stop"; exit 2 ;;
esac
