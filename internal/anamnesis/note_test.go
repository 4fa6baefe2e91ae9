package anamnesis

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestNote(t *testing.T) {
	d, err := Parse(examples(t)["self-reported-insight.json"])
	if err != nil {
		t.Fatal(err)
	}
	h, n, err := d.Note(800)
	if err != nil {
		t.Fatal(err)
	}
	if n.Type != "insight" || n.Summary != "Memory synthesis is harder than memory storage" ||
		!strings.HasPrefix(n.Body, "The hard problem") {
		t.Errorf("note = %+v", n)
	}
	if got, want := strings.Join(h.Tags, " "), "core-problem memory synthesis"; got != want {
		t.Errorf("tags = %q, want %q", got, want)
	}
	if h.Alias[0] != "mem_abc123" || h.Agent != "Babel" || h.Platform != "clawdbot" || h.Confidence != 900 ||
		h.Trigger != "Deep thinking session on memory problems" || h.At.String() != "2026-02-04T16:00:00.000Z" ||
		h.Origin != memory.OriginImport || h.Provenance.Via != memory.ViaImport {
		t.Errorf("header = %+v", h)
	}
	if ext := string(h.Ext); strings.Contains(ext, "hard problem") || !strings.Contains(ext, `"signature":"..."`) {
		t.Errorf("ext = %s, want what a note has no place for and no more", ext)
	}
	d.Provenance.Context.Confidence = nil
	if h, _, _ = d.Note(800); h.Confidence != 800 {
		t.Errorf("confidence = %d, want that of the caller where the document has none", h.Confidence)
	}
}

func TestNoteRefusesWhatARecordCannotHold(t *testing.T) {
	long := strings.Repeat("x", memory.MaxText+1)
	var tags []string
	for i := range memory.MaxTags + 1 {
		tags = append(tags, fmt.Sprint(i))
	}
	tests := []struct {
		want  string
		spoil func(*Document)
	}{
		{"content.summary: must be one line", func(d *Document) { d.Content.Summary = "a\nb" }},
		{"content.summary: contains a NUL byte", func(d *Document) { d.Content.Summary = "a\x00" }},
		{"content.body: must be at most 65536 bytes", func(d *Document) { d.Content.Body = &long }},
		{"content.tags: has 65 entries, at most 64", func(d *Document) { d.Content.Tags = tags }},
		{"content.tags: must be at most 64 bytes", func(d *Document) { d.Content.Tags = []string{strings.Repeat("x", 65)} }},
		{"content.tags: has a blank entry", func(d *Document) { d.Content.Tags = []string{"a", " "} }},
		{"provenance.author.agent_id: must be at most 256 bytes", func(d *Document) { d.Provenance.Author.AgentID = long }},
		{
			"provenance.author.platform: contains a NUL byte",
			func(d *Document) { d.Provenance.Author.Platform = new("\x00x") },
		},
		{
			"provenance.context.session_id: must be at most",
			func(d *Document) { d.Provenance.Context = &Context{SessionID: &long} },
		},
		{
			"provenance.context.trigger: must be at most",
			func(d *Document) { d.Provenance.Context = &Context{Trigger: &long} },
		},
		{"a record keeps at most 65536 in ext", func(d *Document) { d.Unknown = Unknown{"x": []byte(`"` + long + `"`)} }},
		{
			"a record keeps at most 65536 in ext",
			func(d *Document) { d.Witnesses = []Witness{{AgentID: "w", Attestation: "confirm", Notes: &long}} },
		},
	}
	for _, tt := range tests {
		d, err := Parse([]byte(least))
		if err != nil {
			t.Fatal(err)
		}
		tt.spoil(d)
		_, n, err := d.Note(0)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("Note = %v, %v, want an error with %q", n, err, tt.want)
		}
	}
}

func TestRead(t *testing.T) {
	indented := strings.ReplaceAll(least, ",", ",\n  ")
	brackets := strings.Replace(least, `"s"`, `"]}\"{["`, 1)
	tests := []struct {
		name, file string
		count      int
		want       string
	}{
		{"one", "\n " + indented + "\n\n", 1, ""},
		{"lines", least + "\n" + brackets + "\r\n\n" + least, 3, ""},
		{"a list", " [ " + least + ",\n" + brackets + " , " + least + "]\n", 3, ""},
		{"an empty list", "[ ]\n", 0, ""},
		{"nothing", " \n", 0, "document 0: file: is empty"},
		{"no object", "null", 0, "document 1: file: must hold objects"},
		{"a mark of the order of bytes", "\ufeff" + least, 0, "document 1: file: must hold objects"},
		{
			"the second is wrong", least + "\n" + strings.Replace(least, "insight", "dream", 1), 1,
			"document 2: content.type: must be",
		},
		{"two on a line", least + " " + least, 1, "document 2: file: must begin a line"},
		{"no comma", "[" + least + "\n" + least + "]", 1, "must have a comma"},
		{"a comma too many", "[" + least + ",]", 1, "document 2: file: must hold objects"},
		{"a list in a list", "[[" + least + "]]", 0, "must hold objects"},
		{"no end of the list", "[" + least, 1, "file: ends within a list"},
		{"nothing but the beginning", "[", 0, "file: ends within a list"},
		{"no end of the document", least[:40], 0, "document 1: file: ends within a document"},
		{"something after the list", "[" + least + "] x", 1, "after its list"},
		{"too long", `{"x":"` + strings.Repeat("x", MaxDocument), 0, "holds a document of more than"},
	}
	for _, tt := range tests {
		count := 0
		var last error
		for d, err := range Read(strings.NewReader(tt.file)) {
			if last = err; err == nil && d != nil {
				count++
			}
		}
		if count != tt.count {
			t.Errorf("%s: read %d documents, want %d (%v)", tt.name, count, tt.count, last)
		}
		if tt.want == "" && last != nil || tt.want != "" && (last == nil || !strings.Contains(last.Error(), tt.want)) {
			t.Errorf("%s: Read ended with %v, want %q", tt.name, last, tt.want)
		}
	}
}
