package standing

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Beyond is all that a memory says where its headline is not all of that.
func TestBeyond(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    memory.Record
		want string
	}{
		{"one line", memory.Record{Body: &memory.Belief{Statement: "It is so"}}, ""},
		{"two lines", memory.Record{Body: &memory.Belief{Statement: "It is so\nand so"}}, "It is so\nand so"},
		{"lessons", memory.Record{Body: &memory.Episode{Objective: "Tried it", Lessons: []string{"it works"}}},
			"Tried it.\nLessons: it works"},
		{"a reason", memory.Record{Header: memory.Header{Trigger: "we saw it"}, Body: &memory.Belief{Statement: "It is so"}},
			"It is so.\nBecause: we saw it"},
	} {
		tt.r.Header.Kind = memory.KindBelief
		if got := Beyond(&tt.r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// At is the time of the words, where that is known, and not that of their record.
func TestAt(t *testing.T) {
	day := func(d int) memory.Time { return memory.At(time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC)) }
	r := memory.Record{Header: memory.Header{At: day(9)}, Body: &memory.Raw{Text: "x"}}
	if got := At(&r); got != "2026-01-09T00:00:00.000Z" {
		t.Errorf("%s", got)
	}
	r.Body = &memory.Raw{Text: "x", OccurredAt: day(2)}
	if got := At(&r); got != "2026-01-02T00:00:00.000Z" {
		t.Errorf("%s", got)
	}
}
