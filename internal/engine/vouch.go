package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// vouching is what scores rest on beside the record itself: who is asking, whom
// he and his friends introduced, and what each author's record so far is worth.
type vouching struct {
	root   string // the principal who looks; "" is nobody
	ring   *memory.Keyring
	graph  *trust.Introductions
	names  map[string]string // by principal, as they were introduced
	upheld map[string]int    // by principal: memories somebody confirms and nobody disputes
	failed map[string]int    // by principal: disputes that were upheld, verdicts that were rejected
	spoken bool              // somebody witnessed, or something is anchored
	now    time.Time

	foreign bool // the store is not the reader's: all that is in it is external
}

// scored is what the voices of one opened store share of trust.
type scored struct{ trusted vouchings }

// vouchings remembers one as long as nothing is written and the minute lasts.
type vouchings struct {
	sync.Mutex
	last   *vouching
	spaces []store.Space
}

// vouching gives what scores rest on now.
func (e *Engine) vouching(ctx context.Context) (*vouching, error) {
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return nil, sorted(err)
	}
	now := e.c.Now()
	e.trusted.Lock()
	defer e.trusted.Unlock()
	if l := e.trusted.last; l != nil && slices.Equal(spaces, e.trusted.spaces) && now.Truncate(time.Minute).Equal(l.now.Truncate(time.Minute)) {
		return l, nil
	}
	v := &vouching{names: make(map[string]string), upheld: make(map[string]int), failed: make(map[string]int), now: now, foreign: e.c.Foreign}
	if v.ring, err = e.standing(ctx); err != nil {
		return nil, err
	}
	if v.root, err = e.root(v.ring); err != nil {
		return nil, err
	}
	var list []trust.Introduction
	for _, i := range v.ring.Introductions() {
		list = append(list, trust.Introduction{By: i.By, Whom: i.Whom})
		if i.By == v.root && i.Name != "" {
			v.names[i.Whom] = i.Name
		}
	}
	v.graph = trust.NewIntroductions(v.root, list)
	if err := v.records(ctx, e.store); err != nil {
		return nil, err
	}
	e.trusted.last, e.trusted.spaces = v, spaces
	return v, nil
}

// root is the principal who looks: the one whose keys there are, or else the
// keeper of the store.
func (e *Engine) root(ring *memory.Keyring) (string, error) {
	me, err := e.knownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err == nil && me != nil {
		return me.principal, nil
	}
	if k := ring.Keeper(); len(k) > 1 {
		return k, nil
	}
	return "", nil
}

// controller is whose voice a record is, where nothing is wrong with it.
func (v *vouching) controller(r *memory.Record) string { return v.ring.Voice(r).Principal }

// knows reports whether a principal is the one who looks, or introduced to him.
func (v *vouching) knows(principal string) bool {
	return principal != "" && (principal == v.root || v.graph.Reaches(principal))
}

// reputation is what an author's record so far is worth. Somebody nobody
// introduced has none.
func (v *vouching) reputation(principal string) int {
	if !v.knows(principal) {
		return 0
	}
	return trust.Reputation(v.upheld[principal], v.failed[principal])
}

// called gives the name a principal was introduced by.
func (v *vouching) called(principal string) string {
	if principal == v.root && v.root != "" {
		return "you"
	}
	return v.names[principal]
}

// records counts what became of what each author said and vouched for.
func (v *vouching) records(ctx context.Context, s store.Store) error {
	for _, err := range s.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindAnchor}, Hidden: true, Limit: 1}) {
		if err != nil {
			return sorted(err)
		}
		v.spoken = true
	}
	subjects := make(map[memory.ID]bool)
	var ids []memory.ID
	for it, err := range s.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindWitness}, Hidden: true}) {
		if err != nil {
			return sorted(err)
		}
		if it.Record == nil {
			continue
		}
		if w, ok := it.Record.Body.(*memory.Witness); ok && !subjects[w.Of.ID] {
			subjects[w.Of.ID] = true
			ids = append(ids, w.Of.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	v.spoken = true
	items, err := s.Get(ctx, ids...)
	if err != nil {
		return sorted(err)
	}
	items = slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil || it.Record == nil })
	said, err := v.said(ctx, s, items, false)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.State.Review == memory.ReviewRejected || it.State.Quarantined || it.Doubt != "" {
			continue // what does not stand speaks for nobody
		}
		author := v.controller(it.Record)
		f := trust.Facts{Signature: trust.Valid, Author: author, Introductions: v.graph}
		for _, w := range said.verdicts[it.Ref.ID] {
			f.Verdicts = append(f.Verdicts, w.Verdict)
			if w.Rejected && w.Controller != "" {
				v.failed[w.Controller]++
			}
			if w.upheld && w.Says == trust.Dispute {
				v.failed[author]++
			}
		}
		if r := trust.Score(f, trust.Seed()); r.ConfirmVoices > 0 && r.DisputeVoices == 0 {
			v.upheld[author]++
		}
	}
	return nil
}

// verdict is a witness's statement with the record it is.
type verdict struct {
	trust.Verdict
	record *memory.Record
	upheld bool // the one who looks decided that it is right
	agent  bool // an agent says so of what its owner, or another of their agents, wrote
}

// resolved says what the one who looks decided of a verdict; "" is nothing.
func (w *verdict) resolved() string {
	switch {
	case w.Rejected:
		return "rejected"
	case w.upheld:
		return "upheld"
	}
	return ""
}

// sayings are what witnesses and anchors say of some records.
type sayings struct {
	verdicts map[memory.ID][]verdict
	anchors  map[memory.ID][]anchored
}

// anchored is an anchor with the record it is and its last check.
type anchored struct {
	trust.Anchor
	record  *memory.Record
	why     string
	checked time.Time
}

// said gathers the witnesses and anchors of items. Unless every one of them is
// wanted, items of which none counts are passed over.
func (v *vouching) said(ctx context.Context, s store.Store, items []*store.Item, every bool) (*sayings, error) {
	out := &sayings{verdicts: make(map[memory.ID][]verdict), anchors: make(map[memory.ID][]anchored)}
	subjects := make(map[memory.ID]*store.Item)
	var ids []memory.ID
	for _, it := range items {
		st := &it.State
		if subjects[it.Ref.ID] == nil && it.Record != nil && (every || st.Confirms+st.Disputes+st.Partials+st.Anchors > 0 || !st.Due.IsZero()) {
			subjects[it.Ref.ID] = it
			ids = append(ids, it.Ref.ID)
		}
	}
	claims, err := speaking(ctx, s, ids, memory.KindWitness, memory.KindAnchor)
	if err != nil || len(claims) == 0 {
		return out, err
	}
	about := make([]memory.ID, len(claims))
	for i, c := range claims {
		about[i] = c.Ref.ID
	}
	further, err := speaking(ctx, s, about, memory.KindMark, memory.KindVerify)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		switch b := c.Record.Body.(type) {
		case *memory.Witness:
			if subject := subjects[b.Of.ID]; subject != nil {
				out.verdicts[b.Of.ID] = append(out.verdicts[b.Of.ID], v.verdict(c.Record, b, v.controller(subject.Record), further))
			}
		case *memory.Anchor:
			if subject := subjects[b.Of.ID]; subject != nil {
				out.anchors[b.Of.ID] = append(out.anchors[b.Of.ID], v.anchored(c, b, subject.Record, further))
			}
		}
	}
	return out, nil
}

// speaking gives the records of some kinds that speak of ids, each once.
func speaking(ctx context.Context, s store.Store, ids []memory.ID, kinds ...memory.Kind) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := s.Edges(ctx, memory.Forward, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	var from []memory.ID
	seen := make(map[memory.ID]bool)
	for _, edge := range edges {
		if edge.Rel == memory.Speaks && !seen[edge.From] {
			seen[edge.From] = true
			from = append(from, edge.From)
		}
	}
	items, err := s.Get(ctx, from...)
	if err != nil {
		return nil, sorted(err)
	}
	return slices.DeleteFunc(items, func(it *store.Item) bool {
		return it == nil || it.Record == nil || !slices.Contains(kinds, it.Ref.Kind)
	}), nil
}

// aheadBy is how far a witness's clock may be ahead of ours.
const aheadBy = 5 * time.Minute

// verdict reads one witness of what somebody wrote. What the one who looks decided of it, he decided for
// himself.
func (v *vouching) verdict(r *memory.Record, b *memory.Witness, about string, further []*store.Item) verdict {
	out := verdict{record: r, Verdict: trust.Verdict{ID: r.ID, Says: b.Attestation, At: r.Header.At}}
	voice, fault := v.ring.Judge(r)
	out.Controller = voice.Principal
	switch {
	case fault != memory.Sound:
		out.Controller, out.Refused = voice.Principal, faultWords(fault)
	case !voice.Owner && voice.Principal != "" && (voice.Principal == about || voice.Principal == v.root):
		out.agent = true // the reader's, or one of the author's
		out.Refused = "an agent says so, no person"
	case r.Header.At.After(v.now.Add(aheadBy)):
		out.Refused = "dated ahead: counts from " + memory.At(r.Header.At.Add(-aheadBy)).String()
	}
	var latest *memory.Record
	for _, m := range further {
		mark, ok := m.Record.Body.(*memory.Mark)
		if !ok || mark.Verb != memory.Approve && mark.Verb != memory.Reject || !names(mark.Subjects(), r.ID) {
			continue
		}
		if by := v.ring.Voice(m.Record); !by.Owner || by.Principal != v.root {
			continue
		}
		if latest == nil || latest.Header.At.Before(m.Record.Header.At.Time) {
			latest = m.Record
			out.Rejected, out.upheld = mark.Verb == memory.Reject, mark.Verb == memory.Approve
		}
	}
	return out
}

func names(refs []memory.Ref, id memory.ID) bool {
	return slices.ContainsFunc(refs, func(r memory.Ref) bool { return r.ID == id })
}

// faultWords says in words why a record speaks for nobody.
func faultWords(f memory.Fault) string {
	switch f {
	case memory.DelegationInvalid:
		return "its delegation is not held, or does not cover it"
	case memory.KeyExpired:
		return "signed after its delegation had ended"
	case memory.KeyRevoked:
		return "its key was no longer in use when it came"
	case memory.KeyCompromised:
		return "its key was compromised when it came"
	}
	return ""
}

// latestCheck gives the last verification of an anchor by the one who looks or
// for him.
func (v *vouching) latestCheck(id memory.ID, further []*store.Item) *memory.Record {
	var out *memory.Record
	for _, c := range further {
		b, ok := c.Record.Body.(*memory.Verify)
		if !ok || b.Of.ID != id || v.controller(c.Record) != v.root || v.root == "" {
			continue
		}
		if out == nil || cmp.Or(out.Header.At.Compare(c.Record.Header.At.Time), c.Ref.ID.Compare(out.ID)) < 0 {
			out = c.Record
		}
	}
	return out
}

// most is the highest score that any memory here can have: where nobody
// witnessed and nothing is anchored, that of the author with the best record.
func (v *vouching) most() int {
	if v.spoken {
		return trust.One
	}
	p := trust.Seed()
	best := trust.Reputation(0, 0)
	for who, n := range v.upheld {
		best = max(best, trust.Reputation(n, v.failed[who]))
	}
	return p.Signature + p.Reputation*best/trust.One
}
