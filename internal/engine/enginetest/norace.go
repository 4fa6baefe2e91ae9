//go:build !race

package enginetest

// Fewer is how many times fewer cases a test of many goes through.
const Fewer = 1
