package views

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/store"
)

// Standing is how a record stands now, for a person who is about to decide on it.
type Standing struct {
	api.Memory
	Tag     string `json:"tag"`               // see StateTag
	Text    string `json:"text,omitempty"`    // its words in full, as a revision gives them
	Speaker string `json:"speaker,omitempty"` // who said them
}

// Standings returns how records stand, in the order of refs.
func (e *Views) Standings(ctx context.Context, refs []string) ([]Standing, error) {
	rd := e.trust.Reading(ctx)
	items := make([]*store.Item, len(refs))
	for i, ref := range refs {
		var err error
		if items[i], err = e.Lookup(rd, ref); err != nil {
			return nil, err
		}
	}
	shown, err := e.Views(rd, items...)
	if err != nil {
		return nil, err
	}
	out := make([]Standing, len(refs))
	for i, m := range shown {
		out[i] = StandingOf(items[i], m)
	}
	return out, nil
}

// StandingOf is how a record stands, by its view.
func StandingOf(it *store.Item, m api.Memory) Standing {
	s := Standing{Memory: m, Tag: StateTag(m)}
	if r := it.Record; r != nil {
		s.Text, s.Speaker = core.DraftOf(r.Body).Text, standing.Speaker(r.Body)
	}
	return s
}

// tagBytes is enough of a digest to tell the states of one record apart.
const tagBytes = 9

// StateTag returns a short text that changes when a record's state changes: its review, whether
// it is current, what replaced it, and what was marked on it. Reading changes nothing of it.
func StateTag(m api.Memory) string {
	state, _ := json.Marshal([]any{ // texts and numbers
		m.Ref, m.Review, m.ReviewedBy, m.ReviewedAt, m.Hidden, m.IsActive, m.SupersededBy, m.Protected,
		m.LastVerified, m.VerificationCount, m.Disputed, m.Tainted, m.Confidence, m.Course, m.TrustFlags,
	})
	sum := sha256.Sum256(state)
	return base64.RawURLEncoding.EncodeToString(sum[:tagBytes])
}
