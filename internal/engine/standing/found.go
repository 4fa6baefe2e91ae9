package standing

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Unscored returns what no search found: it has a rating and no score.
func Unscored(it *store.Item, v *trust.Rating) *Found {
	f := &Found{Item: it, Rating: v}
	if v != nil {
		f.Placed = v.Tier
	}
	return f
}

// Over is how the page marks a memory that held once and does not hold now: it is not what is
// known now.
const Over = "over"

// A Found is one candidate that was read.
type Found struct {
	*store.Item
	C       *rank.Candidate
	Placed  state.Tier
	Rating  *trust.Rating
	Factors rank.Factors

	Place    int          // among the candidates of an answer
	Wording  []memory.Ref // words, and memories of the same words, that yielded their line to it
	Inherits string       // what was decided about the memory that these words were made to
	Marks    []string     // warnings that a reader must see
	Settled  *Settled     // what decisions make of it
	Replaces bool         // it took, or may take, the place of what was asked for
	Answers  bool         // it did so to what answers the question
	Until    time.Time    // when what was asked for stopped to hold

	took map[memory.Ref]bool // those of Wording, which may be thousands
}

// Shown returns it as a receipt notes it.
func (f *Found) Shown() receipts.Shown {
	return receipts.Shown{Item: f.Item, Rating: f.Rating, Factors: f.Factors, Tier: f.Placed}
}

// Decided are the memories of a person's decisions that it is listed below.
func (f *Found) Decided() []*store.Item {
	if f.Settled == nil {
		return nil
	}
	return f.Settled.Decided
}

func (f *Found) Ranked() rank.Ranked {
	return rank.Ranked{Score: rank.Score(f.Factors), At: f.Record.Header.At.Time(), ID: f.Ref.ID}
}

// FactorsOf returns what a memory's relevance is multiplied with.
func (e *Standings) FactorsOf(it *store.Item, v *trust.Rating, score int) rank.Factors {
	return rank.Of(1, v.Tier, score, e.C.Now().Sub(Happened(it.Record)))
}

// TakeLine returns a line the words that yield to it, and their rank.
func (f *Found) TakeLine(words *Found) {
	f.Place = min(f.Place, words.Place)
	if f.took == nil || len(f.took) != len(f.Wording) {
		f.took = make(map[memory.Ref]bool, len(f.Wording))
		for _, ref := range f.Wording {
			f.took[ref] = true
		}
	}
	for _, ref := range append([]memory.Ref{words.Ref}, words.Wording...) {
		if !f.took[ref] {
			f.took[ref] = true
			f.Wording = append(f.Wording, ref)
		}
	}
	f.Lift(rank.Score(words.Factors))
}

// Lift makes a line at least as relevant as its place in the answer says.
func (f *Found) Lift(score float64) {
	for rank.Score(f.Factors) < score {
		least := max(score/(f.Factors.Tier*f.Factors.Trust*f.Factors.Recency), f.Factors.Relevance) + 0.001
		f.C.Wording += least - f.C.Relevance
		f.C.Relevance = least
		f.Factors = rank.Raised(f.Factors, least)
	}
}

// Settled is what decisions make of one candidate of an answer.
type Settled struct {
	// the current memory that has its line and its rank; nil where it has its own. With below,
	// words that are already listed there
	Into   *store.Item
	Hidden string        // why the answer leaves it out, although its own state does not: rejected or forgotten
	By     memory.Ref    // with hidden: the memory that was decided against
	Below  *store.Item   // its replacement: it is listed directly below that, and in no pack
	Rests  []*store.Item // with below: memories of what else the replaced one said, and which stays
	Newer  *store.Item   // a newer memory that waits for a decision and is listed before it
	Part   bool          // the newer one is so only for part of what it says
	Rival  *store.Item   // a newer memory that contradicts it, and is listed before it where both are found
	// memories that it is proposed to update, by an author who may not decide about them: where
	// both are given, it is listed below them
	Proposed []*store.Item
	// memories by which a person decided otherwise, or the same: it is listed below them
	Decided []*store.Item
	Marks   []string // warnings that a reader must see, in a few words each
	Open    []string // the same, of links that are not decided
}

// Under lists an item below a decision of a person.
func (d *Settled) Under(decision *store.Item) {
	if !slices.ContainsFunc(d.Decided, func(it *store.Item) bool { return it.Ref == decision.Ref }) {
		d.Decided = append(d.Decided, decision)
	}
}

// Mark adds a warning to an item, once.
func (d *Settled) Mark(text string) {
	if !slices.Contains(d.Marks, text) {
		d.Marks = append(d.Marks, text)
	}
}

// FromWords says where a memory came from as a search shows it: "3 episodes via
// consolidation", "raw:aaa111", "belief:abc123 (inference)".
func FromWords(r *memory.Record, v *trust.Rating) string {
	p := &r.Header.Provenance
	switch {
	case len(p.From) == 0:
		return trust.SourceWords(r, nil)
	case len(p.From) > 1:
		return trust.SourceWords(r, v) + " via " + p.Via.SourceType()
	case p.Via == memory.ViaPromote:
		return p.From[0].Short()
	default:
		return p.From[0].Short() + " (" + p.Via.SourceType() + ")"
	}
}

// Ratings are what records may be trusted with.
type Ratings = map[memory.ID]*trust.Rating

// Decisions are what decisions and open links make of records.
type Decisions map[memory.ID]*Settled
