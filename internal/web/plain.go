package web

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

//go:embed plain.html
var plainText string

// plainPage is the page without a script: lists and nested lists.
var plainPage = template.Must(template.New("plain").Parse(plainText))

// sheet finds the address of the style sheet, which is named by what is in it.
var sheet = regexp.MustCompile(`/assets/[\w-]+\.css`)

// A branch is one record in a nested list.
type branch struct {
	Ref, Kind, Words, Note string
	Under                  []branch
}

// A plain is what the page without a script shows: a memory, or a list.
type plain struct {
	Sheet, Title, Query string
	Memory              *stemma.Memory
	Back, Forward       []branch
	List                []branch
}

// plain serves a list of memories, or what a search finds.
func (p *pages) plain(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, func(ctx context.Context, e *stemma.Engine, out *plain) error {
		out.Query, out.Title = r.URL.Query().Get("q"), "Memories"
		if out.Query == "" {
			list, err := e.List(ctx, stemma.ListRequest{Limit: 100})
			for _, m := range list.Memories {
				out.List = append(out.List, branch{m.Ref, m.Type, shown(m.Headline), standing(m), nil})
			}
			return err
		}
		found, err := e.Search(ctx, stemma.SearchRequest{Query: out.Query, Limit: 50})
		for _, m := range found.Results {
			out.List = append(out.List, branch{m.Ref, m.Type, shown(m.Text), fmt.Sprintf("%s · trust %.2f %s · confidence %.2f", m.Tier, m.Trust, m.Level, m.Confidence), nil})
		}
		return err
	})
}

// plainMemory serves one memory with its tree as nested lists.
func (p *pages) plainMemory(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, func(ctx context.Context, e *stemma.Engine, out *plain) error {
		m, err := e.Show(ctx, stemma.ShowRequest{Ref: r.PathValue("ref")})
		if err != nil {
			return err
		}
		depth := 8
		t, err := e.Trace(ctx, stemma.TraceRequest{Ref: m.Ref, Depth: &depth})
		if err != nil {
			return err
		}
		out.Memory, out.Title = &m.Memory, shown(m.Headline)
		if t.Backward != nil {
			out.Back = branches(t.Backward.Sources)
		}
		if t.Forward != nil {
			out.Forward = branches(t.Forward.Derived)
		}
		return nil
	})
}

func (p *pages) write(w http.ResponseWriter, r *http.Request, fill func(context.Context, *stemma.Engine, *plain) error) {
	all, err := files()
	if err != nil {
		fail(w, err)
		return
	}
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	out := plain{Sheet: string(sheet.Find(all["index.html"].plain))}
	if err := fill(r.Context(), e, &out); err != nil {
		fail(w, err)
		return
	}
	var b bytes.Buffer
	if err := plainPage.Execute(&b, out); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = b.WriteTo(w) // who hung up does not read
}

// standing shows the three axes side by side.
func standing(m stemma.Memory) string {
	parts := []string{}
	for _, s := range []string{m.Hidden, m.Tier} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if m.Trust != nil {
		parts = append(parts, fmt.Sprintf("trust %.2f %s", *m.Trust, m.Level))
	}
	return strings.Join(append(parts, fmt.Sprintf("confidence %.2f", m.Confidence)), " · ")
}

func branches(nodes []*stemma.Node) []branch {
	var out []branch
	for _, n := range nodes {
		b := branch{Ref: n.Type + ":" + n.ID, Kind: n.Type, Words: shown(n.Words())}
		switch {
		case n.Seen:
			b.Words, b.Note = b.Ref[:len(n.Type)+9], "shown above"
		case n.Hidden != "":
			b.Note = n.Hidden
		case n.Inferred:
			b.Note = "inferred"
		}
		b.Under = append(branches(n.Sources), branches(n.Derived)...)
		out = append(out, b)
	}
	return out
}

// shown makes harmless what steers a browser's text rather than being read: it is
// written as an escape, as on a terminal.
func shown(s string) string {
	var b strings.Builder
	for _, r := range memory.Cut(s, 4096) {
		if steers(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f,
		r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}
