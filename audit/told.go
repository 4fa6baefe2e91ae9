package audit

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// mostTold bounds what a report gives of the words of one line, in bytes.
const mostTold = 4 << 10

// teller keeps the words of sound lines of a bundle for the report.
type teller struct {
	most int // 0 is none, -1 all
	told []told
	said map[memory.ID][]report.Decided // by what it is about
}

// told is a statement without its bytes.
type told struct {
	line, fact int
	memory.Record
}

// keep keeps a line, if there are not as many as were asked for.
func (t *teller) keep(line, fact int, r *memory.Record) {
	if t.most < 0 || len(t.told) < t.most {
		t.told = append(t.told, told{line, fact, memory.Record{ID: r.ID, Header: r.Header, Body: r.Body}})
	}
}

// lines says of each line that was kept what it says, who said it, and who decided about it, by a judge of each. Words
// are given where the signature holds and the key had the right to sign. Of what was erased there are none.
func (t *teller) lines(
	judge func(fact int) (state.Voice, report.Status), missing func(fact int) []memory.Ref, erased []report.Line,
) []report.Line {
	t.said = make(map[memory.ID][]report.Decided)
	lines := erased
	for i := range t.told {
		one := &t.told[i]
		voice, status := judge(one.fact)
		h := &one.Header
		l := report.Line{
			Line: one.line, Ref: one.Ref().String(), Status: status, Author: h.Author, Owner: voice.Principal,
			At: h.At.String(),
		}
		if !voice.Owner && voice.Principal != "" {
			l.Agent = cmp.Or(h.Agent, "an agent")
		}
		if status == report.OK || status == report.MissingParent {
			l.Words, l.Speaker = shorten.To(cmp.Or(memory.Whole(one.Body), one.Headline()), mostTold), speakerOf(&one.Record)
			l.Rests, l.Missing = shown(h.Provenance.From), shown(missing(one.fact))
			t.decides(one, voice, &l)
		}
		lines = append(lines, l)
	}
	sorting.By(lines, func(x, y report.Line) int { return cmp.Compare(x.Line, y.Line) })
	if t.most >= 0 {
		lines = lines[:min(len(lines), t.most)]
	}
	for i := range lines {
		if ref, err := memory.ParseRef(lines[i].Ref); err == nil {
			lines[i].Decisions = t.said[ref.ID]
			slices.SortStableFunc(lines[i].Decisions, func(x, y report.Decided) int { return cmp.Compare(y.At, x.At) })
		}
	}
	return lines
}

func shown(refs []memory.Ref) (out []string) {
	for _, ref := range refs {
		out = append(out, ref.String())
	}
	return out
}

// decides keeps what a statement decides.
func (t *teller) decides(one *told, v state.Voice, l *report.Line) {
	act := state.ActOf(&one.Record, v)
	if act == nil {
		return
	}
	if l.Why = act.Why; !one.Header.Kind.IsMemory() {
		l.Words = one.Headline()
	}
	d := report.Decided{
		Ref: l.Ref, At: l.At, Act: act.Name, Detail: act.Detail, Author: l.Author, Owner: l.Owner, Agent: l.Agent,
		Why: act.Why,
	}
	for _, ref := range act.Of {
		t.said[ref.ID] = append(t.said[ref.ID], d)
	}
}

// speakerOf returns who said the words of a record, as it has it.
func speakerOf(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Raw:
		return b.Speaker
	case *memory.Note:
		return b.Speaker
	}
	return ""
}
