package store

import "github.com/stemma-memory/stemma/memory"

// grounds tells whether the lineage of r reaches any raw words, and whether it
// reaches words of another run than r's own. Words captured in the same run as
// the statement are its own text, no evidence for it.
func (f *refold) grounds(r *memory.Record) (anyRaw, event bool, err error) {
	run := r.Header.Provenance.Run
	for _, ref := range r.Header.Provenance.From {
		p, err := f.rows.Record(ref.ID)
		if err != nil {
			return false, false, err
		}
		if p != nil && p.Header.Kind != ref.Kind {
			continue // a ref that names another kind draws no arrow
		}
		if p == nil || p.Header.Kind == memory.KindRaw {
			held, other, err := f.rawSource(ref, p, run)
			if err != nil {
				return false, false, err
			}
			anyRaw, event = anyRaw || held, event || held && other
			continue
		}
		s, _, err := f.rows.State(p.ID)
		if err != nil {
			return false, false, err
		}
		anyRaw = anyRaw || s.AnyRaw
		switch {
		case event || !s.AnyRaw:
		case run == "" || run == p.Header.Provenance.Run:
			event = s.ReachesRaw || run == ""
		default:
			if event, err = f.otherRun(p, run); err != nil {
				return false, false, err
			}
		}
	}
	return anyRaw, event, nil
}

// rawSource judges a source that is a raw, or is not here to be read. A raw
// that was purged still counts; one that is not held does not, since nobody
// here has seen it.
func (f *refold) rawSource(ref memory.Ref, p *memory.Record, run string) (held, other bool, err error) {
	if p != nil {
		return true, run == "" || p.Header.Provenance.Run != run, nil
	}
	s, was, err := f.rows.State(ref.ID)
	return was && s.Purged && ref.Kind == memory.KindRaw, true, err
}

// otherRun searches the lineage of p for words of another run than run.
func (f *refold) otherRun(p *memory.Record, run string) (bool, error) {
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
				return false, err
			}
			if src == nil || src.Header.Kind != ref.Kind {
				continue
			}
			if src.Header.Kind == memory.KindRaw && src.Header.Provenance.Run != run {
				return true, nil
			}
			todo = append(todo, src)
		}
	}
	return false, nil
}
