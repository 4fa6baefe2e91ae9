package door_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Of what much was said not everything is read again, and what another process says of it counts at once; what is
// withheld is noticed all the same.
func TestWhatMuchWasSaidOf(t *testing.T) {
	p := newPair(t)
	of := p.note.Ref()
	again := func() *memory.Record {
		raw := p.said("the pier is closed")
		mark := p.signed(p.owner.Make(t, &memory.Mark{Verb: memory.Said, Of: &of, Value: raw.Ref().String()}))
		p.add(raw, mark)
		return mark
	}
	for range 20 {
		again()
	}
	state := func() (s store.Item) {
		t.Helper()
		items, err := p.reader.Get(store.AtOnce(t.Context()), p.note.ID)
		if err != nil {
			t.Fatal(err)
		}
		return *items[0]
	}
	for range 2 {
		if it := state(); it.Doubt != "" || !it.State.Live() {
			t.Fatalf("it is %+v, doubt %q", it.State, it.Doubt)
		}
	}
	if !p.reader.OnlyMarks(t.Context(), p.note.ID) {
		t.Error("it is not known that all of it are marks")
	}
	last := again()
	if it := state(); it.Doubt != "" {
		t.Errorf("said again elsewhere it is in doubt: %s", it.Doubt)
	}
	p.add(p.claim(memory.Forget))
	if it := state(); it.State.Live() || it.Doubt != "" {
		t.Errorf("forgotten elsewhere it is %+v, doubt %q", it.State, it.Doubt)
	}
	p.add(p.claim(memory.Recover))
	p.between.Store = &withholding{p.inside, last.ID}
	if it := state(); it.Doubt == "" {
		t.Error("a mark is withheld, and that is not noticed")
	}
}
