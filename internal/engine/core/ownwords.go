package core

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/memory"
)

// OwnWords returns what of a capture is the person's own words, and whether anything of it is. It is where a
// host showed it to be theirs (a hook, or a conversation that a host wrote down), or where their key signed it:
// not what an agent wrote down, whoever it says has said it. Captures from before a form of a host was known
// are read by the table of today.
func OwnWords(r *memory.Record) (string, bool) {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || raw.Event != "user_prompt" && raw.Event != "turn" && raw.Event != "" || !ownwords.OfUser(raw.Speaker) {
		return "", false
	}
	host := HostOf(r)
	if host == "" {
		return raw.Said(), r.Header.Origin == memory.OriginOwner
	}
	own, _ := ownwords.Split(host, raw.Said())
	return own, raw.Event == "user_prompt" && strings.TrimSpace(own) != "" && !ownwords.Doubtful(own)
}

// HostOf returns the host that handed a capture over, "" if none did.
func HostOf(r *memory.Record) string {
	named := []string{r.Header.Platform}
	if r.Body.(*memory.Raw).Source == "import" {
		named = nil
		for _, alias := range r.Header.Alias {
			host, _, _ := strings.Cut(alias, ":")
			named = append(named, host)
		}
	} else if r.Body.(*memory.Raw).Source != "hook" {
		return ""
	}
	for _, name := range named {
		if slices.Contains(ownwords.Names(), name) {
			return name
		}
	}
	return ""
}

// TurnWords returns what was said in a turn of a conversation, and whether a person said it. It is not for what an
// agent wanted remembered, what a tool printed, or what a host added.
func TurnWords(r *memory.Record) (said string, person, is bool) {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || r.Header.Provenance.Context == ContextRemember || r.Header.Provenance.Context == ContextCorrect {
		return "", false, false
	}
	if own, is := OwnWords(r); is {
		return own, true, true
	}
	spoken := raw.Event == "assistant_response" || raw.Event == "turn" && raw.Speaker != ownwords.Speaker
	return raw.Said(), false, spoken
}
