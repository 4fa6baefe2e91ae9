package intake

import "github.com/stemma-memory/stemma/memory"

// knownRefs remembers the newest of the names that an import has met: the store is asked for others.
// What is signed and not stored yet must be among them.
type knownRefs struct {
	now, before map[string]knownRef
	batches     int // begun since the older names were forgotten last
}

// A knownRef is a record of the store, or one that was made in this run.
type knownRef struct {
	memory.Ref
	made bool
}

const (
	// mostKnown is how many names are new; as many may be older.
	mostKnown = 50_000
	// underWay is how many batches may be signed and not stored: the one that is stored, those that
	// wait, and the next.
	underWay = 4
)

func newKnownRefs() knownRefs { return knownRefs{now: make(map[string]knownRef)} }

// forget is called before each batch, and drops the oldest names where there are too many.
func (k *knownRefs) forget() {
	if k.batches++; len(k.now) >= mostKnown && k.batches > underWay {
		k.before, k.now, k.batches = k.now, make(map[string]knownRef, mostKnown), 0
	}
}

func (k *knownRefs) get(name string) (knownRef, bool) {
	r, ok := k.now[name]
	if !ok {
		r, ok = k.before[name]
	}
	return r, ok
}

func (k *knownRefs) put(name string, r knownRef) { k.now[name] = r }
