// Package enginetest is what the tests of the engine's rooms share: stores to open, people with their agents, teams
// that exchange, forgers, and calls that end the test when they fail. Only tests import it.
package enginetest

import "runtime/debug"

// Tests make much and keep little: to collect it less often is a fifth of their time.
func init() { debug.SetGCPercent(400) }
