# builds.sh: how check builds the command, and what a release has. check reads this file.

# Platforms besides this one that every change must build for: the other systems, and one of them on the other
# architecture.
targets="darwin/arm64 windows/amd64${long:+ linux/arm64}"

cross() { CGO_ENABLED=0 GOOS=${1%/*} GOARCH=${1#*/} go build ./...; }

# tree lists the project's files: those git has and new ones, or all.
tree() {
	{ git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path '*/node_modules/*'; } |
		while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

# archives builds a release twice, the second time from a copy of the tree at
# another place, and compares. With --long it has all platforms, and the second
# build shares no cache with the first.
archives() {
	local platforms=linux/amd64 cache
	cache=$(go env GOCACHE)
	[ -z "$long" ] || platforms= cache=$tmp/cache
	mkdir -p "$tmp/copy"
	tree | tar -cf - -T - | tar -xf - -C "$tmp/copy"
	export SOURCE_DATE_EPOCH=1000000000
	# shellcheck disable=SC2086
	scripts/release.sh 0.0.1-check "$tmp/one" $platforms &&
		GOCACHE=$cache "$tmp/copy/scripts/release.sh" 0.0.1-check "$tmp/two" $platforms &&
		test -s "$tmp/one/SHA256SUMS" && diff -r "$tmp/one" "$tmp/two"
}

# most is how many bytes the program for linux/amd64 has in a release, at most, without the weights of
# the model within, and mostWeights how many these have: docs/lab/bench.md says what is in it.
most=40000000 mostWeights=24000000

# light writes the two sizes, which are shown whether they are too large or not.
light() {
	local bytes weights
	weights=$(wc -c <embed/minilm/weights.bin)
	bytes=$(($(tar -xzOf "$tmp/one/stemma_0.0.1-check_linux_amd64.tar.gz" --wildcards '*/stemma' | wc -c) - weights))
	echo "the program without weights: $bytes bytes, at most $most; weights: $weights, at most $mostWeights" |
		tee "$tmp/sizes"
	[ "$bytes" -le "$most" ] && [ "$weights" -le "$mostWeights" ]
}

# mostPage is how many bytes the page that verifies bundles has at most, packed. It reads what an answer quotes, too.
mostPage=2400000

lightPage() {
	local bytes
	bytes=$(wc -c <"$tmp/one/stemma_0.0.1-check_verifier.zip")
	echo "$bytes bytes, at most $mostPage"
	[ "$bytes" -le "$mostPage" ]
}

# signature signs the checksums with a new key, and verifies as docs/reference/install.md says.
signature() (
	cd "$tmp/one" && ssh-keygen -q -t ed25519 -N '' -C '' -f ../key &&
		ssh-keygen -q -Y sign -f ../key -n file SHA256SUMS &&
		echo "maintainers $(cat ../key.pub)" >../signers &&
		ssh-keygen -Y verify -f ../signers -I maintainers -n file -s SHA256SUMS.sig <SHA256SUMS &&
		sha256sum -c SHA256SUMS
)

# unpacked runs the program of an archive in an empty directory, as its first user does.
unpacked() (
	mkdir -p "$tmp/empty/home" && cd "$tmp/empty" &&
		tar -xzf "$tmp/one/stemma_0.0.1-check_linux_amd64.tar.gz" && cd stemma_*/ &&
		test -s LICENSE -a -s LICENSE.all-MiniLM-L6-v2 -a -s README.md || exit
	run() { env -i HOME="$tmp/empty/home" PATH=/nowhere ./stemma "$@" </dev/null; }
	[ "$(run --version)" = "stemma 0.0.1-check" ] &&
		run remember "The checkout is slow since Friday" --wait && run search checkout | grep "slow since Friday" &&
		run recall "customers wait long until they have paid" | grep "perhaps, in other words" && run tour
)

# installed runs what go install makes, with this module from a proxy made of the
# tree and all others from the cache, or from the usual proxy if they are not there.
installed() (
	version=v0.0.1
	tree | go run ./scripts/modproxy "$version" "$tmp/proxy" || exit
	export GOPROXY="file://$tmp/proxy,file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
	export GOMODCACHE=$tmp/modules GOSUMDB=off GOFLAGS="-modcacherw -trimpath" GOBIN=$tmp/bin CGO_ENABLED=0
	cd / && go install "github.com/stemma-memory/stemma/cmd/stemma@$version" &&
		[ "$("$tmp/bin/stemma" --version)" = "stemma ${version#v}" ]
)

builds() {
	local target
	for target in $targets; do
		step "build for $target" cross "$target"
	done
	if step "release: the same bytes twice" archives; then
		step "release: the program is small" light && echo "             $(cat "$tmp/sizes")"
		step "release: the verifier in a browser is small" lightPage
		step "release: signed and verified" signature
		step "release: unpacked and run in an empty directory" unpacked
	fi
	step "go install from a proxy" installed
}
