package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// turn says whether a record is what was said in a conversation, of which the rest may stand in the turns beside it.
func turn(r *memory.Record) bool {
	said := r.Header.Provenance.Context
	return r.Header.Kind == memory.KindRaw && said != core.ContextRemember && said != core.ContextCorrect
}

// conversationOf names the conversation that a turn belongs to, "" for what is no turn of one.
func conversationOf(r *memory.Record) string {
	if raw, ok := r.Body.(*memory.Raw); !ok || !said(raw) {
		return ""
	}
	return r.Header.Session
}

// said reports whether captured words were said in a conversation: not what a tool printed.
func said(raw *memory.Raw) bool {
	switch raw.Event {
	case "turn", "user_prompt", "assistant_response", "":
		return true
	}
	return false
}
