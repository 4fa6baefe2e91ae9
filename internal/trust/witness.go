package trust

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// Why a verdict does not count, where the facts given do not say it already.
const (
	whyUnidentified = "its author's key is unknown"
	whyResolved     = "rejected by a resolution"
	whyOwn          = "vouches for itself"
	whyUnknown      = "this witness was not introduced here"
	whyAuthors      = "introduced only by the author"
	whyLater        = "the same witness has spoken later"
	whyGraver       = "the same witness said something graver at the same time"
	whySaidBefore   = "the same witness said so already"
)

// A Refusal is a witness's statement that does not count, and why.
type Refusal struct {
	ID         memory.ID
	Controller string
	Says       string
	Why        string
}

// A hearing is what the witnesses said, each controller once.
type hearing struct {
	confirms, partials, disputes []string // controllers; the author is in none
	retracted                    bool     // the author disputes it
	refused                      []Refusal
	reach                        reach // who speaks without the author's help
}

// hear takes the verdicts that count. They come in the order of controllers, of
// each the one that counts first.
func hear(f Facts) hearing {
	h := hearing{reach: f.Introductions.avoiding(f.Author)}
	var heard *Verdict
	verdicts := inOrder(f.Verdicts)
	for i := range verdicts {
		v := &verdicts[i]
		why := h.whyNot(f, v)
		if why == "" && heard != nil && heard.Controller == v.Controller {
			why = whyNotToo(heard, v)
		}
		if why != "" {
			h.refused = append(h.refused, Refusal{v.ID, v.Controller, v.Says, why})
			continue
		}
		heard = v
		switch {
		case v.Controller == f.Author:
			h.retracted = true // of its own, only a dispute comes here
		case v.Says == Confirm:
			h.confirms = append(h.confirms, v.Controller)
		case v.Says == Partial:
			h.partials = append(h.partials, v.Controller)
		default:
			h.disputes = append(h.disputes, v.Controller)
		}
	}
	return h
}

// whyNot says why a verdict does not count whatever else there is, or "".
func (h *hearing) whyNot(f Facts, v *Verdict) string {
	switch {
	case v.Refused != "":
		return v.Refused
	case v.Controller == "":
		return whyUnidentified
	case gravity(v.Says) < 0:
		return fmt.Sprintf("%q is no verdict", shorten.To(v.Says, maxWord))
	case v.Rejected:
		return whyResolved
	case v.Controller == f.Author && v.Says != Dispute:
		return whyOwn
	case v.Controller == f.Author || h.reach.has(v.Controller):
		return ""
	case f.Introductions.knows(v.Controller):
		return whyAuthors
	}
	return whyUnknown
}

// maxWord bounds a stranger's word in a reason, in bytes.
const maxWord = 32

func whyNotToo(heard, v *Verdict) string {
	switch {
	case heard.At.Time().After(v.At.Time()):
		return whyLater
	case heard.Says != v.Says:
		return whyGraver
	}
	return whySaidBefore
}

// gravity orders verdicts; an unknown word is below all.
func gravity(says string) int { return slices.Index([]string{Confirm, Partial, Dispute}, says) }

// inOrder returns each verdict once, whatever the order they came in: by
// controller, of each the latest first, at one instant the gravest, then the
// smaller id.
func inOrder(list []Verdict) []Verdict {
	out := slices.Clone(list)
	for i := range out {
		out[i].At = memory.At(out[i].At.Time()) // one spelling of an instant
	}
	sorting.By(out, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Controller, b.Controller), b.At.Time().Compare(a.At.Time()),
			cmp.Compare(gravity(b.Says), gravity(a.Says)), a.ID.Compare(b.ID),
			cmp.Compare(a.Says, b.Says), cmp.Compare(a.Refused, b.Refused), compareBool(a.Rejected, b.Rejected))
	})
	return slices.Compact(out)
}

// compareBool puts false first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// liftedBy reports whether a confirming witness is independent of a limit: the witness wrote
// none of the sources, and no author of the sources is needed to know the witness.
func (h *hearing) liftedBy(f Facts) bool {
	shut := append([]string{f.Author}, f.Limit.Authors...)
	reach := f.Introductions.avoiding(shut...)
	return slices.ContainsFunc(h.confirms, func(c string) bool {
		return reach.has(c) && !slices.Contains(f.Limit.Authors, c)
	})
}
