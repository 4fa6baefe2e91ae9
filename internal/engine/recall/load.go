package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Limits on how many memories of each kind a load reads.
const (
	loadEach     = 100
	loadEpisodes = 30
	loadLinks    = 100
)

// Load returns what an agent should know when its work begins: what was approved of
// values, goals, drives and constraints, what needs a look, open conflicts, what was
// decided and is known, recent episodes and what was left open. For the same store it
// is the same to the byte.
func (e *Finder) Load(ctx context.Context, in api.LoadRequest) (api.ContextReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	made, err := e.packLoad(rd, in)
	if err != nil {
		return api.ContextReply{}, err
	}
	e.receiptOfPack(rd, "load", "", askedLoad{in, in.Format}, made)
	reply := made.reply()
	reply.Less = made.less()
	return reply, nil
}

func (e *Finder) packLoad(rd *trust.Reading, in api.LoadRequest) (*madePack, error) {
	level, err := checkPack(in.Level, in.Budget)
	if err != nil {
		return nil, err
	}
	l := loading{e: e, in: in, omitted: make(map[pack.Omission]int)}
	for _, part := range []func(*trust.Reading) error{l.gather, l.place, l.conflicts} {
		if err := part(rd); err != nil {
			return nil, err
		}
	}
	notice, err := e.views.Notice(rd)
	if err != nil {
		return nil, err
	}
	prompts, err := e.views.CountPrompts(rd, false)
	if err != nil {
		return nil, err
	}
	held, err := e.views.CountHeld(rd)
	if err != nil {
		return nil, err
	}
	kept, err := e.remotes.KeptBack(rd)
	if err != nil {
		return nil, err
	}
	waits := slices.DeleteFunc([]string{views.PromptsLine(prompts, e.C.Zone), views.HeldLine(held), kept},
		func(line string) bool { return line == "" })
	made, err := packed(
		pack.Request{
			Layout: pack.Load, Level: level, Budget: in.Budget, Notice: notice,
			Waits: strings.Join(waits, "; "), Entries: l.entries, Zone: e.C.Zone.String(),
			Omitted: l.left(),
		}, formatOf(in.Format),
	)
	if err != nil {
		return nil, err
	}
	made.from, made.held = l.from, held.Count
	return made, nil
}

// loading is one load being put together.
type loading struct {
	e       *Finder
	in      api.LoadRequest
	items   []*store.Item
	from    []*standing.Found
	entries []pack.Entry
	omitted map[pack.Omission]int
	last    time.Time // when this agent's last session wrote last; zero is none

	approved map[memory.ID]bool // by a person, as the tables say
}

func (l *loading) omit(section, reason string, n int) {
	if n > 0 {
		l.omitted[pack.Omission{Section: section, Reason: reason}] += n
	}
}

func (l *loading) left() []pack.Omission { return omissions(l.omitted) }

// omissions lists what was left out, always in the same order.
func omissions(counts map[pack.Omission]int) []pack.Omission {
	var out []pack.Omission
	for o, n := range counts {
		o.Count = n
		out = append(out, o)
	}
	sorting.By(out, func(a, b pack.Omission) int {
		return cmp.Or(strings.Compare(a.Section, b.Section), strings.Compare(a.Reason, b.Reason))
	})
	return out
}

// gather reads what may be given: of each kind the newest, and all that binds or
// names code.
func (l *loading) gather(rd *trust.Reading) error {
	spaces, err := l.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	seen := make(map[memory.ID]bool)
	add := func(it *store.Item) {
		if it.Record != nil && !seen[it.Ref.ID] {
			seen[it.Ref.ID] = true
			l.items = append(l.items, it)
		}
	}
	for _, kind := range core.Drafted() {
		most := loadEach
		if kind == memory.KindEpisode || kind == memory.KindPlaybook {
			most = loadEpisodes
		}
		some, err := l.e.newest(rd, spaces, kind, most)
		if err != nil {
			return err
		}
		for _, it := range some {
			add(it)
		}
	}
	approved, err := l.e.decidedBy(rd, spaces)
	if err != nil {
		return err
	}
	l.approved = make(map[memory.ID]bool, len(approved))
	for _, it := range approved {
		l.approved[it.Ref.ID] = true
		add(it)
	}
	constraints, err := l.e.ofType(rd, trust.ConstraintType)
	if err != nil {
		return err
	}
	coded, err := l.e.views.Coded(rd)
	if err != nil {
		return err
	}
	decided, err := l.decided(rd, spaces)
	if err != nil {
		return err
	}
	for _, it := range slices.Concat(constraints, coded, decided) {
		add(it)
	}
	slices.SortStableFunc(l.items, func(a, b *store.Item) int { // the newest first, of whichever kind
		return b.Record.Header.At.Time().Compare(a.Record.Header.At.Time())
	})
	if l.last, err = l.e.lastSession(rd, spaces); err != nil {
		return err
	}
	held, err := store.Tally(rd, l.e.Store, spaces)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range l.items {
		held[it.Ref.Kind]--
	}
	for _, k := range memory.Memories() {
		if k != memory.KindRaw { // words are asked for
			l.omit(string(k)+"s", "older", held[k])
		}
	}
	return nil
}

// decided reads what was decided, preferred, agreed and fixed, the newest of each, and what may have taken the place
// of that: however many facts are newer.
func (l *loading) decided(rd *trust.Reading, spaces []string) (all []*store.Item, err error) {
	for _, t := range []string{"decision", "preference", "convention", "known_fix"} {
		for it, err := range l.e.Store.List(rd, store.Query{
			Kinds: []memory.Kind{memory.KindNote, memory.KindBelief}, Spaces: spaces, Mark: index.TypeMark(t), Limit: loadEach,
		}) {
			if err != nil {
				return nil, core.Classify(err)
			}
			if it.Record != nil {
				all = append(all, it)
			}
		}
	}
	reads, err := l.e.Reads(rd)
	if err != nil {
		return nil, err
	}
	open, err := l.e.standing.UndecidedAt(rd, memory.Time{}, all)
	for _, it := range slices.Clone(all) {
		for _, o := range open[it.Ref.ID] {
			if reads(o.NewItem.Record.Header.Space) {
				all = append(all, o.NewItem)
			}
		}
	}
	return all, err
}

// place puts each memory where it belongs, and counts what belongs nowhere here.
func (l *loading) place(rd *trust.Reading) error {
	codeStates, err := l.e.views.CodeStates(rd, l.items, false)
	if err != nil {
		return err
	}
	trusted, err := l.e.trust.RateVouched(rd, l.items)
	if err != nil {
		return err
	}
	said, err := l.e.settleIn(rd, l.items, trusted, nil)
	if err != nil {
		return err
	}
	turns, err := l.e.withTurns(rd, said, l.items, trusted, false)
	if err != nil {
		return err
	}
	codeStates = append(codeStates, turns.states...)
	var all []voiced
	entries := make(map[memory.ID]*pack.Entry)
	for i, s := range codeStates {
		v := trusted[s.Ref.ID]
		if why := said.dropped(s.Ref.ID); why != "" {
			l.omit("", why, 1)
			continue
		}
		if v.Ended() != "" {
			l.omit("", "over", 1)
			continue
		}
		in := s.Section(v)
		section := trust.InUnverified // of a turn: it goes above what it speaks against
		if !said.isAbove(s.Ref.ID) {
			section = l.sectionOf(s.Item, v, in)
		}
		if section == "" {
			continue
		}
		en := l.e.views.EntryOf(s.Item, v)
		en.Path, en.Section, en.Score = s.Paths(), section, -float64(i)/(1<<20)
		switch section {
		case trust.InNeeds:
			en.State, en.Priority = string(s.CodeState), s.Urgency()
			if reasons := code.Reasons(s.Findings); len(reasons) > 0 {
				en.Why = reasons[0]
			}
		case trust.InConstraints:
			en.Tier = ""
		case trust.InValues, trust.InGoals, trust.InDrives:
			en.Score += importance(s.Item)
		case "relationships":
			en.Score += importance(s.Item)
			en.Priority, en.Place = rankIn(in), in
		case "decisions", "known", "episodes", "open":
			en.Score += 1 // before what only matters by a number
			en.Priority, en.Place = classOf(s.Item)*classes+rankIn(in), in
			if s.CodeState == code.Stale || s.CodeState == code.NeedsReview {
				en.State, en.Why = string(s.CodeState), strings.Join(code.Reasons(s.Findings), "; ")
			}
		}
		if en.Firm {
			en.Priority += decidedFirst
		}
		tied := said.mark(s, v, en)
		if !l.last.IsZero() && s.Record.Header.At.Time().After(l.last) {
			en.Why = views.JoinWhy(sinceLast, en.Why)
		}
		if l.in.Verbose {
			en.Why = trust.SourceWords(s.Record, v)
		}
		l.from = append(l.from, standing.Unscored(s.Item, v))
		all = append(all, voiced{en, s.Item, v.Facts.Author, spokenBy(s.Record), tied, true})
		entries[s.Ref.ID] = en
	}
	for _, turn := range said.aboveOlder(pack.Load, entries, func(memory.ID) bool { return false }) {
		delete(entries, turn)
		all = slices.DeleteFunc(all, func(v voiced) bool { return v.item.Ref.ID == turn })
	}
	said.besideOlder(entries)
	said.belowOlder(pack.Load, entries)
	kept, dropped := onceSaid(all)
	l.omit("", duplicateText, dropped)
	for _, v := range kept {
		l.entries = append(l.entries, *v.entry)
	}
	return nil
}

// sectionOf returns the section of packs that a memory belongs to in a load, "" for none. A
// memory that nobody but its author supports is only counted.
func (l *loading) sectionOf(it *store.Item, v *trust.Rating, in string) string {
	note, _ := it.Record.Body.(*memory.Note)
	k := it.Ref.Kind
	kind := string(k) + "s"
	switch {
	case in == trust.InValues, in == trust.InGoals, in == trust.InDrives, in == trust.InConstraints, in == trust.InNeeds:
		return in
	case note != nil && note.Type == trust.ConstraintType && in == trust.InObserved && v.Unbound() == trust.NotApproved:
		return "decisions" // it binds nobody until a person approves it, and is known all the same
	case note != nil && note.Type == trust.ConstraintType:
		l.omit(trust.InConstraints, v.Unbound(), 1)
		return ""
	case k == memory.KindGoal && !trust.Active(&v.State):
		return "" // it is over: nothing is left out by that
	case k == memory.KindValue, k == memory.KindGoal, k == memory.KindDrive:
		l.omit(kind, v.Unbound(), 1)
		return ""
	case in != trust.InVerified && in != trust.InObserved:
		l.omit(kind, "unverified", 1)
		return ""
	case k == memory.KindEpisode:
		if b, ok := it.Record.Body.(*memory.Episode); ok && (b.OutcomeType == "partial" || b.OutcomeType == "failure") {
			return "open"
		}
		return "episodes"
	case k == memory.KindRelationship:
		return "relationships"
	}
	if classOf(it) == decidedClass {
		return "decisions"
	}
	return "known"
}

const (
	classes      = 2 // ranks within a class
	decidedClass = 2 // the class of decisions
	decidedFirst = 8 // more than any rank: what a person decided, before all that nobody did
)

// classOf puts what was decided before what is preferred, agreed or fixed, and that before facts: of these there are so
// many that they would leave no room.
func classOf(it *store.Item) int {
	switch standing.TypeWithin(it.Record) {
	case trust.DecisionType, trust.ConstraintType:
		return decidedClass
	case "preference", "convention", "known_fix":
		return 1
	}
	return 0
}

// rankIn puts verified memories before observed ones.
func rankIn(section string) int {
	if section == trust.InObserved {
		return 0
	}
	return 1
}

// importance is what the author said of priority, intensity or feeling, 0 to 1.
func importance(it *store.Item) float64 {
	const hundred, thousand = 100, 1000
	switch b := it.Record.Body.(type) {
	case *memory.Value:
		return float64(b.Priority) / hundred
	case *memory.Goal:
		return float64(b.Priority) / hundred
	case *memory.Drive:
		return float64(core.Intensity(it)) / thousand
	case *memory.Relationship:
		return float64(max(b.Sentiment, -b.Sentiment)) / thousand
	}
	return 0
}

// shortRefOf writes a ref as packs do.
func shortRefOf(ref string) string {
	if r, err := memory.ParseRef(ref); err == nil {
		return r.Short()
	}
	return ref
}
