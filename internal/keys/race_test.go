//go:build race

package keys

// fewer is how many times fewer cases a test of many goes through: the race
// detector makes the work behind a passphrase thirty times as slow.
const fewer = 30
