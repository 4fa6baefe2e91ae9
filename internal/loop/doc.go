// Package loop measures what an agent gets from stemma in its daily work: something is said
// today, corrected tomorrow and needed the day after, by an agent that starts with nothing.
//
// A scenario is a file of sessions. The runner drives the program as a host does: hooks read
// JSON on standard input, tools are called over MCP, and what a person decides is decided
// with the owner's key. docs/lab/loop.md says what the figures mean and how to repeat them.
package loop
