# tests.sh: how check runs the tests of Go. check reads this file.

# The race detector does not look into SQLite and the arithmetic of signatures, digests and passphrases: they
# are others' code, and take most of the time of a test that is watched. Packages that use generic
# code of the standard library are watched: the linker may take their copy of it for all.
race_flags=(-race -gcflags='modernc.org/...=-race=false')
for package in crypto/internal/fips140/{edwards25519/...,sha256,sha512} golang.org/x/crypto/blowfish; do
	race_flags+=(-gcflags="$package=-race=false")
done

# tests runs every test once, the packages side by side. What takes longest begins first: the
# scripts, which mostly wait, run beside what computes, and four of them at once. What came of them
# is left in a file, to close the output with. Nothing debugs their binaries: they are linked
# without what that needs, in half the time.
tests() {
	local code=0 slow
	slow=$(go list ./cmd/stemma ./cmd/stemma-lab ./internal/engine ./internal/store/sqlstore ./internal/store/sqlstore/hubstore ./internal/hub)
	# shellcheck disable=SC2046,SC2086
	go test -ldflags '-s -w' -p 4 -parallel 4 -skip '^TestOfficial' -vet=off -json "${test_flags[@]}" ${long:+-timeout 180m} \
		$slow $(go list ./... | grep -vxF -e "$slow") >"$tmp/tests.json" || code=$? # TestOfficial has a step of its own
	tally "$code"
}

# races runs tests again under the race detector: those that do several things at once, as
# scripts/watched finds them. With --long it is all tests, but those in files that begin with
# "//go:build !race": of many cases, one after the other, in which it finds nothing and takes
# ten times as long. The scripts drive a binary as it is shipped, which it does not watch.
races() {
	local code=0 names=. packages
	if [ -n "$long" ]; then
		packages=$(go list ./... | grep -vxF -e "$(go list ./cmd/stemma ./cmd/stemma-lab)")
	else
		go run ./scripts/watched >"$tmp/watched" || return
		sed -i -E '\,^./cmd/stemma(-lab)? ,d' "$tmp/watched"
		packages=$(cut -d ' ' -f 1 "$tmp/watched")
		names=$(cut -d ' ' -f 2- "$tmp/watched" | tr ' ' '\n' | sort -u | paste -sd '|' | sed 's/.*/^(&)$/')
	fi
	# A process under it waits a second before it ends, to report what it finds meanwhile: of
	# tests that start hundreds of processes that is most of their time.
	# shellcheck disable=SC2086
	GORACE=atexit_sleep_ms=10 go test "${race_flags[@]}" -ldflags '-s -w' -run "$names" -skip '^TestOfficial' -vet=off -json \
		"${test_flags[@]}" $packages >>"$tmp/tests.json" || code=$?
	tally "$code"
}

# reading runs what reads the code and does not run it.
reading() {
	step "staticcheck" go tool -modfile=tools.mod staticcheck ./...
	# What has files of its own for it; with --long all. All is built for it beside.
	local own=./...
	[ -n "$long" ] || own=$(go_files | grep -E '_(windows|unix|other)(_test)?\.go$' | xargs -n 1 dirname | sort -u | sed 's,^,./,')
	# shellcheck disable=SC2086
	step "go vet for windows" env CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go vet $own
}

# spread runs on Citus what runs on PostgreSQL, one package after the other: one of them kills nodes.
spread() {
	local code=0
	STEMMA_TEST_POSTGRES=$STEMMA_TEST_CITUS go test -p 1 -vet=off -json -count 1 "${test_flags[@]}" \
		./internal/store/... ./internal/engine/... ./internal/hub >>"$tmp/tests.json" || code=$?
	tally "$code"
}

# tokens compares package tokens with others' tokenizers, and counts what answers cost: a module of its own.
tokens() {
	local code=0
	(cd internal/tokens/vocabularies && go mod tidy -diff && go vet ./...) || code=$?
	(cd internal/tokens/vocabularies && go test -vet=off -json -count 1 ./... ${long:+-timeout 60m -args -texts 3000}) \
		>>"$tmp/tests.json" || code=$?
	tally "$code"
}

# frameworks tests the modules for agent frameworks, which have dependencies of their own.
frameworks() {
	local code=0 dir
	for dir in integrations/*/; do
		(cd "$dir" && go mod tidy -diff && go vet ./... && go test -vet=off -json -count 1 ./... >>"$tmp/tests.json") ||
			{ code=1; echo "in $dir"; }
	done
	tally "$code"
}

# tally CODE makes the summary of all tests so far.
tally() {
	local code=$1
	scripts/tally.sh "$tmp/tests.json" >"$tmp/tally" || code=1
	[ "$code" = 0 ] || echo "what failed is at the end"
	return "$code"
}

# fuzz DIR TARGET BINARY runs one fuzz target of the package's tests, which are
# compiled as BINARY. Go before 1.27 sometimes fails one when its time is up
# (go.dev/issue/75804): that alone, with no input blamed, passes.
fuzz() {
	local out code=0
	out=$(cd "$1" && "$3" -test.run '^$' -test.fuzz "^$2\$" -test.parallel 1 -test.fuzztime "$fuzztime" \
		-test.fuzzcachedir "$tmp/fuzz" 2>&1) || code=$?
	echo "$out"
	[ "$code" != 0 ] || return 0
	[ "$(grep '^[[:space:]]' <<<"$out")" = "    context deadline exceeded" ] &&
		! grep -qi -e 'failing input' -e 'seed corpus entry' -e panic <<<"$out"
}

# fuzz_package DIR runs the fuzz targets of a package, compiled once.
fuzz_package() {
	local target tests=$tmp/fuzz.test
	step "compile fuzz tests of $1" go test -vet=off -c -fuzz . -o "$tests" "./$1" >"$tmp/compile" || {
		cat "$tmp/compile"
		return
	}
	for target in $("$tests" -test.list '^Fuzz' | grep '^Fuzz'); do
		step "fuzz $1 $target" fuzz "$1" "$target" "$tests"
	done
	rm -f "$tests"
}

# fuzz_all runs all fuzz targets, two packages at a time.
fuzz_all() {
	local dir n=0
	for dir in $(go_files | grep '_test\.go$' | xargs grep -l '^func Fuzz' /dev/null | xargs -n 1 dirname | sort -u |
		grep -vx internal/tokens/vocabularies); do
		n=$((n + 1))
		aside "fuzz.$n" fuzz_package "$dir"
		[ $((n % 2)) = 1 ] || together
	done
	together
}
