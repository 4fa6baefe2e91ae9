package store

import "github.com/stemma-memory/stemma/memory"

// Obeyed returns the held records whose bytes are to go with a batch that obeys: those
// which a new mark purges, new ones that a mark purged before they came, and those that
// Refold found purged, because what shows that the signer of a mark may purge came after
// the mark. Whether a mark counts was decided when states were folded.
func Obeyed(w Rows, fresh []*memory.Record, purged []memory.ID) ([]memory.ID, error) {
	var out []memory.ID
	seen := make(map[memory.ID]bool)
	look := func(ids ...memory.ID) error {
		for _, id := range ids {
			s, is, err := w.State(id)
			if err != nil {
				return err
			}
			if !is || !s.Purged || seen[id] {
				continue
			}
			seen[id] = true
			held, err := w.Record(id)
			if err != nil {
				return err
			}
			if held != nil && MayGo(held) {
				out = append(out, id)
			}
		}
		return nil
	}
	for _, r := range fresh {
		ids := []memory.ID{r.ID}
		if m, ok := r.Body.(*memory.Mark); ok && m.Verb == memory.Purge {
			for _, of := range memory.Subjects(m) {
				ids = append(ids, of.ID)
			}
		}
		if err := look(ids...); err != nil {
			return nil, err
		}
	}
	return out, look(purged...)
}
