package hosts

import (
	"encoding/json"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
)

// How long the answer is waited for that a host writes down a moment after its hook runs, and how
// often it is looked for.
const (
	answerPatience = 600 * time.Millisecond
	answerEvery    = 20 * time.Millisecond
)

// A writtenAnswer is one in a file of Copilot CLI.
type writtenAnswer struct {
	id, words string
	at        time.Time
}

func (a writtenAnswer) observed(session string) engine.Observed {
	text := clip(a.words)
	return engine.Observed{
		Text: text.words, Caption: text.note, Event: "assistant_response", Speaker: "assistant",
		Said: saying(Copilot, session, "answer", text.words), Alias: []string{callAlias(Copilot, session, a.id, "answer")},
		OccurredAt: a.at.UTC().Format(time.RFC3339Nano), Session: clean(session), Platform: Copilot,
	}
}

// copilotAnswer returns the answer of which Copilot CLI told at a time, to a prompt that was said after another;
// found is false as long as it is not written down.
func copilotAnswer(path string, after, at time.Time) (a writtenAnswer, found bool) {
	eachFromEnd(path, func(line []byte) bool {
		var l struct {
			Type      string    `json:"type"`
			ID        string    `json:"id"`
			AgentID   string    `json:"agentId"`
			Timestamp time.Time `json:"timestamp"`
			Data      struct {
				ID      string `json:"messageId"`
				Content string `json:"content"`
				Within  string `json:"parentToolCallId"` // of a sub-agent
				Calls   []any  `json:"toolRequests"`     // it goes on with tools
			} `json:"data"`
		}
		if json.Unmarshal(line, &l) != nil || l.Timestamp.After(at) || l.AgentID != "" || l.Data.Within != "" {
			return true
		}
		switch l.Type {
		case "user.message":
			return false // it has not answered yet
		case "assistant.message":
			if found = len(l.Data.Calls) == 0 && !l.Timestamp.Before(after); found {
				a = writtenAnswer{id: l.Data.ID + l.ID, words: l.Data.Content, at: l.Timestamp}
			}
			return false
		}
		return true
	})
	return a, found
}

// awaitCopilot is copilotAnswer for the event that tells of it: some versions write it down a moment later.
func awaitCopilot(path string, asked, at time.Time) (a writtenAnswer, found bool) {
	a, found = copilotAnswer(path, asked, at)
	if found || !exists(path) {
		return a, found // a file that is not there yet comes later than a hook may wait
	}
	tick := time.NewTicker(answerEvery)
	defer tick.Stop()
	for waited := answerEvery; !found && waited <= answerPatience; waited += answerEvery {
		<-tick.C
		a, found = copilotAnswer(path, asked, at)
	}
	return a, found
}
