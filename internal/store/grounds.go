package store

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// A ground is what the lineage of a record reaches.
type ground struct {
	words bool // any raw words
	event bool // words of another run than the record's own
	gone  bool // something that was purged, which may have been such words
}

// grounds says what the lineage of r reaches. Words captured in the same run as the
// statement are its own text, no evidence for it. Purged words are evidence for what
// reached none before; for what did, they are what they were.
func (f *refold) grounds(r *memory.Record, old state.State) (ground, error) {
	var g ground
	run := r.Header.Provenance.Run
	for _, ref := range r.Header.Provenance.From {
		p, err := f.rows.Record(ref.ID)
		if err != nil {
			return g, err
		}
		s, was, err := f.rows.State(ref.ID)
		switch {
		case err != nil:
			return g, err
		case p == nil: // one that is not held does not count, since it was never seen here
			drawn, err := f.drawn(r, ref)
			if err != nil {
				return g, err
			}
			if was && s.Purged && drawn {
				raw := ref.Kind == memory.KindRaw
				g.words, g.gone = g.words || raw || s.AnyRaw, g.gone || raw || s.ReachesRaw
			}
		case p.Header.Kind != ref.Kind: // a ref that names another kind draws no arrow
		case p.Header.Kind == memory.KindRaw:
			g.words, g.event = true, g.event || run == "" || p.Header.Provenance.Run != run
		case !s.AnyRaw:
		case run == "" || run == p.Header.Provenance.Run:
			g.words, g.event = true, g.event || s.ReachesRaw || run == ""
		default:
			other, gone, err := f.otherRun(p, run)
			if err != nil {
				return g, err
			}
			g.words, g.event, g.gone = true, g.event || other, g.gone || gone
		}
	}
	if g.gone && !g.event { // unknown now: only of what rested on it before it is known
		g.event = !old.AnyRaw || old.ReachesRaw
	}
	return g, nil
}

// drawn reports whether r rightly names the kind of a source that cannot be read.
func (f *refold) drawn(r *memory.Record, ref memory.Ref) (bool, error) {
	from, err := f.rows.Pointing(ref.ID, graph.DerivedFrom)
	return slices.Contains(from, r.ID), err
}

// otherRun searches the lineage of p for words of another run than run. It also reports
// whether anything in it was purged, which may have been such words.
func (f *refold) otherRun(p *memory.Record, run string) (other, gone bool, err error) {
	seen := make(map[memory.ID]bool)
	for todo := []*memory.Record{p}; len(todo) > 0; {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, ref := range r.Header.Provenance.From {
			if seen[ref.ID] {
				continue
			}
			seen[ref.ID] = true
			src, err := f.rows.Record(ref.ID)
			if err != nil {
				return false, false, err
			}
			if src == nil {
				s, was, err := f.rows.State(ref.ID)
				if err != nil {
					return false, false, err
				}
				drawn, err := f.drawn(r, ref)
				if err != nil {
					return false, false, err
				}
				gone = gone || was && s.Purged && drawn && (ref.Kind == memory.KindRaw || s.ReachesRaw)
				continue
			}
			if src.Header.Kind != ref.Kind {
				continue
			}
			if src.Header.Kind == memory.KindRaw && src.Header.Provenance.Run != run {
				return true, gone, nil
			}
			todo = append(todo, src)
		}
	}
	return false, gone, nil
}
