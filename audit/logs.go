package audit

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// proven is a record with a proof of its place in a log.
type proven struct {
	line        int
	ref         memory.Ref
	index, size int64
	root        ledger.Hash
}

// maxNotes bounds how many checkpoints a bundle may bring.
const maxNotes = 1000

func (a *Auditor) checkpoint(line int, c *checkpoint) {
	if len(a.notes) == maxNotes {
		a.found(report.Finding{Line: line, Status: report.BadEnvelope,
			Why: fmt.Sprintf("more than %d checkpoints", maxNotes)})
		return
	}
	a.settle(c.Space, 0)
	a.current = "" // its log ends here
	a.log(c.Space).noted = true
	a.notes = append(a.notes, heldNote{line, c.Space, []byte(c.Note)})
}

func (a *Auditor) inclusion(line int, p *inclusion) {
	l := a.log(a.word(p.Space))
	p.Ref.Kind = memory.Kind(a.word(string(p.Ref.Kind)))
	l.proofs = append(l.proofs, proven{line, p.Ref, p.Index, p.Size, p.root})
}

// judgeRepeats returns the records that are twice in a log with a checkpoint, which has each
// record once. Without a checkpoint, two bundles may have been concatenated.
func (a *Auditor) judgeRepeats() []report.Finding {
	var found []report.Finding
	for _, r := range a.repeats {
		if l := a.logs[r.space]; l == nil || !l.noted {
			a.report.Counts[report.OK]++
			continue
		}
		a.report.Counts[r.finding.Status]++
		if len(found) < a.limit {
			found = append(found, r.finding)
		}
	}
	return found
}

// judgeLogs compares every log with every checkpoint of it.
func (a *Auditor) judgeLogs(c *court) []report.LogFinding {
	var found []report.LogFinding
	origins := make(map[string]string)
	bySpace := make(map[string][]read)
	for _, n := range a.notes {
		r, err := c.open(n)
		if err != nil {
			found = append(found, report.LogFinding{Space: n.space, Status: report.BadCheckpoint, Why: err.Error()})
			continue
		}
		origins[r.Origin] = n.space
		bySpace[n.space] = append(bySpace[n.space], r)
	}
	for _, space := range a.order {
		found = append(found, a.judgeLog(space, bySpace[space])...)
	}
	for _, raw := range a.presented {
		found = append(found, a.judgePresented(c, raw, origins, bySpace))
	}
	return found
}

// maxUnnoted bounds how many logs without a checkpoint a report names.
const maxUnnoted = 100

// judgeLog compares a log with the checkpoints that come with it.
func (a *Auditor) judgeLog(space string, notes []read) []report.LogFinding {
	l := a.logs[space]
	if l.gap > 0 {
		return []report.LogFinding{
			{
				Space: space, Records: l.size(), Status: report.LogGap,
				Why: fmt.Sprintf("place %d of the log is missing", l.gap),
			},
		}
	}
	if len(notes) == 0 {
		f := report.LogFinding{Space: space, Records: l.size(), Status: report.LogUnchecked,
			Why: "it has no checkpoint"}
		if len(l.proofs) > 0 {
			f.Status, f.Why = report.LogGap, "there are proofs, and no checkpoint that they are of"
		}
		if a.unnoted++; l.noted || a.unnoted > maxUnnoted && f.Status == report.LogUnchecked {
			return nil
		}
		return []report.LogFinding{f}
	}
	var found []report.LogFinding
	for i, r := range notes {
		f := report.LogFinding{
			Space: space, Origin: r.Origin, Records: l.size(), Size: r.Size, Status: report.LogOK,
			Signed: r.signed,
		}
		for _, other := range notes[:i] {
			if other.Size == r.Size && other.Root != r.Root {
				f.Status, f.Why = report.Fork, fmt.Sprintf("two checkpoints of %d records differ", r.Size)
			}
		}
		if f.Status == report.LogOK && len(l.proofs) == 0 {
			a.compare(&f, l, r)
		}
		if f.Status == report.LogOK && r.why != "" {
			f.Status, f.Why = report.LogUnchecked, r.why
		}
		if f.Status == report.LogOK && len(l.proofs) > 0 {
			continue // what the proofs come to says more
		}
		found = append(found, f)
	}
	if len(l.proofs) > 0 {
		found = append(found, a.judgeProofs(space, l, notes)...)
	}
	return found
}

// compare holds a whole log against a checkpoint.
func (a *Auditor) compare(f *report.LogFinding, l *spaceLog, r read) {
	have := l.size()
	if have < r.Size {
		f.Status, f.Why = report.LogGap, fmt.Sprintf("%d records are here, and the checkpoint counts %d", have, r.Size)
		return
	}
	root, err := l.root(r.Size)
	switch {
	case err != nil:
		f.Status, f.Why = report.RootMismatch, err.Error()
	case root != r.Root:
		f.Status, f.Why = report.RootMismatch, fmt.Sprintf(
			"the first %d records are not those that the checkpoint is of, or not in their order", r.Size,
		)
	case have > r.Size:
		f.Why = fmt.Sprintf("%d records came after the checkpoint", have-r.Size)
	}
}

// root returns the root of the first size ids.
func (l *spaceLog) root(size int64) (ledger.Hash, error) {
	if l.tree == nil || l.tree.Size() != l.size() {
		tree, err := ledger.NewTree(l.ids, l.size())
		if err != nil {
			return ledger.Hash{}, err
		}
		l.tree = tree
	}
	return l.tree.Root(size)
}

// judgeProofs checks a part of a log, each record by a proof of its own.
func (a *Auditor) judgeProofs(space string, l *spaceLog, notes []read) []report.LogFinding {
	f := report.LogFinding{
		Space: space, Origin: notes[0].Origin, Records: l.size(), Size: notes[0].Size, Status: report.LogOK,
		Signed: notes[0].signed,
	}
	shown := make(map[memory.ID]bool, len(l.proofs))
	for _, p := range l.proofs {
		at, held := a.held.find(p.ref.ID)
		wrong, of := report.RootMismatch, false
		for _, r := range notes {
			if of = of || r.Size == p.size; r.Size == p.size && r.Root == p.root {
				wrong = report.LogOK
			}
		}
		switch {
		case !of:
			f.Status, f.Why = report.LogUnchecked, fmt.Sprintf(
				"line %d proves a place among %d records, of which there is no checkpoint", p.line, p.size,
			)
		case wrong != report.LogOK:
			f.Status, f.Why = report.RootMismatch, fmt.Sprintf("the proof in line %d does not lead to the checkpoint's root",
				p.line)
		case !held || at.kind != p.ref.Kind:
			f.Status, f.Why = report.LogGap, fmt.Sprintf("line %d proves the place of %s, which is not here", p.line,
				p.ref.Short())
		default:
			shown[p.ref.ID] = true
			if at.fact != noFact {
				a.held.place(at.fact, p.index+1)
			}
			continue
		}
		return []report.LogFinding{f}
	}
	for i := range l.size() {
		if id := *l.held.id(l.places.at(i)); !shown[id] {
			f.Status, f.Why = report.LogUnchecked, fmt.Sprintf("nothing proves that %s is in the log", id.Short())
			return []report.LogFinding{f}
		}
	}
	f.Why = fmt.Sprintf("a part of %d: each is proven to be in the log", f.Size)
	return []report.LogFinding{f}
}

// judgePresented compares a checkpoint that somebody else held.
func (a *Auditor) judgePresented(
	c *court, raw []byte, origins map[string]string, bySpace map[string][]read,
) report.LogFinding {
	bare, _, err := ledger.Read(raw)
	if err != nil {
		return report.LogFinding{Status: report.BadCheckpoint, Why: "presented: " + err.Error()}
	}
	space, known := origins[bare.Origin]
	if !known {
		space, known = a.spaceOf(bare.Origin)
	}
	f := report.LogFinding{Space: space, Origin: bare.Origin, Size: bare.Size}
	if !known {
		f.Status, f.Why = report.LogUnchecked, "no log of this name is here"
		return f
	}
	r, err := c.open(heldNote{space: space, raw: raw})
	if err != nil {
		f.Status, f.Why = report.BadCheckpoint, "presented: "+err.Error()
		return f
	}
	l := a.logs[space]
	f.Records, f.Status = l.size(), report.LogOK
	f.Signed = append(r.signed, report.Holder{Name: "its presenter", Outside: true})
	switch {
	case l.gap > 0:
		f.Status, f.Why = report.LogGap, fmt.Sprintf("place %d of the log is missing", l.gap)
	case len(l.proofs) > 0:
		f.Status, f.Why = report.LogUnchecked, "only a part of the log is here"
		for _, other := range bySpace[space] {
			if other.Size == r.Size && other.Root == r.Root {
				f.Status, f.Why = report.LogOK, ""
			} else if other.Size == r.Size {
				f.Status, f.Why = report.Fork, fmt.Sprintf("another checkpoint of %d records has another root", r.Size)
			}
		}
	default:
		a.compare(&f, l, r)
		switch f.Status {
		case report.LogGap:
			f.Status, f.Why = report.BehindWitness, fmt.Sprintf("somebody saw %d records, and %d are here", r.Size, f.Records)
		case report.RootMismatch:
			f.Status, f.Why = report.Fork, fmt.Sprintf("somebody saw another history of the first %d records", r.Size)
		}
	}
	return f
}

// spaceOf finds the space whose log has an origin that no checkpoint here names:
// the space itself, or a name that ends with it.
func (a *Auditor) spaceOf(origin string) (string, bool) {
	for _, space := range a.order {
		if origin == space || strings.HasSuffix(origin, "/"+space) {
			return space, true
		}
	}
	return "", false
}

// claim is what a record says about a log: its length and root.
type claim struct {
	space string
	size  int64
	root  string
}

// agrees reports whether the log of a space had a root when it held size records,
// as far as the log is here.
func (a *Auditor) agrees(space string, size int64, root string) bool {
	q := claim{space, size, root}
	agreed, asked := a.agreed[q]
	if asked {
		return agreed
	}
	if l := a.logs[space]; l != nil && len(l.proofs) == 0 && l.gap == 0 && size >= 0 && size <= l.size() {
		h, err := l.root(size)
		agreed = err == nil && ledger.EncodeHash(h) == root
	}
	a.agreed[q] = agreed
	return agreed
}
