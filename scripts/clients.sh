#!/usr/bin/env bash
# clients.sh tests the clients in other languages against the real server. That they have the
# operations and types of the API is a test of internal/httpapi.
#
#   scripts/clients.sh python       needs python3, 3.9 or later
set -euo pipefail
cd "$(dirname "$0")/.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
binary() {
	CGO_ENABLED=0 go build -trimpath -o "$tmp/stemma" ./cmd/stemma
	export STEMMA_BINARY=$tmp/stemma
}

case "${1:-}" in
python)
	binary
	cd clients/python && PYTHONDONTWRITEBYTECODE=1 python3 -W error -m unittest
	;;
*)
	sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
