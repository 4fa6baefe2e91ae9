//go:build race

package enginetest

// Fewer is how many times fewer cases a test of many goes through: the race
// detector makes each ten times as slow, and ./check runs all of them without it.
const Fewer = 10
