#!/usr/bin/env bash
# postgres.sh starts a PostgreSQL server of our own for tests, and removes it.
#
#   eval "$(scripts/postgres.sh start)"    sets STEMMA_TEST_POSTGRES, a DSN
#   scripts/postgres.sh stop               stops the server, deletes its files
#
# The server lives in a new temporary directory and listens on a free port of
# the loopback address only. Clusters of the system are never touched. If the
# server's programs are missing, Debian's packages are installed where that is
# allowed. Messages go to standard error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

say() { echo "postgres.sh: $*" >&2; }

# programs prints the directory of the newest server's programs.
programs() {
	local newest
	newest=$(find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
	[ -n "$newest" ] || newest=$(command -v initdb || true)
	[ -n "$newest" ] || return 1
	dirname "$newest"
}

# as_server runs a command as the server's user: PostgreSQL refuses to be root.
as_server() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

start() {
	local bin dir port try
	if ! bin=$(programs); then
		"$here/install.sh" postgresql
		bin=$(programs) || { say "the server's programs are not there"; exit 1; }
	fi
	# Not in TMPDIR: a socket's path must be short, and the server's user must
	# be able to reach it.
	dir=$(mktemp -d /tmp/stemma-postgres.XXXXXX)
	trap 'rm -rf "$dir"' EXIT
	[ "$(id -u)" != 0 ] || chown postgres: "$dir"
	cd "$dir"
	if ! as_server "$bin/initdb" --pgdata="$dir/data" --auth=trust --username=postgres \
		--encoding=UTF8 --locale=C --no-sync >"$dir/log" 2>&1; then
		cat "$dir/log" >&2
		exit 1
	fi
	as_server tee -a "$dir/data/postgresql.conf" >/dev/null <<-CONF
		listen_addresses = '127.0.0.1'
		unix_socket_directories = '$dir'
		max_connections = 200
		fsync = on
	CONF
	[ "$(id -u)" != 0 ] || chown postgres: "$dir/log"
	for try in 1 2 3 4 5; do
		# Below the ports the system gives to outgoing connections.
		port=$((20000 + RANDOM % 12000))
		if as_server "$bin/pg_ctl" --pgdata="$dir/data" --log="$dir/log" --options="-p $port" \
			--wait --silent start >&2; then
			trap - EXIT
			printf 'export STEMMA_TEST_POSTGRES=%q STEMMA_POSTGRES_DIR=%q\n' \
				"postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable" "$dir"
			return
		fi
		say "no server on port $port (try $try of 5)"
	done
	cat "$dir/log" >&2
	exit 1
}

stop() {
	local dir=${STEMMA_POSTGRES_DIR:-} bin
	case "$dir" in
	*..*) say "that is no directory of start: $dir"; return 1 ;;
	/tmp/stemma-postgres.*) ;;
	*) say "nothing to stop: STEMMA_POSTGRES_DIR is not set by start"; return ;;
	esac
	if [ -f "$dir/data/postmaster.pid" ]; then
		cd "$dir"
		bin=$(programs)
		# The files go next, so there is nothing to save.
		as_server "$bin/pg_ctl" --pgdata="$dir/data" --mode=immediate --wait --silent stop >&2 || true
	fi
	cd /
	rm -rf "$dir"
}

case "${1:-}" in
start) start ;;
stop) stop ;;
*) say "usage: postgres.sh start|stop"; exit 2 ;;
esac
