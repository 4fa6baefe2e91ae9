package web

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"reflect"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/layout"
	"github.com/stemma-memory/stemma/internal/strict"
)

// mostAsked bounds the bytes of a request for a picture.
const mostAsked = 1 << 20

// A node is one record in a picture, with where it stands.
type node struct {
	engine.PictureNode
	Layer int     `json:"layer"`
	Y     float64 `json:"y"` // in rooms of one node
	Fate  string  `json:"fate,omitempty"`
	// Folded counts the records that one node is drawn for; 0 is an ordinary node.
	Folded int `json:"folded,omitempty"`
	Behind int `json:"behind,omitempty"` // records beyond them that are not drawn
}

// What becomes of a record in a quarantine.
const (
	fateRoot  = "root"
	fateFalls = "falls"
	fateStays = "stays"
)

// An arrow is one of a picture, with where it bends.
type arrow struct {
	engine.PictureArrow
	Bends [][2]float64 `json:"bends,omitempty"` // layer and y
}

// A drawing is a picture that is laid out.
type drawing struct {
	Roots  []int   `json:"roots"`
	Nodes  []node  `json:"nodes"`
	Arrows []arrow `json:"arrows"`
	Layers int     `json:"layers"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Full   bool    `json:"full,omitempty"`
	All    int     `json:"all,omitempty"` // records, where several are drawn as one node
}

// graphRequest asks for a part of a tree. Where Fold is given, about so many nodes are drawn, and
// the others are folded into nodes that stand for several.
type graphRequest struct {
	engine.PictureRequest
	Fold int      `json:"fold,omitempty"`
	Open []string `json:"open,omitempty"` // refs of folded nodes; each mention unfolds more
}

// draw lays a picture out. Revisions count as descent, since what is newer stands
// further on; what links say does not: it may go either way.
func draw(p engine.PictureReply) drawing {
	keys := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		keys[i] = n.At + n.Ref
	}
	arrows := make([]layout.Arrow, 0, len(p.Arrows))
	at := make([]int, 0, len(p.Arrows))
	for i, a := range p.Arrows {
		if a.How == "" || a.How == "inferred" || a.How == "revises" {
			arrows = append(arrows, layout.Arrow{Newer: a.Newer, Older: a.Older})
			at = append(at, i)
		}
	}
	plan := layout.Make(keys, arrows)
	d := drawing{
		Roots: p.Roots, Nodes: make([]node, len(p.Nodes)), Arrows: make([]arrow, len(p.Arrows)),
		Layers: plan.Layers, Low: plan.Low, High: plan.High, Full: p.Full,
	}
	for i, n := range p.Nodes {
		d.Nodes[i] = node{PictureNode: n, Layer: plan.Layer[i], Y: rounded(plan.At[i])}
	}
	for i, a := range p.Arrows {
		d.Arrows[i].PictureArrow = a
	}
	for i, bends := range plan.Bends {
		for _, b := range bends {
			a := &d.Arrows[at[i]]
			a.Bends = append(a.Bends, [2]float64{float64(b.Layer), rounded(b.At)})
		}
	}
	return d
}

// rounded keeps what can be seen.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

func (p *pages) graph(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in graphRequest) (any, error) {
		reply, err := e.Picture(r.Context(), in.PictureRequest)
		if err != nil {
			return nil, err
		}
		if in.Fold <= 0 {
			return draw(reply), nil
		}
		f := fold(reply, in.Fold, in.Open)
		d := draw(f.reply)
		d.All = len(reply.Nodes)
		for i, n := range f.folded {
			d.Nodes[i].Folded, d.Nodes[i].Behind = n.members, n.behind
		}
		return d, nil
	})
}

func (p *pages) timeline(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.TimelineRequest) (any, error) {
		return e.Timeline(r.Context(), in)
	})
}

// blastRequest names what may be false.
type blastRequest struct {
	Target string `json:"target"`
	Limit  int    `json:"limit,omitempty"` // records that are drawn; 0 is 300
}

// A blast is what a quarantine would hide and what it would leave, drawn.
type blast struct {
	Target  string         `json:"target"`
	Roots   int            `json:"root_count"`
	Falls   int            `json:"affected_count"`
	Stays   int            `json:"survives_count"`
	Hidden  int            `json:"hidden_count"` // of those drawn, quarantined already
	Grounds []api.Affected `json:"survives"`
	drawing
}

func (p *pages) blast(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in blastRequest) (any, error) {
		if in.Limit == 0 {
			in.Limit = 300
		}
		if in.Limit < 1 || in.Limit > 5000 {
			return nil, api.Invalid("limit: must be from 1 to 5000, got %d", in.Limit)
		}
		t, err := e.Taint(r.Context(), api.TaintRequest{Target: in.Target, Limit: in.Limit})
		if err != nil {
			return nil, err
		}
		out := blast{Target: t.Target, Roots: len(t.Roots), Falls: t.AffectedCount, Stays: t.SurvivesCount,
			Grounds: t.Survives}
		fate := make(map[string]string)
		ask := engine.PictureRequest{Limit: 2 * in.Limit}
		add := func(ref, what string) {
			if _, has := fate[ref]; !has && len(ask.Only) < ask.Limit {
				fate[ref] = what
				ask.Only = append(ask.Only, ref)
			}
		}
		for _, ref := range t.Roots {
			add(ref, fateRoot)
		}
		for _, a := range t.Affected {
			add(a.Ref, fateFalls)
		}
		for _, a := range t.Survives {
			add(a.Ref, fateStays)
		}
		for _, a := range t.Survives { // what holds them up
			for _, ref := range a.Grounds {
				add(ref, "")
			}
		}
		if len(ask.Only) == 0 {
			return out, nil
		}
		reply, err := e.Picture(r.Context(), ask)
		if err != nil {
			return nil, err
		}
		out.drawing = draw(reply)
		out.Full = out.Full || len(t.Affected) < t.AffectedCount || len(t.Survives) < t.SurvivesCount
		for i := range out.Nodes {
			n := &out.Nodes[i]
			if n.Fate = fate[n.Ref]; n.Hidden == "quarantined" {
				out.Hidden++
			}
		}
		return out, nil
	})
}

// answer reads a request strictly, and writes the reply or a problem.
func answer[In any](p *pages, w http.ResponseWriter, r *http.Request, do func(*engine.Engine, In) (any, error)) {
	var in In
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostAsked))
	if err == nil && len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err = d.Decode(&in); err == nil {
			err = strict.Check(raw, reflect.TypeFor[In]())
		}
	}
	if err != nil {
		fail(w, api.Invalid("the request: %v", err))
		return
	}
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	out, err := do(e, in)
	if err != nil {
		fail(w, err)
		return
	}
	send(w, out)
}
