package peer

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// A KeyBook finds the key records that belong to a key.
type KeyBook struct {
	byID  map[memory.ID]*memory.Record
	about map[string][]*memory.Record // by the key they are about, and the one they replace
	by    map[string][]*memory.Record // by the key that said so
	place map[memory.ID]int           // in the order in which they came
}

// NewKeyBook makes a book of key records. Introductions are no one else's affair,
// and are left out.
func NewKeyBook(rs []*memory.Record) *KeyBook {
	b := &KeyBook{
		byID: make(map[memory.ID]*memory.Record), about: make(map[string][]*memory.Record),
		by: make(map[string][]*memory.Record), place: make(map[memory.ID]int),
	}
	for _, r := range rs {
		b.Add(r)
	}
	return b
}

// Add takes in a record, if it is about a key.
func (b *KeyBook) Add(r *memory.Record) {
	k, ok := r.Body.(*memory.Key)
	if !ok || k.Op == memory.OpIntroduce || b.byID[r.ID] != nil {
		return
	}
	b.byID[r.ID], b.place[r.ID] = r, len(b.place)
	b.by[r.Header.Author] = append(b.by[r.Header.Author], r)
	b.about[k.Key] = append(b.about[k.Key], r)
	if k.Previous != "" && k.Previous != k.Key {
		b.about[k.Previous] = append(b.about[k.Previous], r)
	}
}

// Needs returns the key records without which r does not speak, in the order in which
// they are to be stored: how its author's key began or was followed to, and what
// lets it act. What takes keys back or replaces them is not among them: it must not
// come before what it does not touch.
func (b *KeyBook) Needs(r *memory.Record) []*memory.Record {
	var out []*memory.Record
	seen, in := make(map[string]bool), make(map[memory.ID]bool)
	add := func(k *memory.Record) {
		if k.ID != r.ID && !in[k.ID] {
			in[k.ID] = true
			out = append(out, k)
		}
	}
	var key func(did string)
	key = func(did string) {
		if seen[did] {
			return
		}
		seen[did] = true
		for _, k := range b.about[did] {
			body := k.Body.(*memory.Key)
			if body.Key != did {
				continue
			}
			switch body.Op {
			case memory.OpInception, memory.OpRecovery:
				key(k.Header.Author)
				add(k)
			case memory.OpRotate:
				key(body.Previous)
				key(k.Header.Author)
				for _, said := range b.by[body.Previous] { // it would be too late for it after
					if b.place[said.ID] < b.place[k.ID] {
						add(said)
					}
				}
				add(k)
			}
		}
	}
	if d := b.byID[r.Header.Delegation]; d != nil {
		key(d.Header.Author)
		add(d)
	}
	key(r.Header.Author)
	if k, ok := r.Body.(*memory.Key); ok && k.Previous != "" {
		key(k.Previous)
	}
	return out
}

// Concern returns all key records about some keys and about those who said so, those
// that let keys act before those that end them. Of a key that ends there is all that it
// said of others: it would be too late for it after.
func (b *KeyBook) Concern(dids []string) []*memory.Record {
	seen, in := make(map[string]bool), make(map[memory.ID]bool)
	var found []*memory.Record
	add := func(k *memory.Record) {
		if !in[k.ID] {
			in[k.ID] = true
			found = append(found, k)
		}
	}
	for todo := slices.Clone(dids); len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		for _, k := range b.about[todo[0]] {
			body := k.Body.(*memory.Key)
			todo = append(todo, k.Header.Author, body.Key)
			if body.Previous != "" {
				todo = append(todo, body.Previous)
			}
			add(k)
			if ends(k) > 0 {
				for _, said := range b.by[todo[0]] {
					add(said)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y *memory.Record) int {
		if n := ends(x) - ends(y); n != 0 || ends(x) == 0 {
			return n
		}
		return b.place[x.ID] - b.place[y.ID] // a key takes others back before it is replaced, or not at all
	})
	return found
}

// ends is 0 for what lets a key act, 1 for what replaces one or takes one back.
func ends(r *memory.Record) int {
	if r.Ends() {
		return 1
	}
	return 0
}

// IDs returns the ids of records.
func IDs(rs []*memory.Record) []memory.ID {
	out := make([]memory.ID, len(rs))
	for i, r := range rs {
		out[i] = r.ID
	}
	return out
}

// All returns the ids of the whole book.
func (b *KeyBook) All() []memory.ID {
	var out []memory.ID
	for id := range b.byID {
		out = append(out, id)
	}
	return out
}

// DIDs returns every key that is spoken of.
func (b *KeyBook) DIDs() []string {
	var out []string
	for did := range b.about {
		out = append(out, did)
	}
	slices.Sort(out)
	return out
}
