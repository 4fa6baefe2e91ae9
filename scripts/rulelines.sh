#!/usr/bin/env bash
# Counts the lines of all that the detection of changes reaches: what internal/evolve, internal/extract and
# internal/touch are made of and what they import of this module, without tests, with the files of words. It fails
# above the bound, so that the rules do not grow.
#
#   scripts/rulelines.sh          each package and the total
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

most=${MOST-16250}
total=0
module=$(go list -m)
for package in $(go list -deps ./internal/evolve ./internal/extract ./internal/touch | grep "^$module/"); do
	dir=${package#"$module"/}
	lines=$(find "$dir" -maxdepth 2 -type f \( -path "$dir/*.go" -o -path "$dir/*/*.txt" -o -path "$dir/*.txt" \) \
		! -name '*_test.go' ! -path "$dir/testdata/*" ! -path "$dir/*/*.go" -print0 | xargs -0 cat | wc -l)
	printf '%-24s %6d\n' "$dir" "$lines"
	total=$((total + lines))
done
printf '%-24s %6d\n' total "$total"
if [ "$total" -gt "$most" ]; then
	echo "the rules have grown: $total lines, at most $most. Take out what does not carry." >&2
	exit 1
fi
