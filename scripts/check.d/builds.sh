# builds.sh: how check builds the command and what is released. check reads this file.

# Platforms besides this one that every change must build for. A release has six.
targets="linux/arm64 darwin/arm64 windows/amd64"

cross() { CGO_ENABLED=0 GOOS=${1%/*} GOARCH=${1#*/} go build ./...; }

builds() {
	local target
	for target in $targets; do
		step "build for $target" cross "$target"
	done
}
