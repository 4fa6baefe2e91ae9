#!/usr/bin/env bash
# clients.sh tests the clients in other languages against the real server. That they have the
# operations and types of the API is a test of internal/httpapi.
#
#   scripts/clients.sh python       needs python3, 3.9 or later
#   scripts/clients.sh install      npm's packages for the next; needs Node.js 20 or later with npm
#   scripts/clients.sh typescript
#   scripts/clients.sh verifier     needs Node.js 20 or later; the page that checks bundles
set -euo pipefail
cd "$(dirname "$0")/.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
binary() {
	CGO_ENABLED=0 go build -trimpath -o "$tmp/stemma" ./cmd/stemma
	export STEMMA_BINARY=$tmp/stemma
}

packages() {
	command -v npm >/dev/null || { echo "clients.sh: npm is not installed" >&2; exit 1; }
	# only when the list of packages is newer than what is there
	[ clients/typescript/node_modules/.package-lock.json -nt clients/typescript/package-lock.json ] ||
		(cd clients/typescript && npm ci --ignore-scripts --no-audit --no-fund --loglevel error)
}

case "${1:-}" in
python)
	binary
	cd clients/python && PYTHONDONTWRITEBYTECODE=1 python3 -W error -m unittest
	;;
install) packages ;;
typescript)
	packages
	binary
	cd clients/typescript && npm --silent test
	;;
verifier)
	command -v node >/dev/null || { echo "clients.sh: Node.js is not installed" >&2; exit 1; }
	binary
	scripts/verifier.sh 0.0.0-test "$tmp/verify.html"
	STEMMA_VERIFIER=$tmp/verify.html node --test clients/verifier/test/*.test.mjs
	;;
*)
	sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
