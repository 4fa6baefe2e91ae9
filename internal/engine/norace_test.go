//go:build !race

package engine_test

// fewer is how many times fewer cases a test of many goes through.
const fewer = 1
