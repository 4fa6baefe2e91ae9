package state

import "github.com/stemma-memory/stemma/memory"

// MaySettle reports whether one who speaks with voice claimer, and may decide about a link, may say
// that it asks nobody any more. The owner and the keepers of its space may. Its author may where
// they may decide about both memories that it ties: that two memories contradict each other
// concerns the authors of both. Ends that are not held, or are in other spaces, forbid nothing.
func MaySettle(claimer Voice, r *memory.Record, ends []*memory.Record, who Voices) bool {
	_, ok := r.Body.(*memory.Link)
	if !ok || claimer.Keeps == r.Header.Space || OwnsSpace(claimer, r.Header.Space, who) {
		return true
	}
	for _, end := range ends {
		if end.Header.Space == r.Header.Space && !May(claimer, end, who) {
			return false
		}
	}
	return true
}

// endsOf returns the memories that a link ties, as far as they are held. They are read where
// something was said of the link.
func endsOf(r *memory.Record, about []*memory.Record, look Look) (out []*memory.Record, err error) {
	l, ok := r.Body.(*memory.Link)
	if !ok || len(about) == 0 {
		return nil, nil
	}
	for _, ref := range []memory.Ref{l.Source, l.Target} {
		end, _, err := look(ref)
		if err != nil {
			return nil, err
		}
		if end != nil && end.Header.Kind == ref.Kind {
			out = append(out, end)
		}
	}
	return out, nil
}
