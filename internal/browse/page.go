package browse

import (
	"context"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/memory"
)

// A page is one record: what it says, and under it the tree or one of the other
// looks at it.
type page struct {
	seat
	ref    string
	shown  api.ShowReply
	look   int // one of looks
	up     []*branch
	down   []*branch
	links  []api.LinkView
	deeper bool                          // there is more than one reply holds
	asked  map[int]func(width int) []row // by look, once it was looked at
}

// The looks at a record.
const (
	lookTree = iota
	lookEvidence
	lookTrust
	lookHistory
	lookRecord
)

var looks = []string{"tree", "evidence", "trust", "history", "record"}

func (p *page) title() string { return shortRef(p.shown.Ref) }

func (p *page) load(ctx context.Context, ask Asker) error {
	shown, err := ask.Show(ctx, api.RefRequest{Ref: p.ref})
	if err != nil {
		return err
	}
	tree, err := ask.Trace(ctx, api.TraceRequest{Ref: shown.Ref})
	if err != nil {
		return err
	}
	p.ref, p.shown, p.links, p.deeper = shown.Ref, shown, tree.Links, tree.Next > 0
	p.up, p.down = nil, nil
	if tree.Backward != nil {
		p.up = branches(tree.Backward.Sources, nil, graph.Back, tree.Deeper)
	}
	if tree.Forward != nil {
		p.down = branches(tree.Forward.Derived, nil, graph.Forward, tree.Deeper)
	}
	p.asked = make(map[int]func(int) []row)
	p.drop()
	return p.loadLook(ctx, ask)
}

// loadLook asks for what the present look shows, once. What a record has not,
// such as a trust in a mark, is said in the place of the rows.
func (p *page) loadLook(ctx context.Context, ask Asker) error {
	if p.asked[p.look] != nil || p.look == lookTree || p.look == lookRecord {
		return nil
	}
	var err error
	if !memory.Kind(p.shown.Type).IsMemory() || p.shown.Hidden == "purged" {
		p.asked[p.look] = func(int) []row {
			return []row{
				plainRow(dim, "(nothing: this is no memory that still has its words)"),
			}
		}
		return nil
	}
	switch p.look {
	case lookEvidence:
		p.asked[p.look], err = evidence(ctx, ask, p.shown.Ref)
	case lookTrust:
		p.asked[p.look], err = trust(ctx, ask, p.shown.Ref)
	case lookHistory:
		p.asked[p.look], err = history(ctx, ask, p.shown.Ref)
	}
	return err
}

// tab changes the look.
func (m *Model) tab(ctx context.Context, k Key) {
	p, ok := m.here().(*page)
	if !ok {
		m.say("enter opens a memory; then 1 to 5 switch the view")
		return
	}
	old := p.look
	switch k {
	case Tab:
		p.look = (p.look + 1) % len(looks)
	case BackTab:
		p.look = (p.look + len(looks) - 1) % len(looks)
	case "1", "2", "3", "4", "5":
		p.look = int(k[0] - '1')
	default:
		p.look = map[Key]int{"e": lookEvidence, "w": lookTrust, "t": lookHistory, "c": lookRecord}[k]
	}
	if err := p.loadLook(ctx, m.ask); err != nil {
		p.look = old
		m.fail(err)
		return
	}
	p.drop()
	m.home(p)
}

// narrow is the width below which only the most important keys are named.
const narrow = 60

func (p *page) draw(width int) []row {
	out := p.head(width)
	out = append(out, p.tabs(width), row{})
	p.heads = len(out)
	switch p.look {
	case lookTree:
		return append(out, p.tree(width)...)
	case lookRecord:
		return append(out, p.record(width)...)
	}
	if draw := p.asked[p.look]; draw != nil {
		return append(out, draw(width)...)
	}
	return out
}

// head says what the memory says, and how far that goes.
func (p *page) head(width int) []row {
	m := &p.shown
	first := []piece{{kindStyle(m.Type), m.Type}}
	for _, s := range []string{noteType(m), m.Tier, m.Review} {
		if s != "" {
			first = append(first, piece{dim, " · "}, piece{tierStyle[s], plain.Line(s, 30)})
		}
	}
	for _, mark := range m.Marks {
		first = append(first, piece{"", " "}, piece{red, "[" + plain.Line(mark, 80) + "]"})
	}
	if m.Protected {
		first = append(first, piece{"", " "}, piece{green, "[protected]"})
	}
	out := []row{{pieces: first}}
	out = append(out, paragraph(bold, said(speaker(m), words(m)), width, mostWords)...)
	if m.Trust != nil {
		line := []piece{{dim, "trust "}, {levelStyle[m.Level], fmt.Sprintf("%.2f %s", *m.Trust, m.Level)}}
		if m.Type != string(memory.KindRaw) {
			sure := "confidence "
			if width < narrow {
				sure = "conf. "
			}
			line = append([]piece{{dim, sure}, {"", fmt.Sprintf("%.2f", m.Confidence)}, {dim, " · "}}, line...)
		}
		out = append(append(out, row{pieces: line}), acting(m, width)...)
	}
	if m.CreatedAt != "" {
		out = append(out, paragraph(dim, cameAbout(&m.Memory), width, mostWords)...)
	}
	for _, u := range m.Upstream {
		out = append(out, row{pieces: []piece{{red, "rests on " + u.Why + ": "}, {"", oneLine(u.Headline)}}, ref: u.Ref})
	}
	if m.SupersededBy != "" {
		out = append(out, row{pieces: []piece{{red, "superseded by "}, {"", shortRef(m.SupersededBy)}}, ref: m.SupersededBy})
	}
	for _, old := range m.Supersedes {
		out = append(out, row{pieces: []piece{{dim, "supersedes "}, {"", shortRef(old)}}, ref: old})
	}
	if m.CodeState != "" {
		out = append(
			out,
			row{pieces: []piece{{dim, "code "}, {stateStyle[m.CodeState], strings.ReplaceAll(m.CodeState, "_", " ")}}},
		)
	}
	return out
}

// acting says whether an agent may act on a memory.
func acting(m *api.ShowReply, width int) []row {
	if m.Actionable {
		return []row{plainRow(green, "an agent may act on it")}
	}
	return paragraph(yellow, "not to be acted on without asking: "+oneLine(m.NotActionable), width, mostWords)
}

// noteType is what a kind distinguishes, such as a decision among notes.
func noteType(m *api.ShowReply) string {
	if t, _ := m.Content["type"].(string); m.Type == string(memory.KindNote) {
		return t
	}
	return ""
}

func speaker(m *api.ShowReply) string {
	s, _ := m.Content["speaker"].(string)
	return s
}

// words are what a raw says whole, and the headline of any other.
func words(m *api.ShowReply) string {
	if s, _ := m.Content["text"].(string); m.Type == string(memory.KindRaw) && s != "" {
		return s
	}
	return m.Headline
}

// tabs is the row that names the looks.
func (p *page) tabs(width int) row {
	var r row
	for i, name := range looks {
		text, style := fmt.Sprintf("%d %s", i+1, name), dim
		if i != p.look && width < narrow {
			text = text[:1]
		}
		if i == p.look {
			text, style = "["+text+"]", bold
		}
		if i > 0 {
			text = "  " + text
		}
		r.pieces = append(r.pieces, piece{style, text})
	}
	return r
}

func (p *page) about(r row) string {
	if r.branch != nil {
		return r.branch.about()
	}
	return r.ref
}
