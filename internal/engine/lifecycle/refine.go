package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// byRules ends the context of a memory that rules drafted.
const byRules = " by rules"

// refining puts what a model drafts of some words in the place of what rules drafted of
// them before: each of those is replaced once, and none that a person decided about.
type refining struct {
	made []*store.Item // by rules, and not yet replaced
}

// draftedByRules returns the current memories that rules drafted of a raw and that no person
// has decided about, witnessed or protected: a new wording would lose what was said of them.
func (w *Working) draftedByRules(ctx context.Context, raw *store.Item) ([]*store.Item, error) {
	made, err := w.E.DerivedFrom(ctx, raw.Ref.ID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(made, func(it *store.Item) bool {
		s := &it.State
		return it.Record == nil || !s.Live() || s.Review != state.ReviewPending || s.Protected || s.Disputes+s.Confirms > 0 ||
			!strings.HasSuffix(it.Record.Header.Provenance.Context, byRules)
	}), nil
}

// takes returns the memory that a draft says in other words, and takes it off the list;
// nil where there is none.
func (r *refining) takes(draft extract.Draft) *store.Item {
	const least = 0.5
	best, at := 0.0, -1
	for i, it := range r.made {
		if it.Ref.Kind != draft.Kind {
			continue
		}
		if like := likeness(memory.Words(it.Record.Body), memory.Words(draft.Memory())); like > best {
			best, at = like, i
		}
	}
	if best < least {
		return nil
	}
	it := r.made[at]
	r.made = slices.Delete(r.made, at, at+1)
	return it
}

// likeness is the share of words that two texts have in common, 0 to 1.
func likeness(a, b string) float64 {
	x, y := words.Query(a), words.Query(b)
	both := 0
	for _, term := range x {
		if slices.Contains(y, term) {
			both++
		}
	}
	if all := len(x) + len(y) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// release takes notes that kept the words as they were said out of answers, once a model
// has drafted memories of the same words: the same is not said twice.
func (r *refining) release(w *Working, out *Outcome) error {
	for _, it := range r.made {
		if it.Record.Header.Provenance.Context != extract.AsSaid+byRules {
			continue
		}
		mark, err := w.E.Sign(memory.Header{ // by the agent, whoever runs the job
			Origin: memory.OriginAgent, Space: it.Record.Header.Space, At: memory.At(w.E.C.Now()), Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "refine"},
		}, &memory.Mark{Of: &it.Ref, Verb: memory.Forget, Reason: "a model drafted memories of these words"})
		if err != nil {
			return err
		}
		out.Records, out.expect = append(out.Records, mark), append(out.expect, it.Ref.ID)
	}
	return nil
}

// compareAgain leaves it to the model to compare a memory that the rules drafted as it does.
func (w *Working) compareAgain(out *Outcome, it *store.Item, not bool) error {
	if not || !IsCompared(it.Record) {
		return nil
	}
	j, err := w.E.NewJob(TaskDetect, "detect/"+it.Ref.ID.String(), it.Record.Header.Space, Detecting{New: it.Ref})
	out.Jobs = append(out.Jobs, j)
	return err
}
