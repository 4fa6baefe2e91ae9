package store

import (
	"cmp"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// A Checkpoint says what a log was at a time.
type Checkpoint struct {
	Space string
	Size  int64
	Root  ledger.Hash
	Note  string // the signed note
	By    string // who holds it outside; "" says that it was only made here
	At    time.Time
}

// SortHeld puts checkpoints in the order of their times.
func SortHeld(cs []Checkpoint) {
	sorting.By(cs, func(a, b Checkpoint) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Size, b.Size), cmp.Compare(a.By, b.By))
	})
}

// rootPage is how many ids are read at a time.
const rootPage = 10_000

// RootAt computes the root of a log when it held size records. next returns the ids after a
// place.
func RootAt(size int64, next func(after Seq, limit int) ([]Change, error)) (ledger.Hash, error) {
	var f ledger.Frontier
	for f.Size() < size {
		page, err := next(Seq(f.Size()), int(min(rootPage, size-f.Size())))
		if err != nil {
			return ledger.Hash{}, err
		}
		if len(page) == 0 {
			return ledger.Hash{}, fmt.Errorf("the log has %d records, not %d", f.Size(), size)
		}
		if err := Extend(&f, page); err != nil {
			return ledger.Hash{}, err
		}
	}
	return f.Root(), nil
}

// Extend appends a page of a log to its tree. A gap in the log is damage.
func Extend(f *ledger.Frontier, page []Change) error {
	for _, c := range page {
		if int64(c.Seq) != f.Size()+1 {
			return fmt.Errorf("%w: place %d of a log is followed by place %d", ErrDamaged, f.Size(), c.Seq)
		}
		f.Append(ledger.Hash(c.ID))
	}
	return nil
}

// Suspect reports whether anything said about keys may keep r from speaking.
func Suspect(k *state.Keyring, r *memory.Record) bool {
	return !k.Quiet() && k.Fault(r) != state.Sound
}
