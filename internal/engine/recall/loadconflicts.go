package recall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// What is undecided between agents' own memories is put to the agent whose work begins: so many pairs, the oldest
// first.
const (
	undecided = "undecided"
	mostAsked = 3
)

// conflicts adds links that say that two live memories contradict each other or
// that one brings the other up to date, and that are not decided. What goes against one memory that a person decided is
// one entry with the newest of them, however often it is said.
func (l *loading) conflicts(rd *trust.Reading) error {
	n, asked := 0, 0
	against := make(map[string]int) // the entry of what goes against a memory
	more := make(map[int]int)       // of how many others it tells
	shown := make(map[int]api.LinkView)
	err := l.e.standing.EachLink(rd, false, func(v api.LinkView) bool {
		if v.For == standing.ForAgent {
			if asked++; asked > mostAsked {
				l.omit(undecided, "asked later", 1)
				return true
			}
			en := conflict(&v, nil)
			en.Section, en.Score = undecided, -float64(asked)/(1<<20)
			shown[len(l.entries)] = v
			l.entries = append(l.entries, en)
			return true
		}
		if v.State != standing.LinkOpen || v.Relation != "contradict" && v.Relation != "update" {
			return true
		}
		old, now := l.persons(v.Old.Ref), l.persons(v.New.Ref)
		person := old || now
		if !person {
			if n++; n > loadLinks {
				l.omit("conflicts", "older", 1)
				return true
			}
		}
		if old != now {
			decided := v.Old.Ref
			if now {
				decided = v.New.Ref
			}
			if at, told := against[decided]; told {
				more[at]++
				return true
			}
			against[decided] = len(l.entries)
		}
		en := conflict(&v, nil)
		en.Score = float64(len(l.entries)) / (1 << 20)
		if person {
			en.Priority, en.Firm = 1, true
		}
		shown[len(l.entries)] = v
		l.entries = append(l.entries, en)
		return true
	})
	if err == nil {
		err = l.markEnds(rd, shown)
	}
	for at, n := range more {
		l.entries[at].Text += fmt.Sprintf(" (and %d more against it: `conflicts`)", n)
	}
	return err
}

// markEnds says in the entries of open links which of the memories outside words are behind.
func (l *loading) markEnds(rd *trust.Reading, shown map[int]api.LinkView) error {
	var ids []memory.ID
	for _, v := range shown {
		for _, end := range []string{v.New.Ref, v.Old.Ref} {
			if ref, err := memory.ParseRef(end); err == nil && !slices.Contains(ids, ref.ID) {
				ids = append(ids, ref.ID)
			}
		}
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	trusted, err := l.e.trust.Rate(rd, items, false)
	if err != nil {
		return err
	}
	marks := make(map[string]string)
	for _, it := range core.Present(items) {
		if of := views.OutsideMarks(it, trusted[it.Ref.ID]); len(of) > 0 {
			marks[it.Ref.String()] = " (" + strings.Join(of, "; ") + ")"
		}
	}
	for at, v := range shown {
		l.entries[at].Text = conflict(&v, marks).Text
	}
	return nil
}

// conflict is the entry of an open link; marks are those of its memories, by ref.
func conflict(v *api.LinkView, marks map[string]string) pack.Entry {
	verb := "contradicts"
	if v.Relation == "update" {
		verb = "is proposed in place of"
	}
	return pack.Entry{
		Ref: shortRefOf(v.Ref), Section: "conflicts", Kind: string(memory.KindLink), Type: v.Relation, Set: true,
		Text: shortRefOf(v.New.Ref) + " " + pack.Quote(v.New.Headline) + marks[v.New.Ref] + " " + verb + " " +
			shortRefOf(v.Old.Ref) + " " + pack.Quote(v.Old.Headline) + marks[v.Old.Ref],
		Why: pack.Quote(v.Reason), Level: string(score.Unverified),
	}
}

// persons reports whether a memory is one that a person decided.
func (l *loading) persons(ref string) bool {
	r, err := memory.ParseRef(ref)
	return err == nil && l.approved[r.ID]
}
