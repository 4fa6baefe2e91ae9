# tests.sh: how check runs the tests of Go. check reads this file.

# Tests of many cases, one after the other, are in files that begin with
# "//go:build !race": the race detector finds nothing in them and takes ten times
# as long. They run in a step of their own without it.

# many_files lists the files of such tests.
many_files() {
	go_files | grep '_test\.go$' | xargs grep -lx '//go:build !race' /dev/null | xargs grep -l '^func Test'
}

# many_names lists their tests.
many_names() {
	unsorted
	many_files | xargs grep -ho '^func Test\w*' | sed 's/^func //'
}

# many_packages lists the packages of both.
many_packages() {
	local names
	names=$(unsorted | paste -sd '|')
	{
		many_files
		[ -z "$names" ] || go_files | grep '_test\.go$' | xargs grep -lE "^func ($names)\(" /dev/null
	} | xargs -n 1 dirname | sort -u | sed 's,^,./,' | grep -vxF -f <(without_race)
}

# without_race lists the packages whose tests run without the race detector: the scripts', which
# drive a binary as it is shipped, and those of packages in which nothing runs beside anything.
without_race() {
	echo ./cmd/stemma
	go_files | xargs -n 1 dirname | sort -u | grep -v -e '^internal/tokens/vocabularies' -e '^integrations/' | while read -r dir; do
		grep -lqE '\bgo (func|[A-Za-z_.]+\()|\.Go\(|t\.Parallel|sync\.(Mutex|RWMutex|WaitGroup|Map)|sync/atomic' "$dir"/*.go ||
			echo "./$dir"
	done
}

# unsorted lists tests of many cases that are not in such a file yet. A line "long
# NAME" in the list is such a test only with --long.
unsorted() {
	local list=scripts/check.d/unsorted.txt
	[ ! -e "$list" ] || awk -v long="$long" '$1 == "long" { if (long) print $2; next } !/^#/ { print $1 }' "$list"
}

# The race detector does not look into SQLite and the arithmetic of signatures and digests: they
# are others' code, and take most of the time of a test that is watched. Packages that use generic
# code of the standard library are watched: the linker may take their copy of it for all.
race_flags=(-race -gcflags='modernc.org/...=-race=false')
for package in edwards25519/... sha256 sha512; do
	race_flags+=(-gcflags="crypto/internal/fips140/$package=-race=false")
done

# alternatives makes a pattern of the names it reads.
alternatives() { sort -u | paste -sd '|' | sed 's/..*/^(&)$/'; }

# tests leaves what came of the tests in a file, to close the output with. What takes longest
# begins first, so that nothing is waited for alone.
tests() {
	local code=0 packages slow alone skip='^TestOfficial' # which has a step of its own
	alone=$(go list $(without_race))
	packages=$(go list ./... | grep -vxF -e "$alone")
	slow=$(grep -E "^$(go list -m)(|/internal/engine|/internal/store/sqlstore)\$" <<<"$packages")
	packages=$(grep -v -x -F -e "$slow" <<<"$packages")
	[ -z "$race" ] || skip+="|$(unsorted | alternatives)"
	# shellcheck disable=SC2086
	go test ${race:+"${race_flags[@]}"} -skip "${skip%|}" -vet=off -json "${test_flags[@]}" $slow $packages \
		>"$tmp/tests.json" || code=$?
	# shellcheck disable=SC2086
	go test -vet=off -json "${test_flags[@]}" ${long:+-timeout 180m} $alone >>"$tmp/tests.json" || code=$?
	tally "$code"
}

# reading runs what reads the code and does not run it.
reading() {
	step "staticcheck" go tool -modfile=tools.mod staticcheck ./...
	step "go vet for windows" env CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go vet ./...
}

# many runs the tests of many cases, which tests leaves out under the race detector.
many() {
	local code=0 packages
	packages=$(many_packages)
	# shellcheck disable=SC2086
	go test -vet=off -json -count 1 -timeout "${long:+9}20m" -run "$(many_names | alternatives)" $packages \
		>>"$tmp/tests.json" || code=$?
	tally "$code"
}

# spread runs on Citus what runs on PostgreSQL, one package after the other: one of them kills nodes.
spread() {
	local code=0
	STEMMA_TEST_POSTGRES=$STEMMA_TEST_CITUS go test -p 1 -vet=off -json -count 1 "${test_flags[@]}" \
		./internal/store/... ./internal/engine ./internal/hub >>"$tmp/tests.json" || code=$?
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
