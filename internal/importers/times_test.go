package importers

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// When the original was made and changed comes along, however it is written, also
// where the rest of what it says besides does not.
func TestTimesOfTheOriginalComeAlong(t *testing.T) {
	const made, changed = "2026-01-10T10:00:00.000Z", "2026-01-12T08:30:00.000Z"
	long := strings.Repeat("x", memory.MaxText)
	for name, s := range map[string]struct{ format, content string }{
		"alexandria export": {
			FormatAlexandria,
			`{"objects":[{"content":"c","objectType":"decision","createdAt":"2026-01-10T10:00:00.000Z",` +
				`"updatedAt":"2026-01-12T08:30:00Z"}]}`,
		},
		"alexandria list": {
			FormatAlexandria,
			`[{"id":"1","content":"c","object_type":"decision","created_at":1768039200000,"updated_at":"2026-01-12 08:30:00"}]`,
		},
		"alexandria, long": {
			FormatAlexandria,
			`[{"id":"1","content":"c","objectType":"decision","createdAt":1768039200,"updatedAt":1768206600,` +
				`"evidenceExcerpt":"` + long + `"}]`,
		},
		"mem0": {
			FormatMem0,
			`[{"id":"1","memory":"c","created_at":"2026-01-10T03:00:00-07:00","updated_at":1768206600}]`,
		},
		"mem0, long": {
			FormatMem0,
			`[{"id":"1","memory":"c","created_at":1768039200,"updated_at":"2026-01-12T08:30","metadata":{"more":"` + long +
				`"}}]`,
		},
		"kernle": {
			FormatKernle,
			`{"agent_id":"a","notes":[{"id":"1","content":"c","created_at":"2026-01-10T10:00:00",` +
				`"local_updated_at":"2026-01-12T08:30:00+00:00"}]}`,
		},
		"kernle, numbers": {
			FormatKernle,
			`{"agent_id":"a","notes":[{"id":"1","content":"c","created_at":1768039200,"local_updated_at":1768206600}]}`,
		},
		"graph": {
			FormatGraph,
			`{"type":"entity","name":"c","entityType":"x","observations":["c"],"created_at":"2026-01-10 10:00:00",` +
				`"updated_at":"2026-01-12T08:30:00Z"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t)
			found, err := Read(
				t.Context(),
				Source{Path: "the file", In: strings.NewReader(s.content), Format: s.format, Name: "x", Held: e.Held},
			)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Ingest(t.Context(), found.Records, nil); err != nil {
				t.Fatal(err)
			}
			list, err := e.List(t.Context(), api.ListRequest{Kind: "note"})
			if err != nil || len(list.Memories) != 1 {
				t.Fatalf("%+v, %v, want one note", list, err)
			}
			m := list.Memories[0]
			if m.SourceCreatedAt != made || m.SourceUpdatedAt != changed {
				t.Errorf("made %q, changed %q; want %s, %s", m.SourceCreatedAt, m.SourceUpdatedAt, made, changed)
			}
			if name != "graph" && m.ValidFrom != made {
				t.Errorf("holds from %q, want %s", m.ValidFrom, made)
			}
		})
	}
}

// A time that no one can read is kept as it is written.
func TestTimesThatAreNoneAreKept(t *testing.T) {
	for format, content := range map[string]string{
		FormatKernle:     `{"agent_id":"a","raw_entries":[{"id":"1","blob":"c","captured_at":"last Tuesday"}]}`,
		FormatAlexandria: `[{"id":"1","content":"c","objectType":"decision","createdAt":"last Tuesday"}]`,
		FormatMem0:       `[{"id":"1","memory":"c","created_at":"last Tuesday"}]`,
	} {
		found, err := Read(t.Context(), Source{Path: "the file", In: strings.NewReader(content), Format: format, Name: "x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range collect(t, found.Records) {
			if !strings.Contains(string(f.Ext), "last Tuesday") {
				t.Errorf("%s: ext is %s", format, f.Ext)
			}
		}
	}
}
