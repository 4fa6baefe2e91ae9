// Package ownwords tells a person's own words from what agents' hosts say in their name: a prompt may
// be a notice, a reminder, the contents of a file or the task that one agent gives to another.
//
// What each host does is in a table (table.go). What no row names is the person's: nobody loses words
// because they write about a tag.
package ownwords

import (
	"slices"
	"strings"
)

// A Voice is who said words that stand in a prompt.
type Voice int

// Who may speak in a prompt.
const (
	Person Voice = iota // whoever uses the agent
	Host                // the program that the agent runs in
	Agent               // an agent: this one, or another
)

// Speaker is who said the words that a host says in the name of its user.
const Speaker = "agent-host"

// programs are speakers that are no person, in small letters.
var programs = append([]string{
	Speaker, "assistant", "sub-agent", "agent", "ai", "model", "bot", "claude", "gpt", "chatgpt", "tool", "system",
	"developer", "function",
}, Names()...)

// ByProgram reports whether words were said by a program, as their event and speaker say.
func ByProgram(event, speaker string) bool {
	switch event {
	case "user_prompt", "turn", "":
		return slices.Contains(programs, strings.ToLower(strings.TrimSpace(speaker)))
	}
	return true
}

// OfUser reports whether the speaker is whoever uses the agent.
func OfUser(speaker string) bool {
	switch strings.ToLower(strings.TrimSpace(speaker)) {
	case "", "user", "me", "i", "owner", "human":
		return true
	}
	return false
}
