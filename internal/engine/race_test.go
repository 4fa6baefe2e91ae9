//go:build race

package engine_test

// fewer is how many times fewer cases a test of many goes through: the race
// detector makes each ten times as slow, and ./check runs all of them without it.
const fewer = 10
