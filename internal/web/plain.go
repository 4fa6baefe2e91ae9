package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	harmless "github.com/stemma-memory/stemma/internal/plain"
)

// sheet finds the address of the style sheet, which is named by what is in it.
func sheet(document []byte) string {
	return string(regexp.MustCompile(`/assets/[\w-]+\.css`).Find(document))
}

// A branch is one record in a nested list.
type branch struct {
	Ref, Kind, Words, Note string
	Under                  []branch
}

// A plain is what the page without a script shows: a memory, or a list.
type plain struct {
	Sheet, Title, Query string
	Memory              *api.Memory
	Marks               []string // of the memory
	Back, Forward       []branch
	List                []branch
}

// plain serves a list of memories, or what a search finds.
func (p *pages) plain(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, func(ctx context.Context, e *engine.Engine, out *plain) error {
		out.Query, out.Title = r.URL.Query().Get("q"), "Memories"
		if out.Query == "" {
			list, err := e.List(ctx, api.ListRequest{Limit: 100})
			for _, m := range list.Memories {
				out.List = append(out.List, branch{m.Ref, m.Type, shown(m.Headline), stateWords(m), nil})
			}
			return err
		}
		found, err := e.Search(ctx, api.SearchRequest{Query: out.Query, Limit: 50})
		for _, m := range found.Results {
			out.List = append(
				out.List,
				branch{
					m.Ref, m.Type, shown(m.Text),
					resultWords(&m),
					nil,
				},
			)
		}
		return err
	})
}

// plainMemory serves one memory with its tree as nested lists.
func (p *pages) plainMemory(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, func(ctx context.Context, e *engine.Engine, out *plain) error {
		m, err := e.Show(ctx, api.RefRequest{Ref: r.PathValue("ref")})
		if err != nil {
			return err
		}
		depth := 8
		t, err := e.Trace(ctx, api.TraceRequest{Ref: m.Ref, Depth: &depth})
		if err != nil {
			return err
		}
		out.Memory, out.Title = &m.Memory, shown(m.Headline)
		out.Marks = m.Marks
		if t.Backward != nil {
			out.Back = branches(t.Backward.Sources)
		}
		if t.Forward != nil {
			out.Forward = branches(t.Forward.Derived)
		}
		return nil
	})
}

func (p *pages) write(
	w http.ResponseWriter, r *http.Request, fill func(context.Context, *engine.Engine, *plain) error,
) {
	all, err := files()
	if err != nil {
		fail(w, err)
		return
	}
	e, err := p.config.Engine(reading(r, p.reads(r)))
	if err != nil {
		fail(w, err)
		return
	}
	out := plain{Sheet: sheet(all["index.html"].plain)}
	if err := fill(r.Context(), e, &out); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, out.html()) // who hung up does not read
}

// resultWords shows how a result stands: the marks that a search gives, and the three axes.
func resultWords(r *api.Result) string {
	parts := marked(r.Marks)
	if r.Weak {
		parts = append(parts, "weak")
	}
	if r.Perhaps {
		parts = append(parts, "perhaps, in other words")
	}
	parts = append(parts, nonempty(r.Tier)...)
	return shown(strings.Join(append(parts,
		fmt.Sprintf("trust %.2f", r.Trust), fmt.Sprintf("confidence %.2f", r.Confidence)), " · "))
}

// marked are marks in the words of the page: there are four for how a memory stands.
func marked(marks []string) []string {
	out := slices.Clone(marks)
	for i, m := range out {
		if m == "unverified" {
			out[i] = "not reviewed"
		}
	}
	return out
}

func nonempty(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// stateWords shows the marks and the three axes side by side.
func stateWords(m api.Memory) string {
	parts := append(marked(m.Marks), nonempty(m.Tier)...)
	if m.Trust != nil {
		parts = append(parts, fmt.Sprintf("trust %.2f", *m.Trust))
	}
	return strings.Join(append(parts, fmt.Sprintf("confidence %.2f", m.Confidence)), " · ")
}

func branches(nodes []*api.Node) []branch {
	var out []branch
	for _, n := range nodes {
		b := branch{Ref: n.Type + ":" + n.ID, Kind: n.Type, Words: shown(engine.NodeWords(n))}
		switch {
		case n.Seen:
			b.Words, b.Note = b.Ref[:len(n.Type)+9], "in full elsewhere"
		case len(n.Marks) > 0:
			b.Note = strings.Join(marked(n.Marks), " · ")
		case n.Inferred:
			b.Note = "inferred"
		}
		b.Under = append(branches(n.Sources), branches(n.Derived)...)
		out = append(out, b)
	}
	return out
}

// shown makes words harmless that would steer what shows them.
func shown(s string) string { return harmless.Text(s) }
