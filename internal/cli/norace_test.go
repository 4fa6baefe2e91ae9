//go:build !race

package cli

// fewer is how many times fewer cases a test of many goes through.
const fewer = 1
