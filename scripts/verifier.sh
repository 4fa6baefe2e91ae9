#!/usr/bin/env bash
# verifier.sh builds the page that checks bundles in a browser, with the same bytes on every machine.
#
#   scripts/verifier.sh VERSION OUT.html
set -euo pipefail
[ $# = 2 ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
version=$1 out=$2
[[ $out = /* ]] || out=$PWD/$out
cd "$(dirname "$0")/.."

unset GOOS GOARCH GOFLAGS GOEXPERIMENT GOWASM GODEBUG
export CGO_ENABLED=0 GOWORK=off
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags "-s -w -buildid=" -o "$tmp/audit.wasm" ./clients/verifier
go run ./clients/verifier "$version" "$tmp/audit.wasm" "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out"
