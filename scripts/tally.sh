#!/usr/bin/env bash
# tally.sh FILE reads what `go test -json` wrote and says what came of it: a
# line for each package, the whole output of what failed, the reasons of what
# was skipped, and last "N passed, N failed, N skipped".
#
# It fails if a test failed, and where CI=true also if one was skipped, unless
# its reason names "optional data" (figures that do not ship with the project)
# or STEMMA_LONG (runs that ./check --long makes). Every test and subtest counts
# as one, however often it ran; so does a package that fails without a test failing in it.
set -euo pipefail

exec awk -v ci="${CI:-}" '
# field gives the value of a string member; go test writes one event a line.
function field(name,    v) {
	if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
	v = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
	return v
}
function plain(s,    out, i, c) {
	if (index(s, "\\") == 0) return s
	out = ""
	while ((i = index(s, "\\")) > 0) {
		out = out substr(s, 1, i - 1)
		c = substr(s, i + 1, 1)
		if (c == "u") {
			c = substr(s, i + 2, 4)
			out = out ((c in letter) ? letter[c] : "\\u" c)
			s = substr(s, i + 6)
			continue
		}
		out = out ((c == "n") ? "\n" : (c == "t") ? "\t" : (c == "r") ? "" : c)
		s = substr(s, i + 2)
	}
	return out s
}
function fail(key) { printf "%s", output[key]; failed++; failures[pkg]++; delete output[key] }

BEGIN {
	letter["003c"] = "<"; letter["003e"] = ">"; letter["0026"] = "&"; letter["001b"] = ""
	passed = failed = skipped = excused = 0
}
!/^\{/ { print; next }
{ action = field("Action"); pkg = field("Package"); test = field("Test"); key = pkg "\t" test }

action == "build-output" { printf "%s", plain(field("Output")) }
action == "run"          { running[key] = pkg }
action == "output"       {
	output[key] = output[key] plain(field("Output"))
	if (length(output[key]) > 400000) output[key] = "…\n" substr(output[key], length(output[key]) - 200000)
}

test != "" && action == "pass" {
	if (!(key in came)) { passed++; came[key] = action }
	delete running[key]; delete output[key]
}
test != "" && action == "fail" {
	if (came[key] == "pass") passed--
	if (came[key] == "fail") failed--
	came[key] = action
	delete running[key]; fail(key)
}
test != "" && action == "skip" && key in came { delete running[key]; delete output[key] }
test != "" && action == "skip" && !(key in came) {
	came[key] = action
	skipped++
	if (output[key] ~ /optional data|STEMMA_LONG/) excused++
	reasons = reasons output[key]
	delete running[key]; delete output[key]
}

test == "" && action == "fail" {
	# A test that never ended took the process with it.
	for (k in running) if (running[k] == pkg) { delete running[k]; fail(k) }
	if (!failures[pkg]) fail(key)
	lines = lines "FAIL\t" pkg "\n"
}
test == "" && action == "pass" && match(output[key], /ok  \t[^\n]*\n/) {
	lines = lines substr(output[key], RSTART, RLENGTH)
}
test == "" && (action == "pass" || action == "fail") { delete output[key] }

END {
	if (reasons != "") printf "skipped:\n%s", reasons
	printf "%s", lines
	if (excused) printf "%d of the skipped want optional data or a long run\n", excused
	unexcused = ci == "true" && skipped > excused
	if (unexcused) print "CI must skip nothing else"
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	if (failed) exit 1
	if (unexcused) exit 1
}' "$@"
