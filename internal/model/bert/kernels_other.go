//go:build (!amd64 && !arm64) || purego

package bert

// best are the kernels this processor is quickest with.
var best = plain

// ways are all it has.
func ways() []kernels { return []kernels{plain} }
