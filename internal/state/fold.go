package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// aheadBy is how far a claim's clock may be ahead of ours before the claim
// waits: otherwise a wrong clock is a weapon, because the latest claim wins.
const aheadBy = 5 * time.Minute

// Fold computes the state of r at the instant now from the claims and revisions
// that speak of it, in any order. Later claims win: in causal order first, then
// by their time, then the smaller ID. Claims by those who may not make them, and
// claims dated ahead, do nothing.
//
// What takes the place of r is taken to hold. FoldAmong asks whether it does.
func Fold(r *memory.Record, about []*memory.Record, now time.Time, who Voices) State {
	f := folded(r, about, now, who)
	if next := f.successors(); len(next) > 0 {
		f.s.SupersededBy = next[0].to.ID
	}
	return *f.s
}

// folded applies all that is said of a record. What takes its place is not chosen yet. The ends are
// those of a link, as far as they are held.
func folded(r *memory.Record, about []*memory.Record, now time.Time, who Voices, ends ...*memory.Record) *folding {
	s := Initial(r)
	f := &folding{r: r, s: &s, who: who, ends: ends}
	if who.Fault(r) == KeyCompromised { // until somebody who may releases it
		f.quarantine("author:"+r.Header.Author, "signed by a key that was compromised when it came")
	}
	for _, c := range f.effective(about, now) {
		f.apply(c)
	}
	f.countWitnesses()
	return f
}

// Initial returns the state of a record of which nothing has been said yet.
func Initial(r *memory.Record) State {
	s := State{Confidence: r.Header.Confidence, Protected: r.Header.Kind.Form().Protected}
	if k := r.Header.Kind; r.Header.Origin != memory.OriginOwner && k.IsMemory() && k != memory.KindRaw {
		s.Review = ReviewPending
	}
	return s
}

// folding is one run of Fold.
type folding struct {
	r         *memory.Record
	s         *State
	who       Voices
	rivals    []*memory.Record          // revisions of r
	updates   []*memory.Record          // links by which somebody who may put another in its place, the last one last
	policy    *memory.Record            // the last link by which a policy put another in its place
	witnesses map[string]*memory.Record // by principal, the latest
	decided   map[string]bool           // decided by the owner in person
	under     map[string]bool           // quarantines not lifted yet, by what they were for
	days      map[string]bool           // principal and day of a verification that raised confidence
	said      Decision                  // which records decided
	hidden    *memory.Record            // the last mark that quarantined it
	ends      []*memory.Record          // of a link
}

// effective returns the claims that count now, in the order in which they count.
func (f *folding) effective(about []*memory.Record, now time.Time) []*memory.Record {
	seen := make(map[memory.ID]bool, len(about))
	var in []*memory.Record
	for _, c := range about {
		if seen[c.ID] || c.ID == f.r.ID {
			continue
		}
		seen[c.ID] = true
		if c.Header.At.Time().After(now.Add(aheadBy)) {
			due := memory.At(c.Header.At.Time().Add(-aheadBy))
			if f.s.Due.IsZero() || due.Time().Before(f.s.Due.Time()) {
				f.s.Due = due
			}
			continue
		}
		in = append(in, c)
	}
	in = f.unreplaced(in)
	slices.SortFunc(in, latestLast)
	return in
}

// unreplaced leaves out the claims that another claim of somebody entitled
// replaces.
func (f *folding) unreplaced(in []*memory.Record) []*memory.Record {
	byID := make(map[memory.ID]*memory.Record, len(in))
	for _, c := range in {
		byID[c.ID] = c
	}
	gone := make(map[memory.ID]bool)
	for _, c := range in {
		if _, unknown := c.Body.(*memory.Opaque); unknown || c.Header.Kind.IsMemory() {
			continue
		}
		for _, old := range c.Header.Provenance.Supersedes {
			if o := byID[old.ID]; o != nil && May(f.who.Voice(c), o, f.who) {
				gone[old.ID] = true
			}
		}
	}
	return slices.DeleteFunc(in, func(c *memory.Record) bool { return gone[c.ID] })
}

// apply takes one claim into the state. This switch and the one in Edges are
// the two that know all claims.
func (f *folding) apply(c *memory.Record) {
	switch b := c.Body.(type) {
	case *memory.Link:
		f.link(c, b)
	case *memory.Anchor:
		f.s.Anchors++
	case *memory.Witness:
		f.witness(c, b)
	case *memory.Verify:
		f.verify(c, b)
	case *memory.Assess:
		f.assess(c, b)
	case *memory.Mark:
		f.mark(c, b)
	default: // key records change who may speak, not the state; unknown claims have no effect
		if _, unknown := b.(*memory.Opaque); !unknown && c.Header.Kind.IsMemory() {
			f.revision(c)
		}
	}
}

func (f *folding) may(c *memory.Record) bool { return May(f.who.Voice(c), f.r, f.who) }

// ByPolicy is the context of a link with which an agent brings an agent's memory up to
// date, where a person set that this needs no one.
const ByPolicy = "policy"

// link counts a link. A claim that another replaces is superseded by it. What the
// owner links as an update supersedes. So does what a policy lets an agent link, of what an
// agent of the same owner wrote and no person approved. Any other update is a proposal.
func (f *folding) link(c *memory.Record, b *memory.Link) {
	f.s.Links++
	v := f.who.Voice(c)
	switch {
	case !May(v, f.r, f.who) || !MaySettle(v, f.r, f.ends, f.who):
	case contains(c.Header.Provenance.Supersedes, f.r.ID) && !f.r.Header.Kind.IsMemory():
		f.s.SupersededBy = c.ID
	case b.Relation != memory.Update || b.Source != f.r.Ref() || b.Target.Kind != b.Source.Kind:
	case c.Header.Space != f.r.Header.Space && !within(f.who, c.Header.Space): // it holds where that space is read
	case v.Owner:
		f.updates = append(f.updates, c)
	case c.Header.Provenance.Context == ByPolicy:
		f.policy = c
	}
}

func (f *folding) revision(c *memory.Record) {
	if !contains(c.Header.Provenance.Supersedes, f.r.ID) || !f.may(c) {
		return
	}
	f.rivals = append(f.rivals, c)
}

func (f *folding) witness(c *memory.Record, b *memory.Witness) {
	v := f.who.Voice(c)
	p := v.Principal
	own := p != "" && p == f.who.Voice(f.r).Principal
	if p == "" || own && (b.Attestation != "dispute" || !v.Owner) {
		return // no one vouches for themselves; a person may retract, their agents say what they think
	}
	if f.witnesses == nil {
		f.witnesses = make(map[string]*memory.Record)
	}
	old := f.witnesses[p]
	if old == nil || latestVerdict(old, c) < 0 {
		f.witnesses[p] = c
	}
}

// latestVerdict orders two verdicts of one principal; at the same instant the
// graver counts.
func latestVerdict(a, b *memory.Record) int {
	gravity := func(r *memory.Record) int {
		return slices.Index([]string{"confirm", "partial", "dispute"}, r.Body.(*memory.Witness).Attestation)
	}
	return cmp.Or(a.Header.At.Time().Compare(b.Header.At.Time()), cmp.Compare(gravity(a), gravity(b)), b.ID.Compare(a.ID))
}

func (f *folding) countWitnesses() {
	for _, w := range f.witnesses {
		switch w.Body.(*memory.Witness).Attestation {
		case "confirm":
			f.s.Confirms++
		case "dispute":
			f.s.Disputes++
		case "partial":
			f.s.Partials++
		}
	}
}

// verify counts a verification and, once a day for one author, moves the
// confidence a quarter of the way to certainty.
func (f *folding) verify(c *memory.Record, b *memory.Verify) {
	v := f.who.Voice(c)
	if b.Result != "" || !MayVerify(v, f.r, f.who) {
		return
	}
	f.s.Verifications++
	f.s.Verified, f.s.VerifiedBy, f.s.AgentVerified = c.Header.At, c.Header.Author, !v.Owner
	if !f.may(c) {
		return // an agent of what its owner wrote
	}
	day := c.Header.Author + c.Header.At.Time().Format(time.DateOnly)
	if f.days == nil {
		f.days = make(map[string]bool)
	}
	if f.days[day] {
		return
	}
	f.days[day] = true
	const quarter = 4
	f.s.Confidence += (memory.Certain - f.s.Confidence + quarter/2) / quarter
}

func (f *folding) assess(c *memory.Record, b *memory.Assess) {
	switch {
	case !f.may(c):
	case b.To != nil:
		f.s.Confidence = *b.To
	default:
		f.s.Confidence = memory.Confidence(min(max(int(f.s.Confidence)+b.Step, 0), int(memory.Certain)))
	}
}

// decides says what a verb decides. Once the owner has, no agent takes it back.
var decides = map[string]string{
	memory.Approve: "review", memory.Reject: "review", memory.Protect: "protection", memory.Unprotect: "protection",
	memory.Forget: "forgetting", memory.Recover: "forgetting", memory.Quarantine: "quarantine",
	memory.Release: "quarantine",
}

// settles are the verbs after which a link asks nobody any more.
var settles = map[string]bool{memory.Approve: true, memory.Reject: true, memory.Forget: true}

// hides are the verbs that only change what a store shows.
var hides = map[string]bool{
	memory.Forget:     true,
	memory.Recover:    true,
	memory.Quarantine: true,
	memory.Release:    true,
	memory.Purge:      true,
}

func (f *folding) mark(c *memory.Record, b *memory.Mark) {
	v := f.who.Voice(c)
	if !May(v, f.r, f.who) && !(hides[b.Verb] && MayHide(v, f.r, f.who)) {
		return
	}
	if b.Verb == memory.Purge && v.Keeps != "" && !owns(v, f.r, f.who) && v.Principal != f.who.Keeper() {
		return // a keeper decides what holds; words are erased by who wrote them, or who owns the space
	}
	if settles[b.Verb] && !MaySettle(v, f.r, f.ends, f.who) {
		return
	}
	s, owner := f.s, v.Owner
	if about := decides[b.Verb]; about != "" {
		if owner {
			if f.decided == nil {
				f.decided = make(map[string]bool)
			}
			f.decided[about] = true
		} else if f.decided[about] && b.Verb != memory.Approve { // an agent's approval lifts nothing, and is kept
			return
		}
	}
	if owner || b.Verb != memory.Approve {
		f.said.decide(c, b.Verb)
	}
	switch b.Verb {
	case memory.Approve:
		if !owner {
			s.AgentApproved = true
			return
		}
		s.Review, s.ReviewedAt, s.ReviewedBy = ReviewApproved, c.Header.At, c.Header.Author
	case memory.Reject:
		s.Review, s.ReviewedAt, s.ReviewedBy, s.Reason = ReviewRejected, c.Header.At, c.Header.Author, b.Reason
	case memory.Protect, memory.Unprotect:
		s.Protected = b.Verb == memory.Protect
	case memory.Forget:
		s.Forgotten, s.Reason = true, b.Reason
	case memory.Recover:
		s.Forgotten = false
	case memory.Quarantine:
		f.quarantine(b.Value, b.Reason)
		f.hidden = c
	case memory.Release:
		if delete(f.under, b.Value); b.Value == "" {
			clear(f.under)
		}
		s.Quarantined = len(f.under) > 0
	case memory.Purge:
		s.Purged = s.Purged || owner
	case memory.Assign:
		if owner {
			s.Project = b.Value
		}
	case memory.Status:
		s.Status = b.Value
	case memory.Progress:
		s.Progress = b.Value
	case memory.Done:
		s.Done = b.Value != "false"
	case memory.Intensity:
		s.Intensity = b.Value
	case memory.Outcome:
		s.Uses++
		if b.Value == "success" {
			s.Successes++
		}
	}
}

// quarantine hides the record for one thing. Each is lifted by itself.
func (f *folding) quarantine(what, reason string) {
	if f.under == nil {
		f.under = make(map[string]bool)
	}
	f.under[what] = true
	f.s.Quarantined, f.s.Reason = true, reason
}

// A Step is one move of a record's confidence.
type Step struct {
	Claim      *memory.Record
	Confidence memory.Confidence // after it
}

// History returns the claims that moved the confidence of r, in the order in
// which they count, each with the confidence it led to. The last is what Fold
// computes.
func History(r *memory.Record, about []*memory.Record, now time.Time, who Voices) []Step {
	s := Initial(r)
	f := folding{r: r, s: &s, who: who}
	var steps []Step
	for _, c := range f.effective(about, now) {
		before := s.Confidence
		f.apply(c)
		_, assessed := c.Body.(*memory.Assess)
		if s.Confidence != before || assessed && f.may(c) {
			steps = append(steps, Step{c, s.Confidence})
		}
	}
	return steps
}

// contains reports whether list names id.
func contains(list []memory.Ref, id memory.ID) bool {
	return slices.ContainsFunc(list, func(r memory.Ref) bool { return r.ID == id })
}

// Decide returns what was decided about r at the instant now, by the same rules as
// Fold.
func Decide(r *memory.Record, about []*memory.Record, now time.Time, who Voices) Decision {
	f := folded(r, about, now, who)
	if next := f.successors(); len(next) > 0 {
		f.said.Replaced = next[0].by
	}
	return f.said
}
