package memory

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// section returns what stands in page between the heading and the next one of any
// level.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/format.md has no section %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n#")
	return text
}

// TestFormatPage: every member that is signed is described under its heading.
func TestFormatPage(t *testing.T) {
	raw, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	describes := func(heading string, typ reflect.Type) {
		text := section(t, page, heading)
		for _, name := range members(typ) {
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("docs/format.md says nothing of %s under %q", name, heading)
			}
		}
	}
	describes("## Header", reflect.TypeFor[Header]())
	describes("### Provenance", reflect.TypeFor[Provenance]())
	describes("### Evidence", reflect.TypeFor[Evidence]())
	describes("### episode", reflect.TypeFor[Emotion]())
	for k, line := range kinds {
		if _, is := added[k]; is {
			continue // it is of a test build
		}
		describes("### "+string(k), reflect.TypeOf(line.New()).Elem())
	}
	for _, list := range [][]string{
		NoteTypes, OutcomeTypes, RelationshipTypes, linkRelations, Attestations, AnchorTypes, evidenceTypes,
		keyOps, RevokeReasons, rawSources, RawEvents, vias,
	} {
		for _, value := range list {
			if !strings.Contains(page, "`"+value+"`") {
				t.Errorf("docs/format.md does not list %s", value)
			}
		}
	}
}
