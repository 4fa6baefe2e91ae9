#!/usr/bin/env bash
# release.sh builds what a release has, with the same bytes on every machine.
#
#   scripts/release.sh VERSION [OUTDIR [PLATFORM...]]
#
# VERSION is like 0.1.0, OUTDIR is dist by default, and a PLATFORM is like
# linux/amd64: all six by default. OUTDIR gets an archive for each platform with
# the program, its license, that of the model within and README.md, an MCP bundle for each (.mcpb), a page that verifies
# bundles in a browser, server.json for the MCP registry, a list of all modules in it (SPDX),
# and SHA256SUMS. The same commit and the same version of Go give the same bytes.
#
#   STEMMA_RELEASE_KEY   a file with an SSH key that signs SHA256SUMS
#   SOURCE_DATE_EPOCH    the time in the archives (default: that of the commit)
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/.."

usage() {
	sed -n '2,/^[^#]/s/^# \{0,1\}//p' scripts/release.sh >&2
	exit 2
}

[ $# -ge 1 ] || usage
version=${1#v} out=${2:-$PWD/dist}
[[ $out = /* ]] || out=$from/$out
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || {
	echo "release.sh: \"$1\" is no version such as 0.1.0" >&2
	exit 2
}
if [ $# -gt 2 ]; then
	platforms=("${@:3}")
else
	platforms=({linux,darwin,windows}/{amd64,arm64})
fi
when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}

# What the environment could change in the bytes is set here.
unset GOOS GOARCH GOFLAGS GOEXPERIMENT GOARM64 GODEBUG
export CGO_ENABLED=0 GOAMD64=v1 GOWORK=off

# What runs once in a command, and never while many records are read, is compiled without inlining: 1 MB less.
cold=()
for package in internal/{carrier,anchor,prov,svg,web,serve,hub,hub/client,hub/signin,cli,hosts,importers,anamnesis,settings,extract,markdown,symbol,mcpserver,access,otlp,tracing,metrics,git,decisions,work,follow,layout,code,httpapi,ops,toolset,brief,journal,datasets,seal,owned} \
	internal/engine/{intake,lifecycle,care,mind,folder,exchange,removal,keyring} internal/model/{sim,remote,openai,anthropic,ollama}; do
	cold+=("-gcflags=github.com/stemma-memory/stemma/$package=-l")
done
for package in github.com/modelcontextprotocol/go-sdk/... github.com/google/jsonschema-go/... \
	github.com/segmentio/encoding/... github.com/BurntSushi/toml/... github.com/spf13/{cobra,pflag} \
	crypto/{tls,x509} encoding/{gob,asn1,xml,csv} regexp/syntax go/{parser,ast} golang.org/x/crypto/ssh \
	text/template text/template/parse net log/slog os/exec mime/... golang.org/x/oauth2/... golang.org/x/text/language golang.org/x/mod/... \
	github.com/tailscale/hujson github.com/aymanbagabas/go-udiff/... github.com/yosida95/uritemplate/v3; do
	cold+=("-gcflags=$package=-l")
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
binaries=()
for platform in "${platforms[@]}"; do
	name=${platform%/*}_${platform#*/} suffix=
	[ "${platform%/*}" != windows ] || suffix=.exe
	# No -buildvcs: an unpacked archive of the sources has no git. HTTP/2 would be 530 kB for what nothing asks for.
	GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -buildvcs=false -tags nethttpomithttp2 "${cold[@]}" \
		-ldflags "-s -w -buildid= -X main.version=$version" -o "$tmp/$name/stemma$suffix" ./cmd/stemma
	binaries+=("$tmp/$name/stemma$suffix")
done

scripts/verifier.sh "$version" "$tmp/verify.html"

mkdir -p "$out"
# What an earlier run left would not be among the checksums.
rm -f "$out"/stemma_* "$out"/server.json "$out"/SHA256SUMS*
go run ./scripts/release "$version" "$when" "$out" "$tmp/verify.html" "${binaries[@]}"
if [ -n "${STEMMA_RELEASE_KEY:-}" ]; then
	ssh-keygen -q -Y sign -f "$STEMMA_RELEASE_KEY" -n file "$out/SHA256SUMS"
fi
ls -l "$out"
