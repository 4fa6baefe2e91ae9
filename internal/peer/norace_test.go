//go:build !race

package peer

// fewer is how many times fewer cases a test of many goes through.
const fewer = 1
