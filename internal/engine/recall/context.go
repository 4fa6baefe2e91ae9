package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How many memories a pack is chosen from: more than fit into that of the
// highest level, and the same for every level.
const (
	packPool   = 64
	entryCosts = 40 // tokens, about: a larger budget is chosen for from more
)

// Why a pack leaves out memories of the store.
const (
	notAbout = "not about the question"
)

// Context returns a pack of memories for a question: first those that need a look, then the
// binding ones, the well grounded ones, and those to use with caution. Building a pack changes
// no rank and no usage count.
func (e *Finder) Context(ctx context.Context, in api.ContextRequest) (api.ContextReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	made, err := e.packContext(rd, in)
	if err != nil {
		return api.ContextReply{}, err
	}
	e.receiptOfPack(rd, "context", in.Query, askedContext{in, in.Format}, made)
	return made.reply(), nil
}

func (e *Finder) packContext(rd *trust.Reading, in api.ContextRequest) (*madePack, error) {
	level, err := checkPack(in.Level, in.Budget)
	if err != nil {
		return nil, err
	}
	p := packing{
		e: e, in: in, terms: words.Query(in.Query), entries: make(map[memory.ID]*pack.Entry),
		omitted: make(map[pack.Omission]int), voiced: make(map[memory.ID]voiced), doubtful: make(map[string]bool),
	}
	if err := p.gather(rd); err != nil {
		return nil, err
	}
	notice, err := e.views.Notice(rd)
	if err != nil {
		return nil, err
	}
	req := pack.Request{
		Layout: pack.Context, Query: in.Query, Asked: p.terms, Level: level, Budget: in.Budget,
		Notice: cmp.Or(notice, p.unsure), Zone: e.C.Zone.String(), Entries: p.list(), Omitted: p.left(),
		Gathered: p.gatheredForm(),
	}
	made, err := packed(req, formatOf(in.Format))
	if err == nil && p.unsure == perhapsKnown && !slices.ContainsFunc(made.page.Shown, p.isDoubtful) {
		made, err = p.withoutGuesses(req, notice)
	}
	if err != nil {
		return nil, err
	}
	if made.from, made.warnings = p.found, p.warnings; p.search != nil {
		made.hid = p.search.hid
	}
	return made, nil
}

// packing is one pack being put together.
type packing struct {
	e       *Finder
	in      api.ContextRequest
	found   []*standing.Found
	entries map[memory.ID]*pack.Entry
	order   []memory.ID
	omitted map[pack.Omission]int
	voiced  map[memory.ID]voiced
	beside  *conversations
	unsure  string // that nothing bears on the question

	doubtful map[string]bool // by ref, what does not and may be given all the same

	terms    []string          // of the question
	searched []*standing.Found // what a search found, settled
	search   *searching        // nil without a question
	warnings []string
}

func (p *packing) gather(rd *trust.Reading) error {
	var err error
	if p.found, err = p.relevant(rd); err != nil {
		return err
	}
	score := make(map[memory.ID]float64)
	items := make([]*store.Item, 0, len(p.found))
	least := math.Inf(1)
	for i, f := range p.found {
		least = min(least, rank.Score(f.Factors))    // a line below another one does not rank higher here
		score[f.Ref.ID] = least - float64(i)/(1<<20) // equals stay in the order in which they were found
		items = append(items, f.Item)
	}
	coded, err := p.e.views.Coded(rd)
	if err != nil {
		return err
	}
	constraints, err := p.e.ofType(rd, trust.ConstraintType)
	if err != nil {
		return err
	}
	if p.beside, err = p.e.conversations(rd, p.found, p.search); err != nil {
		return err
	}
	seen := make(map[memory.ID]bool)
	var all []*store.Item
	for _, it := range slices.Concat(items, coded, constraints, p.beside.items()) {
		if !seen[it.Ref.ID] {
			seen[it.Ref.ID] = true
			all = append(all, it)
		}
	}
	codeStates, err := p.e.views.CodeStates(rd, all, p.in.Uncommitted)
	if err != nil {
		return err
	}
	trusted, err := p.e.trust.Rate(rd, all, false)
	if err != nil {
		return err
	}
	said, err := p.e.settleIn(rd, all, trusted, p.searched)
	if err != nil {
		return err
	}
	turns, err := p.e.withTurns(rd, said, all, trusted, p.in.Uncommitted)
	if err != nil {
		return err
	}
	all, codeStates = append(all, turns.items...), append(codeStates, turns.states...)
	held, err := p.tally(rd)
	if err != nil {
		return core.Classify(err)
	}
	if n := held - len(all); n > 0 {
		p.omitted[pack.Omission{Reason: pack.LessRelevant}] = n
	}
	bears, near := p.bears(said), map[string]string{}
	if p.search != nil {
		near = p.search.nearParts(p.searched)
	}
	for _, s := range codeStates {
		rel, hit := score[s.Ref.ID]
		turn := said.isAbove(s.Ref.ID)
		if why := said.dropped(s.Ref.ID); why != "" {
			p.omitted[pack.Omission{Reason: why}]++
			continue
		}
		if s.Item.Record != nil && saysNothing(s.Item.Record) {
			p.omitted[pack.Omission{Reason: emptyResult}]++
			continue
		}
		as := fitBears
		if hit && !turn && s.Section(trusted[s.Ref.ID]) != trust.InConstraints { // those bind whatever is asked
			var given bool
			if as, given = bears.takes(s.Item); !given {
				p.omitted[pack.Omission{Reason: notAbout}]++
				continue
			}
		}
		if !hit {
			p.found = append(p.found, standing.Unscored(s.Item, trusted[s.Ref.ID]))
		}
		p.add(s, trusted[s.Ref.ID], rel, hit || turn)
		if en := p.entries[s.Ref.ID]; en != nil {
			v := p.voiced[s.Ref.ID]
			v.tied = said.mark(s, trusted[s.Ref.ID], en)
			p.voiced[s.Ref.ID] = v
			p.doubtful[en.Ref] = as != fitBears
			switch as {
			case fitWeak:
				en.Why = views.JoinWhy(weakly, en.Why)
			case fitPerhaps:
				en.Section, en.Near = trust.InPerhaps, near[s.Ref.String()]
			}
		}
	}
	p.unsure = bears.note()
	for _, turn := range said.aboveOlder(pack.Context, p.entries, bears.isWeak) {
		if _, hit := score[turn]; !hit { // nothing else asks for it
			delete(p.entries, turn)
			p.order = slices.DeleteFunc(p.order, func(id memory.ID) bool { return id == turn })
		}
	}
	said.belowOlder(pack.Context, p.entries)
	return nil
}

// tally counts the memories of the whole store.
func (p *packing) tally(rd *trust.Reading) (n int, err error) {
	spaces, err := p.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return 0, err
	}
	held, err := store.Tally(rd, p.e.Store, spaces)
	for _, k := range held {
		n += k
	}
	return n, err
}

// pool is how many memories are looked at.
func (p *packing) pool() int { return min(max(packPool, p.in.Budget/entryCosts), core.MaxSearch) }

// relevant returns what the search finds, or without a question the newest.
func (p *packing) relevant(rd *trust.Reading) ([]*standing.Found, error) {
	if strings.TrimSpace(p.in.Query) != "" {
		s, err := p.e.searching(api.SearchRequest{Query: p.in.Query, Limit: p.pool()})
		if err != nil {
			return nil, err
		}
		found, err := s.run(rd)
		p.search, p.warnings, p.searched = s, s.warnings, found
		return found, core.Classify(err)
	}
	spaces, err := p.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, core.Classify(err)
	}
	kinds, err := views.ListKinds("")
	if err != nil {
		return nil, err
	}
	var out []*standing.Found
	for it, err := range p.e.Store.List(rd, store.Query{Spaces: spaces, Kinds: kinds, Limit: p.pool()}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		out = append(out, &standing.Found{Item: it, C: &rank.Candidate{ID: it.Ref.ID, Relevance: 1}})
	}
	return (&searching{e: p.e, now: p.e.C.Now()}).weigh(rd, out)
}

// ofType returns the live notes of a type.
func (e *Finder) ofType(rd *trust.Reading, t string) ([]*store.Item, error) {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, core.Classify(err)
	}
	var items []*store.Item
	q := store.Query{Spaces: spaces, Kinds: []memory.Kind{memory.KindNote}, Mark: index.TypeMark(t)}
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil {
			items = append(items, it)
		}
	}
	return items, nil
}

// add puts a memory into its section.
func (p *packing) add(s *views.CodeState, v *trust.Rating, score float64, hit bool) {
	note, _ := s.Record.Body.(*memory.Note)
	constraint := note != nil && note.Type == trust.ConstraintType
	en := p.e.views.EntryOf(s.Item, v)
	en.Score, en.Path, en.Section = score, s.Paths(), s.Section(v)
	reasons := strings.Join(code.Reasons(s.Findings), "; ")
	switch {
	case en.Section == trust.InNeeds:
		en.State, en.Why, en.Priority = string(s.CodeState), reasons, s.Urgency()
	case en.Section == trust.InConstraints:
		if en.Tier = ""; s.CodeState == code.Unknown && len(s.Findings) > 0 {
			en.State, en.Why = "code not checked", reasons
		}
	case constraint && !hit:
		p.omitted[pack.Omission{Section: trust.InConstraints, Reason: v.Unbound()}]++
		return
	case !hit && p.beside.has(s.Ref.ID): // it stands beside what answers
	case !hit: // names unchanged code and is not about the question
		p.omitted[pack.Omission{Reason: pack.LessRelevant}]++
		return
	case s.CodeState == code.Stale || s.CodeState == code.NeedsReview:
		en.State, en.Why = string(s.CodeState), reasons
	case v.Tier == state.Grounded && s.CodeState == code.Unknown:
		en.Tier = "grounded, not checked" // an unknown state gets no tick
		en.Why = reasons
	}
	p.entries[s.Ref.ID] = en
	p.voiced[s.Ref.ID] = voiced{entry: en, item: s.Item, principal: v.Facts.Author, words: spokenBy(s.Record), hit: hit}
	p.order = append(p.order, s.Ref.ID)
}

func (p *packing) list() []pack.Entry {
	all := make([]voiced, len(p.order))
	for i, id := range p.order {
		all[i] = p.voiced[id]
	}
	kept, dropped := onceSaid(all)
	if dropped > 0 {
		p.omitted[pack.Omission{Reason: duplicateText}] += dropped
	}
	return p.beside.entries(kept)
}

// gatheredForm is the form of a question that everything was gathered for, "" of any other.
func (p *packing) gatheredForm() string {
	if p.search == nil || p.search.gathers == nil {
		return ""
	}
	return p.search.gathers.Form
}

func (p *packing) left() []pack.Omission { return omissions(p.omitted) }
