package views

import (
	"time"

	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A found is one candidate that was read.
type Found struct {
	*store.Item
	C       *rank.Candidate
	Placed  memory.Tier
	Vouched *trust.Vouched
	Factors rank.Factors

	Place    int          // among the candidates of an answer
	Wording  []memory.Ref // words, and memories of the same words, that yielded their line to it
	Inherits string       // what was decided about the memory that these words were made to
	Marks    []string     // what a reader has to know beside it
	Settled  *Settled     // what decisions make of it
	Until    time.Time    // when what was asked for stopped to hold
}

func (f *Found) Ranked() rank.Ranked {
	return rank.Ranked{Score: f.Factors.Score(), At: f.Record.Header.At.Time, ID: f.Ref.ID}
}

// factorsOf gives what a memory's relevance is multiplied with.
func (e *Views) factorsOf(it *store.Item, v *trust.Vouched, score int) rank.Factors {
	return rank.Of(1, v.Tier, score, e.C.Now().Sub(Happened(it.Record)))
}
