#!/usr/bin/env bash
# screenshots.sh makes the pictures of the documentation, in docs/img, from the page
# as the real binary serves it over a store made for that.
set -euo pipefail
cd "$(dirname "$0")/.."
exec scripts/page.sh screenshots
