#!/usr/bin/env bash
# pitr.sh runs the recipe of docs/how-to/backup.md, "To a moment", on a PostgreSQL server of its own for tests.
#
#   scripts/pitr.sh start               starts a server that archives its log; prints STEMMA_PITR_ADDRESS and _DIR
#   scripts/pitr.sh base DIR            makes a base backup
#   scripts/pitr.sh destroy DIR         waits until the log is archived, kills the server and deletes its data
#   scripts/pitr.sh restore DIR TIME    restores the server as it was at TIME, from the base backup and the archive
#   scripts/pitr.sh stop DIR            stops the server, deletes its files
#
# The server lives in a new directory and listens on a free port of the loopback address only.
set -euo pipefail
verb=${1:-} dir=${2:-}

say() { echo "pitr.sh: $*" >&2; }

bin=$(dirname "$(find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)")
if [ "$bin" = . ]; then bin=$(dirname "$(command -v initdb)"); fi

# as_server runs one of the server's programs as the server's user: PostgreSQL refuses to be root.
as_server() {
	local program=$1
	shift
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$bin/$program" "$@"
	else
		"$bin/$program" "$@"
	fi
}

sql() { as_server psql -h 127.0.0.1 -p "$(cat "$dir/port")" -U postgres -qAtX -v ON_ERROR_STOP=1 -c "$1" postgres; }

up() { as_server pg_ctl --pgdata="$dir/data" --log="$dir/log" --options="-p $(cat "$dir/port")" --wait --silent start >&2; }

# give gives a file to the server's user.
give() { [ "$(id -u)" != 0 ] || chown -R postgres: "$@"; }

case "$verb" in
base | destroy | restore | stop)
	case "$dir" in
	*..*) say "that is no directory of start: $dir" && exit 2 ;;
	/tmp/stemma-pitr.*) cd "$dir" ;;
	*) say "that is no directory of start: $dir" && exit 2 ;;
	esac
	;;
esac

case "$verb" in
start)
	dir=$(mktemp -d /tmp/stemma-pitr.XXXXXX)
	trap 'rm -rf "$dir"' EXIT
	cd "$dir"
	mkdir archive && touch log && give "$dir"
	as_server initdb --pgdata="$dir/data" --auth=trust --username=postgres --encoding=UTF8 --locale=C --no-sync >log
	cat >>data/postgresql.conf <<-CONF
		listen_addresses = '127.0.0.1'
		unix_socket_directories = '$dir'
		archive_mode = on
		archive_command = 'test ! -f $dir/archive/%f && cp %p $dir/archive/part && mv $dir/archive/part $dir/archive/%f'
		archive_timeout = 60
	CONF
	for try in 1 2 3 4 5; do
		# Below the ports that the system gives to outgoing connections.
		echo $((20000 + RANDOM % 12000)) >port
		if up; then
			trap - EXIT
			echo "STEMMA_PITR_ADDRESS=postgres://postgres@127.0.0.1:$(cat port)/postgres?sslmode=disable"
			echo "STEMMA_PITR_DIR=$dir"
			exit
		fi
		say "no server on port $(cat port) (try $try of 5)"
	done
	exit 1
	;;
base)
	as_server pg_basebackup -h 127.0.0.1 -p "$(cat port)" -U postgres --checkpoint=fast --no-sync -D "$dir/base"
	;;
destroy)
	last=$(sql 'SELECT pg_walfile_name(pg_current_wal_lsn())')
	sql 'SELECT pg_switch_wal()' >/dev/null
	for ((i = 0; ; i++)); do
		[ ! -f "archive/$last" ] || break
		[ "$i" -lt 300 ] || { say "the log was not archived: $last" && exit 1; }
		sleep 0.1
	done
	as_server pg_ctl --pgdata="$dir/data" --mode=immediate --wait --silent stop
	rm -rf "$dir/data"
	;;
restore)
	cp -r base data
	cat >>data/postgresql.auto.conf <<-CONF
		restore_command = 'cp $dir/archive/%f %p'
		recovery_target_time = '${3:?a time}'
		recovery_target_action = 'promote'
	CONF
	touch data/recovery.signal
	chmod 700 data
	give data
	up
	for ((i = 0; ; i++)); do
		[ "$(sql 'SELECT pg_is_in_recovery()')" != f ] || break
		[ "$i" -lt 300 ] || { tail -n 20 log >&2 && exit 1; }
		sleep 0.1
	done
	;;
stop)
	[ ! -f data/postmaster.pid ] || as_server pg_ctl --pgdata="$dir/data" --mode=immediate --wait --silent stop >&2 || true
	cd /
	rm -rf "$dir"
	;;
*)
	say "usage: pitr.sh start | base DIR | destroy DIR | restore DIR TIME | stop DIR"
	exit 2
	;;
esac
