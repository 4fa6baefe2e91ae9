package door

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A memory of more than so many revisions has them read together, as many at most.
const (
	fewRevisions  = 3
	mostRevisions = 10_000
)

// ahead reads all that a record replaces, and what is said of it. Whatever the tables name, each step is judged by
// the records.
func (f *folder) ahead(id memory.ID) error {
	refs, err := store.ReplacedBy(f.ctx, f.d.Store, id, mostRevisions)
	if err != nil || len(refs) == 0 {
		return err
	}
	ids := make([]memory.ID, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	if err := f.read(ids); err != nil {
		return err
	}
	return f.gather(refs)
}

// outranked reports whether of rival revisions another than r is the one to show.
func (f *folder) outranked(r *memory.Record) (bool, error) {
	fork := len(r.Header.Provenance.Supersedes) > 1
	seen := map[memory.ID]bool{r.ID: true}
	steps := 0
	for todo := []*memory.Record{r}; len(todo) > 0 && !fork; steps++ {
		if steps == fewRevisions {
			if err := f.ahead(todo[0].ID); err != nil {
				return false, err
			}
		}
		var refs []memory.Ref
		for _, one := range todo {
			for _, old := range one.Header.Provenance.Supersedes {
				if !seen[old.ID] {
					seen[old.ID] = true
					refs = append(refs, old)
				}
			}
		}
		if len(refs) == 0 {
			break
		}
		ids := make([]memory.ID, len(refs))
		for i, ref := range refs {
			ids[i] = ref.ID
		}
		if err := f.read(ids); err != nil {
			return false, err
		}
		if err := f.gather(refs); err != nil {
			return false, err
		}
		todo = todo[:0]
		for _, ref := range refs {
			after := 0
			for _, c := range f.said[ref.ID].records {
				if c.Header.Kind.IsMemory() {
					after++
				}
			}
			fork = fork || after > 1
			if old := f.held[ref.ID]; old != nil {
				todo = append(todo, old)
			}
		}
	}
	if !fork {
		return false, nil
	}
	return store.Outranked(rows{f}, r, f.d.now())
}

// successors reads together what may take the place of records, and what is said of it.
func (f *folder) successors(refs []memory.Ref) error {
	var next []memory.Ref
	for _, ref := range refs {
		for _, c := range f.said[ref.ID].records {
			switch b := c.Body.(type) {
			case *memory.Link:
				if b.Relation == memory.Update && b.Source == ref {
					next = append(next, b.Target)
				}
			default:
				if c.Header.Kind.IsMemory() {
					next = append(next, c.Ref())
				}
			}
		}
	}
	ids := make([]memory.ID, len(next))
	for i, ref := range next {
		ids[i] = ref.ID
	}
	if err := f.read(ids); err != nil {
		return err
	}
	return f.gather(next)
}

// look returns a record that may take the place of another, with what is said of it.
func (f *folder) look(ref memory.Ref) (*memory.Record, []*memory.Record, error) {
	if err := f.read([]memory.ID{ref.ID}); err != nil {
		return nil, nil, err
	}
	if err := f.gather([]memory.Ref{ref}); err != nil {
		return nil, nil, err
	}
	f.part = f.part || !f.whole(ref)
	return f.held[ref.ID], f.said[ref.ID].records, nil
}

// rows is what rival revisions are compared by.
type rows struct{ f *folder }

var _ store.Rows = rows{}

func (w rows) Record(id memory.ID) (*memory.Record, error) {
	if err := w.f.read([]memory.ID{id}); err != nil {
		return nil, err
	}
	return w.f.held[id], nil
}

func (w rows) Pointing(id memory.ID, rels ...graph.Relation) ([]memory.ID, error) {
	r, err := w.Record(id)
	if err != nil || r == nil {
		return nil, err
	}
	if err := w.f.gather([]memory.Ref{r.Ref()}); err != nil {
		return nil, err
	}
	var out []memory.ID
	for _, c := range w.f.said[id].records {
		for _, e := range graph.Edges(c) {
			if e.To == id && slices.Contains(rels, e.Rel) && !slices.Contains(out, c.ID) {
				out = append(out, c.ID)
			}
		}
	}
	return out, nil
}

func (w rows) ByAuthor(string) ([]memory.ID, error)       { return nil, nil }
func (w rows) State(memory.ID) (state.State, bool, error) { return state.State{}, false, nil }
func (w rows) PutState(*memory.Record, state.State) error { return nil }
func (w rows) Voices() (state.Voices, error)              { return w.f.v.ring, nil }
