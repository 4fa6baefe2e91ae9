package core

import (
	"encoding/json"
	"time"

	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/memory"
)

// The names under which importers keep the times of the original. The first that is present
// counts.
var (
	madeThere    = []string{"created_at", "createdAt", "created", "timestamp"}
	changedThere = []string{"updated_at", "updatedAt", "updated", "modified"}
)

// SourceTimes returns when the original of an imported memory was made and last changed,
// as the other program said it; zero times where it did not.
func SourceTimes(r *memory.Record) (made, changed memory.Time) {
	h := &r.Header
	if h.Origin != memory.OriginImport {
		return made, changed
	}
	var ext map[string]json.RawMessage
	if len(h.Ext) > 0 && json.Unmarshal(h.Ext, &ext) == nil {
		made, changed = timeAmong(ext, madeThere), timeAmong(ext, changedThere)
	}
	if raw, ok := r.Body.(*memory.Raw); ok && made.IsZero() {
		made = raw.OccurredAt
	}
	return made, changed
}

func timeAmong(ext map[string]json.RawMessage, names []string) memory.Time {
	for _, name := range names {
		said := ext[name]
		var text string
		if json.Unmarshal(said, &text) != nil {
			text = string(said) // a number
		}
		if t, ok := ReadTime(text); ok {
			return memory.At(t)
		}
	}
	return memory.Time{}
}

// OwnTime is when a memory was made: where it comes from elsewhere, there. The zero time
// says that no one knows, for when it was taken in says nothing of that.
func OwnTime(r *memory.Record) time.Time {
	if raw, ok := r.Body.(*memory.Raw); ok && !raw.OccurredAt.IsZero() {
		return raw.OccurredAt.Time()
	}
	if r.Header.Origin != memory.OriginImport {
		return r.Header.At.Time()
	}
	if made, _ := SourceTimes(r); !made.IsZero() {
		return made.Time()
	}
	return r.Header.ValidFrom.Time()
}

// SaidAt returns when the words were said of which a memory was drafted later; the zero time says when it was signed.
func SaidAt(r *memory.Record) time.Time {
	if r.Header.Origin == memory.OriginImport {
		return time.Time{}
	}
	said, _ := ReadTime(ext.Text(&r.Header, ext.SaidAt))
	return said
}

// WithSaidAt adds to what a header keeps besides when the words were said; the zero time takes that away.
func WithSaidAt(raw json.RawMessage, at time.Time) json.RawMessage {
	said := ""
	if !at.IsZero() {
		said = memory.At(at).String()
	}
	return ext.With(raw, ext.SaidAt, said)
}
