package enginetest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/seal"
)

// Remembered counts the records that were verified, and all.
func (p *Poisoned) Remembered(t *testing.T) (kept, all int64) {
	t.Helper()
	mark, err := seal.Load(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err = proof.Open(p.Data, mark, p.Path).Count(); err != nil {
		t.Fatal(err)
	}
	look, err := engine.LookInto(t.Context(), Databases, p.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	heads, err := look.Heads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range heads.Heads {
		all += h.Size
	}
	return kept, all
}

// Workshop is a repository and the people who remember things of it.
type Workshop struct {
	*Repo
	*People
}

const (
	StoreCode = "package store\n\n// Open opens.\nfunc Open() error {\n\treturn nil\n}\n\nfunc Close() error " +
		"{\n\treturn nil\n}\n"
	OtherCode = "package store\n\nfunc Other() {}\n"
)

// NewWorkshop makes a store beside a repository with some code.
func NewWorkshop(t testing.TB) *Workshop {
	r := NewRepo(t)
	r.Write("store.go", StoreCode)
	r.Write("other.go", OtherCode)
	r.Commit("first")
	return &Workshop{Repo: r, People: NewPeople(t, func(c *engine.Config) { c.Dir = r.Dir })}
}

// Note writes a note that names code, as the owner.
func (w *Workshop) Note(kind, text string, approve bool, files ...string) string {
	w.People.T.Helper()
	return Write(w.People.T, w.Owner, api.AddRequest{
		Draft: api.Draft{Kind: "note", Type: kind, Text: text}, Meta: api.Meta{Files: files, Approve: approve}})
}

// CodeState returns the code state of one memory.
func (w *Workshop) CodeState(e *engine.Engine, ref string) api.Checked {
	t := w.People.T
	t.Helper()
	r, err := e.Check(t.Context(), api.CheckRequest{Refs: []string{ref}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Memories) != 1 || r.Memories[0].Ref != ref {
		t.Fatalf("check of %s gives %+v", ref, r.Memories)
	}
	return r.Memories[0]
}

// sections are what a pack has on a question.
func (w *Workshop) Pack(e *engine.Engine, in api.ContextRequest) (map[string][]string, Page, string) {
	t := w.People.T
	t.Helper()
	r, err := e.Context(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	body, err := r.Render("text", true)
	if err != nil {
		t.Fatal(err)
	}
	p := ReadPage(t.(*testing.T), r)
	return p.Refs(), p, string(body)
}

// ShortRef is a ref as pages write it.
func ShortRef(ref string) string {
	kind, id, _ := strings.Cut(ref, ":")
	return kind + ":" + id[:8]
}

// Page is a pack in JSON.
type Page struct {
	Budget, Used int
	Sections     []struct {
		Name    string
		Entries []struct{ Ref, Tier, Text, Path, Why, State, Kind, Store string }
	}
	Omitted []pack.Omission
}

// ReadPage reads the body of a pack.
func ReadPage(t *testing.T, r api.ContextReply) Page {
	t.Helper()
	body, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var p Page
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return p
}

// Refs names what a page has, by section.
func (p Page) Refs() map[string][]string {
	out := make(map[string][]string)
	for _, s := range p.Sections {
		for _, e := range s.Entries {
			out[s.Name] = append(out[s.Name], e.Ref)
		}
	}
	return out
}

// Count is how many memories there are on a page and beside it.
func (p Page) Count() (shown, left int) {
	for _, s := range p.Sections {
		shown += len(s.Entries)
	}
	for _, o := range p.Omitted {
		left += o.Count
	}
	return shown, left
}

// WantShort compares the short refs of a pack with full ones, in any order.
func WantShort(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	short := make([]string, len(want))
	for i, ref := range want {
		kind, id, _ := strings.Cut(ref, ":")
		short[i] = kind + ":" + id[:8]
	}
	slices.Sort(short)
	got = slices.Sorted(slices.Values(got))
	if !slices.Equal(got, short) {
		t.Errorf("%s: %v, want %v", what, got, short)
	}
}

// SectionsOf returns the section in which a pack shows each ref, short.
func SectionsOf(t *testing.T, r api.ContextReply) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for section, refs := range ReadPage(t, r).Refs() {
		for _, ref := range refs {
			out[ref] = section
		}
	}
	return out
}

// ContextOf says under which section a pack gives each memory.
func ContextOf(t *testing.T, e *engine.Engine, query string) map[string]string {
	t.Helper()
	r, err := e.Context(t.Context(), api.ContextRequest{Query: query, Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	return SectionsOf(t, r)
}

// LoadOf says the same of what a session begins with.
func LoadOf(t *testing.T, e *engine.Engine) map[string]string {
	t.Helper()
	r, err := e.Load(t.Context(), api.LoadRequest{Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	return SectionsOf(t, r)
}
