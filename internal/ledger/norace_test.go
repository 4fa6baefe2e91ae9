//go:build !race

package ledger

// fewer is how many times fewer cases a test of many goes through.
const fewer = 1
