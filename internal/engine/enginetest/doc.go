// Package enginetest is what the tests of the engine's rooms share: stores to open, people with their agents, teams
// that exchange, forgers, and calls that end the test when they fail. Only tests import it.
package enginetest
