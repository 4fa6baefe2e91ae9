#!/usr/bin/env bash
# hosts.sh runs stemma in agents' hosts themselves: each in an empty home, with a
# model server of the test's own on this machine.
#
#   scripts/hosts.sh install    prints the directory their programs are in
#   scripts/hosts.sh            installs them if need be, and runs the tests
#
# npm installs them, once, each version into a directory of its own in the user's
# cache. One that cannot be installed is named, and the others are tested.
set -euo pipefail
cd "$(dirname "$0")/.."

hosts=(@anthropic-ai/claude-code@2.1.197 @openai/codex@0.169.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33
	@qwen-code/qwen-code@0.24.4 @github/copilot@1.0.102)

say() { echo "hosts.sh: $*" >&2; }

# install prints the directory the programs are installed in.
install() {
	local dir host name
	dir=${XDG_CACHE_HOME:-$HOME/.cache}/stemma-check/hosts
	command -v npm >/dev/null || { say "npm is not installed"; return 1; }
	mkdir -p "$dir/bin"
	for host in "${hosts[@]}"; do
		name=${host//[@\/]/_}
		if [ ! -e "$dir/$name/installed" ]; then
			mkdir -p "$dir/$name"
			npm install --prefix "$dir/$name" --no-audit --no-fund --no-save --loglevel=error --ignore-scripts \
				--engine-strict=false "$host" >&2 || { say "npm could not install $host"; continue; }
			case $host in # what npm would have run after it
			@anthropic-ai/*) (cd "$dir/$name/node_modules/@anthropic-ai/claude-code" && node install.cjs >&2) ;;
			opencode-ai*) (cd "$dir/$name/node_modules/opencode-ai" && node postinstall.mjs >&2) ;;
			esac
			touch "$dir/$name/installed"
		fi
		find "$dir/$name/node_modules/.bin" -name claude -o -name codex -o -name gemini -o -name opencode -o -name qwen \
			-o -name copilot |
			while read -r program; do ln -sf "$program" "$dir/bin/"; done
	done
	echo "$dir/bin"
}

case "${1:-}" in
install) install ;;
"")
	where=$(install) || exit 1
	STEMMA_TEST_HOSTS=$where exec go test -tags hosts -count 1 -timeout 40m ./cmd/stemma -run "^TestRealHosts" -v
	;;
*) say "usage: hosts.sh [install]"; exit 2 ;;
esac
