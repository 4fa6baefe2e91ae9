#!/usr/bin/env bash
# recording.sh draws docs/img/recall.svg: it runs the binary in an empty home and
# renders what the terminal shows. It also writes today's output into the pages
# whose commands run with the tests (README, tutorials, how-to).
set -euo pipefail
cd "$(dirname "$0")/.."
exec go test -count 1 ./cmd/stemma -run 'TestRecording|TestReadme|TestPagesRun' -update
