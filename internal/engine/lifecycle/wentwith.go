package lifecycle

import "github.com/stemma-memory/stemma/memory"

// contextTwin is what the provenance of a mark names by which a twin went with what was corrected. The value of the
// mark is the record that corrected it, in full: both are one act.
const contextTwin = "twin"

// wentWith returns the record that corrected another, where a mark says that a twin of that went with it.
func wentWith(r *memory.Record) (memory.ID, bool) {
	m, ok := r.Body.(*memory.Mark)
	if !ok || m.Verb != memory.Forget || r.Header.Provenance.Context != contextTwin {
		return memory.ID{}, false
	}
	act, err := memory.ParseRef(m.Value)
	return act.ID, err == nil
}
