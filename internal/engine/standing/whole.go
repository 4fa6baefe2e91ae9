package standing

import (
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/quoting"
	"github.com/stemma-memory/stemma/memory"
)

// Whole returns all that a memory says.
func Whole(r *memory.Record) string { return quoting.Words(r) }

// Happened returns when something was said or happened: its own time, not that of its import, nor that at which a
// memory was drafted of it. It is never after the time at which r was recorded, unless the words themselves say so.
func Happened(r *memory.Record) time.Time {
	if raw, ok := r.Body.(*memory.Raw); ok && !raw.OccurredAt.IsZero() {
		return raw.OccurredAt.Time()
	}
	at := r.Header.At.Time()
	if made, _ := core.SourceTimes(r); !made.IsZero() && made.Time().Before(at) {
		return made.Time()
	}
	if said := core.SaidAt(r); !said.IsZero() && said.Before(at) {
		return said
	}
	return at
}

// At returns Happened as replies name a time; "" for what was purged.
func At(r *memory.Record) string {
	if r == nil {
		return ""
	}
	return memory.At(Happened(r)).String()
}

// Beyond returns Whole of a memory whose headline does not say it all, and "" of one whose does.
func Beyond(r *memory.Record) string {
	if text := Whole(r); text != r.Headline() {
		return text
	}
	return ""
}

// PurgedText stands where the words of a purged record were.
const PurgedText = "(purged: its bytes are gone for good)"

// Speaker returns who said the words of a body, "" where it does not say.
func Speaker(b memory.Body) string {
	switch b := b.(type) {
	case *memory.Raw:
		return b.Speaker
	case *memory.Note:
		return b.Speaker
	}
	return ""
}

// When returns Happened in the reader's zone.
func (e *Standings) When(r *memory.Record) time.Time { return Happened(r).In(e.C.Zone) }

// Day returns its day.
func (e *Standings) Day(r *memory.Record) string { return e.When(r).Format(time.DateOnly) }
