#!/usr/bin/env bash
# page.sh builds and tests the page that the binary serves.
#
#   scripts/page.sh install      npm's packages and Chromium
#   scripts/page.sh build        build it into internal/web/dist, and pack it for the
#                                program into internal/web/packed; to be committed
#   scripts/page.sh check        build it elsewhere and compare: what is committed
#                                must be what the sources say
#   scripts/page.sh test         drive it in Chromium, served by the real binary
#   scripts/page.sh screenshots  make those of docs/img
#   scripts/page.sh bench        measure it in Chromium, on 100,000 records and 5,000 nodes
#
# It needs Node.js 20 or later with npm, and for test and bench Chromium, which it
# installs where it may.
#
#   CHROMIUM           the browser to use (default: chromium)
#   STEMMA_SHOTS       a directory in which the tests leave pictures
#   STEMMA_OLD         an older binary: bench measures both by turns
set -euo pipefail
cd "$(dirname "$0")/.."

packages() {
	command -v npm >/dev/null || { echo "page.sh: npm is not installed" >&2; exit 1; }
	# only when the list of packages is newer than what is there
	[ web/node_modules/.package-lock.json -nt web/package-lock.json ] ||
		(cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel error)
}

browser() {
	CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
	if [ -z "$CHROMIUM" ]; then
		scripts/install.sh chromium fonts-dejavu-core
		CHROMIUM=$(command -v chromium)
	fi
	export CHROMIUM
}

# drive COMMAND... runs something against the real binary, built for it.
drive() {
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	CGO_ENABLED=0 go build -trimpath -o "$tmp/stemma" ./cmd/stemma
	STEMMA_BINARY=$tmp/stemma "$@"
}

case "${1:-}" in
install)
	packages
	browser
	;;
build)
	packages
	(cd web && npm run --silent build)
	mkdir -p internal/web/packed && touch internal/web/packed/none # to be compiled
	go test ./internal/web -run '^TestThePackedBundle' -count=1 -update
	;;
check)
	packages
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	(cd web && npx tsc --noEmit && npx vite build --logLevel error --outDir "$tmp/dist" --emptyOutDir)
	diff -r "$tmp/dist" internal/web/dist ||
		{ echo "internal/web/dist is not what web/ says: run scripts/page.sh build and commit it" >&2; exit 1; }
	;;
test)
	packages
	browser
	# a test waits for frames and answers half of its time: two files for each processor
	drive node --test --test-concurrency=$((2 * $(nproc))) web/test/*.test.mjs
	;;
screenshots)
	packages
	browser
	drive node web/test/screenshots.mjs docs/img
	;;
bench)
	packages
	browser
	if [ -n "${STEMMA_OLD:-}" ]; then drive node web/test/turns.mjs; else drive node web/test/bench.mjs; fi
	;;
*)
	sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
