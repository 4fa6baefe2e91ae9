#!/usr/bin/env bash
# pgvector.sh starts a PostgreSQL with the extension pgvector for tests, and
# removes it.
#
#   eval "$(scripts/pgvector.sh start)"    sets STEMMA_TEST_PGVECTOR, a DSN
#   scripts/pgvector.sh stop               stops the server, deletes its files
#
# Debian's server has no such package in every release, so this one is PGlite: a
# PostgreSQL that Node.js runs, with all it keeps in memory. All connections to
# it are one session. npm installs it, once, into a directory of its own in the
# user's cache. It listens on a free port of the loopback address only. Messages
# go to standard error.
set -euo pipefail

pglite=0.5.16 socket=0.2.17 vector=0.0.15

say() { echo "pgvector.sh: $*" >&2; }

# install prints the directory the server is installed in.
install() {
	local dir=${XDG_CACHE_HOME:-$HOME/.cache}/stemma-check/pglite-$pglite-$socket-$vector temp
	if [ ! -f "$dir/node_modules/.bin/pglite-server" ]; then
		command -v npm >/dev/null || { say "npm is not installed"; return 1; }
		mkdir -p "$(dirname "$dir")"
		temp=$(mktemp -d "$dir.XXXXXX")
		# --legacy-peer-deps: the server names an older PGlite, and a dozen extensions
		local flags=(--legacy-peer-deps --no-audit --no-fund --no-save --ignore-scripts --loglevel=error)
		if ! npm install --prefix "$temp" "${flags[@]}" \
			"@electric-sql/pglite@$pglite" "@electric-sql/pglite-socket@$socket" \
			"@electric-sql/pglite-pgvector@$vector" >&2; then
			rm -rf "$temp"
			say "npm could not install PGlite"
			return 1
		fi
		# Whoever was faster has installed the same.
		if [ -d "$dir" ]; then rm -rf "$temp"; else mv "$temp" "$dir"; fi
	fi
	echo "$dir"
}

start() {
	local where dir port pid try
	command -v node >/dev/null || { say "Node.js is not installed"; exit 1; }
	where=$(install) || exit 1
	dir=$(mktemp -d /tmp/stemma-pgvector.XXXXXX)
	trap 'rm -rf "$dir"' EXIT
	for try in 1 2 3 4 5; do
		# Below the ports the system gives to outgoing connections.
		port=$((20000 + RANDOM % 12000))
		cd "$where"
		node node_modules/.bin/pglite-server --db=memory:// --host=127.0.0.1 --port="$port" --max-connections=16 \
			--extensions=@electric-sql/pglite-pgvector:vector >"$dir/log" 2>&1 </dev/null &
		pid=$!
		for _ in $(seq 600); do
			if grep -q 'listening on' "$dir/log"; then
				echo "$pid" >"$dir/pid"
				trap - EXIT
				printf 'export STEMMA_TEST_PGVECTOR=%q STEMMA_PGVECTOR_DIR=%q\n' \
					"postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable&default_query_exec_mode=exec&pool_max_conns=1" "$dir"
				return
			fi
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
		kill "$pid" 2>/dev/null || true
		say "no server on port $port (try $try of 5)"
	done
	cat "$dir/log" >&2
	say "PGlite does not start"
	exit 1
}

stop() {
	local dir=${STEMMA_PGVECTOR_DIR:-} pid
	case "$dir" in
	*..*) say "that is no directory of start: $dir"; return 1 ;;
	/tmp/stemma-pgvector.*) ;;
	*) say "nothing to stop: STEMMA_PGVECTOR_DIR is not set by start"; return ;;
	esac
	pid=$(cat "$dir/pid" 2>/dev/null || true)
	# The number may be another process's by now.
	if [ -n "$pid" ] && ps -p "$pid" -o args= 2>/dev/null | grep -q pglite-server; then
		kill "$pid" 2>/dev/null || true
	fi
	rm -rf "$dir"
}

case "${1:-}" in
start) start ;;
stop) stop ;;
*) say "usage: pgvector.sh start|stop"; exit 2 ;;
esac
