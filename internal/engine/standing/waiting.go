package standing

import (
	"errors"
	"io/fs"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Waiting says what waits for a person's decision, under the policy in force. Whatever
// lists or counts what waits asks it, so that nothing waits in one place and not in another.
type Waiting struct {
	e    *Standings
	ring *state.Keyring
	me   string // the principal who decides; "" is none
}

// Waits returns what says it for one request.
func (e *Standings) Waits(rd *trust.Reading) (*Waiting, error) {
	w := &Waiting{e: e}
	var err error
	if w.ring, err = rd.Keyring(); err != nil {
		return nil, err
	}
	me, err := e.KnownKeys()
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err == nil && me != nil:
		w.me = me.Principal
	case !e.C.Foreign:
		w.me = w.ring.Keeper() // who looks after the store is asked, whoever looks
	}
	return w, nil
}

// strict reports whether a person is asked about everything.
func (w *Waiting) strict() bool { return w.e.C.ReviewPolicy == core.PolicyStrict }

// Memory reports whether a person is asked about a memory, and why in a few words where it is
// not for being an agent's alone. No person is asked about what comes from outside: it stays
// unverified, and asks only by a link that says what it would replace or contradict.
func (w *Waiting) Memory(rd *trust.Reading, it *store.Item) (asks bool, why string, err error) {
	if it.Record == nil || it.State.Review != state.ReviewPending {
		return false, "", nil
	}
	why = bindsByApproval(it.Record)
	if why == "" && len(it.Record.Header.Provenance.Supersedes) > 0 {
		replaces, err := w.replacesDecided(rd, it.Record)
		if err != nil {
			return false, "", err
		}
		if replaces {
			why = "it replaces what a person said or approved"
		}
	}
	if w.strict() || why == "" {
		return w.strict(), why, nil
	}
	outside, err := w.outside(rd, it)
	return !outside && err == nil, why, err
}

// bindsByApproval says why a memory has its effect only when a person approved it.
func bindsByApproval(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Note:
		if b.Type == trust.ConstraintType {
			return "a constraint needs a person"
		}
	case *memory.Value, *memory.Goal, *memory.Drive:
		return "a " + string(r.Header.Kind) + " needs a person"
	}
	return ""
}

// replacesDecided reports whether a memory took the place of one that a person said or
// approved.
func (w *Waiting) replacesDecided(rd *trust.Reading, r *memory.Record) (bool, error) {
	var ids []memory.ID
	for _, ref := range r.Header.Provenance.Supersedes {
		ids = append(ids, ref.ID)
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return false, core.Classify(err)
	}
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		decided, err := w.decided(rd, it)
		if err != nil || decided {
			return decided, err
		}
	}
	return false, nil
}

// decided reports whether the one who decides said a memory or approved it.
func (w *Waiting) decided(rd *trust.Reading, it *store.Item) (bool, error) {
	s := &it.State
	if s.Review == state.ReviewApproved && w.ring.Principal(s.ReviewedBy) == w.me && w.me != "" {
		return true, nil
	}
	v := w.ring.Voice(it.Record)
	if v.Principal == "" || v.Principal != w.me {
		return false, nil
	}
	origin, err := w.e.OriginOf(rd, it.Record)
	return origin == memory.OriginOwner, err
}

// outside reports whether a memory's words are not of the one who decides or of their
// agents. What an agent wrote after it was shown something external is its own word.
func (w *Waiting) outside(rd *trust.Reading, it *store.Item) (bool, error) {
	if v := w.ring.Voice(it.Record); w.e.C.Foreign || v.Principal == "" || v.Principal != w.me {
		return true, nil
	}
	if core.Mine(it.Record) {
		return false, nil
	}
	origin, err := w.e.OriginOf(rd, it.Record)
	return origin == memory.OriginImport || origin == memory.OriginTool, err
}

// OriginOf returns the channel through which the words of a memory came: of the captures
// that it cites, the one furthest from an agent's own word, else its own.
func (e *Standings) OriginOf(rd *trust.Reading, r *memory.Record) (memory.Origin, error) {
	out := r.Header.Origin
	var ids []memory.ID
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind == memory.KindRaw {
			ids = append(ids, ref.ID)
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return "", core.Classify(err)
	}
	cited := memory.Origin("")
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		origin := it.Record.Header.Origin
		if core.Mine(it.Record) { // the words of who imported them
			origin = memory.OriginOwner
		}
		if farther[origin] >= farther[cited] {
			cited = origin
		}
	}
	if farther[out] > farther[cited] {
		return out, nil
	}
	return cited, nil
}

// farther orders the channels by how far the words are from an agent's own.
var farther = map[memory.Origin]int{
	memory.OriginAgent: 1, memory.OriginOwner: 2, memory.OriginTool: 3, memory.OriginImport: 4,
}

// Farther returns the one of two channels whose words are farther from an agent's own.
func Farther(a, b memory.Origin) memory.Origin {
	if farther[b] > farther[a] {
		return b
	}
	return a
}

// ForAgent is whom an undecided link is put to whose ends are both agents' own.
const ForAgent = "agent"

// AgentsOwn reports whether agents of the one who decides wrote some memories, and no person said, approved or
// protected any of them: what is undecided between these an agent may settle.
func (w *Waiting) AgentsOwn(rd *trust.Reading, items ...*store.Item) (bool, error) {
	if w.strict() {
		return false, nil
	}
	for _, it := range items {
		if it == nil || it.Record == nil || !it.State.Yields() || !w.ByAgent(it) {
			return false, nil
		}
		if origin, err := w.e.OriginOf(rd, it.Record); err != nil || origin != memory.OriginAgent {
			return false, err
		}
	}
	return true, nil
}

// ByAgent reports whether an agent of the one who decides made a record.
func (w *Waiting) ByAgent(it *store.Item) bool {
	v := w.ring.Voice(it.Record)
	return !v.Owner && v.Principal != "" && v.Principal == w.me
}

// links notes which of some open links need no decision, and which an agent may settle.
func (w *Waiting) links(rd *trust.Reading, ties []Tie) error {
	if w.strict() {
		return nil
	}
	var ends []*store.Item
	for i := range ties {
		if ties[i].State == LinkOpen && !ties[i].Differs {
			ends = append(ends, ties[i].OldItem, ties[i].NewItem)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	rated, err := w.e.trust.Rate(rd, ends, false)
	if err != nil {
		return err
	}
	// strange is what nothing of the person's stands behind
	strange := func(it *store.Item) bool {
		v := rated[it.Ref.ID]
		return v == nil || v.External || v.Tainted
	}
	shared, err := w.e.Shared(rd)
	if err != nil {
		return err
	}
	for i := range ties {
		t := &ties[i]
		if t.State != LinkOpen || t.Differs ||
			shared[t.OldItem.Record.Header.Space] && shared[t.NewItem.Record.Header.Space] { // all who read it are asked
			continue
		}
		old, new := strange(t.OldItem), strange(t.NewItem)
		if !old && !new {
			own, err := w.AgentsOwn(rd, t.OldItem, t.NewItem)
			if err != nil {
				return err
			}
			if own {
				t.For = ForAgent
			}
		}
		asks := !old || !new // a contradiction
		if t.Relation == memory.Update {
			// what an import would replace is shown to who imported it
			if asks = new && !old || t.Detector == core.ImportDetector; !asks {
				if asks, err = w.decided(rd, t.OldItem); err != nil {
					return err
				}
			}
		}
		if !asks {
			t.State = LinkProposed
		}
	}
	return nil
}
