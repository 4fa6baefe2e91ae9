package removal

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/salience"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// forgetting is one run of forgetting. It reads every memory once, since what a memory
// supports is only known from all others, and keeps little of each.
type forgetting struct {
	e         *Removal
	now       time.Time
	threshold float64
	minAge    time.Duration
	halfLife  time.Duration
	include   bool // what was approved too
	byAge     bool // what is older goes, however often it was used
	purges    bool // and its words with it, also those of what is hidden

	all   []remembered
	place map[memory.ID]int
	weak  []int // rarely used
	terms map[int]salience.Terms
	gone  []int // to be forgotten, in this order
	kept  map[salience.Reason]int
}

// remembered is what a cycle keeps of a memory.
type remembered struct {
	ref        memory.Ref
	origin     memory.Origin
	from       []memory.Ref
	before     []memory.Ref // what it replaces
	confidence memory.Confidence
	since      time.Time // creation, or when it came here, if that was later
	facts      salience.Facts
	live       bool
	history    bool // another revision is shown in its place
	old        bool // there for long enough, and where this engine writes
}

// read reads every memory of the store, of all spaces: a memory may rest on one in another
// space.
func (c *forgetting) read(ctx context.Context) error {
	if err := c.e.FlushTouched(ctx); err != nil {
		return err
	}
	v, err := c.e.askingVoice()
	if err != nil {
		return err
	}
	who, err := c.e.Keyring(ctx)
	if err != nil {
		return err
	}
	c.place, c.terms = make(map[memory.ID]int), make(map[int]salience.Terms)
	var purged []memory.ID
	var before time.Time // of an age of nothing, what is dated ahead is not too young either
	if c.minAge > 0 {
		before = c.now.Add(-c.minAge)
	}
	for it, err := range store.Survey(ctx, c.e.Store, before) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			purged = append(purged, it.Ref.ID)
		}
		c.place[it.Ref.ID] = len(c.all)
		m := c.remember(it.Item)
		if t, weak := c.weighed(&m, it.Usage); weak {
			if m.facts.Foreign = !state.MayHide(v, it.Record, who); c.purges {
				m.facts.Foreign = !state.MayErase(v, it.Record, who) // others would keep it, or lose it here alone
			}
			c.terms[len(c.all)], c.weak = t, append(c.weak, len(c.all))
		}
		c.all = append(c.all, m)
	}
	if len(c.weak) == 0 { // nothing is to be forgotten, whatever rests on what
		return nil
	}
	if err := c.young(ctx); err != nil || len(purged) == 0 {
		return err
	}
	edges, err := c.e.Store.Edges(ctx, graph.Back, purged...) // these are kept of what was purged
	if err != nil {
		return core.Classify(err)
	}
	for _, edge := range edges {
		if older, held := c.place[edge.To]; held && edge.Rel == graph.DerivedFrom {
			m := &c.all[c.place[edge.From]]
			m.from = append(m.from, c.all[older].ref)
		}
	}
	return nil
}

// young reads the raws that memories rest on and that are too young to be forgotten.
func (c *forgetting) young(ctx context.Context) error {
	var ids []memory.ID
	for i := range c.all {
		for _, ref := range c.all[i].from {
			if _, known := c.place[ref.ID]; !known {
				c.place[ref.ID] = len(c.all) + len(ids)
				ids = append(ids, ref.ID)
			}
		}
	}
	for part := range slices.Chunk(ids, core.ExportPage) {
		items, err := c.e.Store.Get(ctx, part...)
		if err != nil {
			return core.Classify(err)
		}
		for _, it := range items {
			m := remembered{}
			if it != nil && it.Ref.Kind.IsMemory() {
				m = c.remember(it)
			}
			c.all = append(c.all, m) // one that is not held is no memory's ground
		}
	}
	return nil
}

func (c *forgetting) remember(it *store.Item) remembered {
	s := &it.State
	m := remembered{ref: it.Ref, confidence: s.Confidence, live: it.Record != nil && s.Live(), history: !s.Active()}
	if it.Record == nil {
		return m
	}
	h := &it.Record.Header
	m.origin = h.Origin
	m.from, m.before, m.since = h.Provenance.From, h.Provenance.Supersedes, h.At.Time()
	if it.Came.After(m.since) && !c.byAge {
		m.since = it.Came // it can have been used here since it is here
	}
	note, _ := it.Record.Body.(*memory.Note)
	m.facts = salience.Facts{
		Identity: it.Ref.Kind == memory.KindValue || it.Ref.Kind == memory.KindDrive, Protected: s.Protected,
		Constraint: note != nil && note.Type == "constraint", Approved: s.Review == state.ReviewApproved,
	}
	m.old = (m.live || c.purges) && max(0, c.now.Sub(m.since)) >= c.minAge && it.Store != core.UserStore &&
		c.e.InUse(h.Space)
	return m
}

// choose selects the memories to forget: the rarely used ones that nothing needs.
func (c *forgetting) choose(ctx context.Context, limit int) error {
	if err := c.decided(ctx); err != nil {
		return err
	}
	var may []int
	for _, at := range c.weak {
		why := c.all[at].facts.Keeps(c.include)
		if why == salience.None {
			why = c.keptBefore(at)
		}
		if why != salience.None {
			c.kept[why]++
			continue
		}
		may = append(may, at)
	}
	if len(may) == 0 {
		return nil
	}
	rest := c.rest()
	c.gone = rest.Cycle(may, func(at int) float64 { return c.terms[at].Salience }, limit)
	went := make(map[int]bool, len(c.gone))
	for _, at := range c.gone {
		went[at] = true
	}
	for _, at := range may {
		if !went[at] && rest.Needed(at) {
			c.kept[salience.RestedOn]++
		}
	}
	return nil
}

// keptBefore returns why a memory is kept although nothing is said of this revision: an earlier one,
// in whose place it is shown, is kept. Without it that one would be hidden for good.
func (c *forgetting) keptBefore(at int) salience.Reason {
	seen := make(map[memory.ID]bool)
	for todo := c.all[at].before; len(todo) > 0; todo = todo[1:] {
		i, held := c.place[todo[0].ID]
		if !held || seen[todo[0].ID] || c.all[i].ref != todo[0] {
			continue
		}
		seen[todo[0].ID] = true
		old := &c.all[i]
		if why := old.facts.Keeps(c.include); old.history && (why == salience.Approved || why == salience.Protected) {
			return why
		}
		todo = append(todo, old.before...)
	}
	return salience.None
}

// weighed reports whether a memory is below the threshold and was unused for long
// enough.
func (c *forgetting) weighed(m *remembered, used store.Usage) (t salience.Terms, weak bool) {
	if !m.old || !c.byAge && max(0, c.now.Sub(used.Last)) < c.minAge { // a clock may be ahead
		return t, false
	}
	t = salience.Of(m.confidence.Float(), m.since, used.Times, used.Last, c.now, c.halfLife)
	return t, c.byAge || t.Salience < c.threshold
}

// decided finds the memories that the owner forgot or restored, of which an agent's mark has no effect,
// and those that an agent leaves to a person.
func (c *forgetting) decided(ctx context.Context) error {
	if c.e.C.Origin == memory.OriginOwner || len(c.weak) == 0 {
		return nil
	}
	who, err := c.e.Keyring(ctx)
	if err != nil {
		return err
	}
	ids := make([]memory.ID, len(c.weak))
	for i, at := range c.weak {
		ids[i] = c.all[at].ref.ID
	}
	said, err := c.e.saidOf(ctx, ids, who, memory.Forget, memory.Recover)
	if err != nil {
		return err
	}
	for _, at := range c.weak {
		m := &c.all[at]
		m.facts.Decided, m.facts.Persons = said.byOwner[m.ref.ID], c.leftToPerson(at)
	}
	return nil
}

// leftToPerson is [views.Views.LeftToPerson] over what was read already: an agent's run forgets nothing that
// its forget may not.
func (c *forgetting) leftToPerson(at int) bool {
	m := &c.all[at]
	if m.ref.Kind == memory.KindRaw {
		return false
	}
	origin := m.origin
	for _, ref := range m.from {
		if i, held := c.place[ref.ID]; held && ref.Kind == memory.KindRaw {
			origin = standing.Farther(origin, c.all[i].origin)
		}
	}
	return m.facts.Approved || origin == memory.OriginOwner
}

// rest draws the edges from live memories to their sources. A replaced source is passed
// through to its own sources: a superseded revision needs no protection by itself.
func (c *forgetting) rest() *salience.Rest {
	r := salience.NewRest(len(c.all))
	behind := make(map[int][]int)
	for newer := range c.all {
		if !c.all[newer].live {
			continue
		}
		for _, older := range c.grounds(newer, behind) {
			r.Add(newer, older)
		}
	}
	return r
}

// grounds returns the live memories that one rests on, each once.
func (c *forgetting) grounds(at int, behind map[int][]int) []int {
	var out []int
	seen := make(map[int]bool)
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			out = append(out, i)
		}
	}
	for _, ref := range c.all[at].from {
		i, held := c.place[ref.ID]
		switch {
		case !held || c.all[i].ref != ref:
		case c.all[i].live:
			add(i)
		case c.all[i].history:
			more, known := behind[i]
			if !known {
				behind[i] = nil // ends a cycle, which only ids from elsewhere could make
				more = c.grounds(i, behind)
				behind[i] = more
			}
			for _, j := range more {
				add(j)
			}
		}
	}
	return out
}

// askingVoice is the voice in which this engine would speak; a reader who has no
// keys yet makes none.
func (e *Removal) askingVoice() (state.Voice, error) {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return state.Voice{}, nil
	}
	if err != nil {
		return state.Voice{}, err
	}
	return state.Voice{Principal: me.Principal, Owner: e.C.Origin == memory.OriginOwner, Now: true}, nil
}
