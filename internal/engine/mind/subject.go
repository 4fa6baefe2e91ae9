package mind

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
)

// SubjectRequest asks what a page shows of one name.
type SubjectRequest struct {
	Name  string `json:"name"`
	From  string `json:"from,omitempty" jsonschema:"only events of this day or later"`
	To    string `json:"to,omitempty" jsonschema:"only events of this day or earlier"`
	Limit int    `json:"limit,omitempty" jsonschema:"events; 0 is 100, at most 1000"`
	Known int    `json:"known,omitempty" jsonschema:"what is known now; 0 is 12, at most 1000"`
}

// SubjectReply is what memories say of a name, by the time of the events. Counts are of all of them.
type SubjectReply struct {
	api.Entity
	Known  []SubjectEvent `json:"known"`            // what is current, of all times, the newest first
	Beyond int            `json:"beyond,omitempty"` // current memories that are not in Known
	Events []SubjectEvent `json:"events"`           // the newest first, hidden ones too
	More   bool           `json:"more,omitempty"`
	Days   []DayCount     `json:"days"` // how many events each day has, whatever the range
	Near   []NearName     `json:"near"`
	Others int            `json:"others,omitempty"` // names that are not in Near
	Ties   []NearTie      `json:"ties,omitempty"`
}

// A SubjectEvent is one memory at the time at which it happened or began to hold, or else at which the words behind it
// were said.
type SubjectEvent struct {
	PictureNode
	Happened   string         `json:"happened"`
	ReplacedBy string         `json:"replaced_by,omitempty"`
	Open       []string       `json:"open,omitempty"`     // what links say of it that are not decided
	Replaced   []SubjectEvent `json:"replaced,omitempty"` // of what is known: what it took the place of
}

// DayCount says how many events a day has, in UTC.
type DayCount struct {
	Day   string `json:"day"`
	Count int    `json:"count"`
}

// NearName is another name in the same memories.
type NearName struct {
	Name  string `json:"name"`
	Count int    `json:"count"` // memories that are about both
}

// NearTie says how many of these memories are about two other names, by their places in Near.
type NearTie struct {
	A     int `json:"a"`
	B     int `json:"b"`
	Count int `json:"count"`
}

// Bounds of what a page shows of a name.
const (
	subjectEvents = 100
	subjectKnown  = 12
	mostReplaced  = 20 // by one memory, at any distance
	mostEvents    = 1000
	mostNear      = 29 // and the name itself: a picture of 30
)

// Subject shows what memories say of a name, for the page.
func (e *Mind) Subject(ctx context.Context, in SubjectRequest) (SubjectReply, error) {
	ctx = store.AtOnce(ctx)
	reply := SubjectReply{Known: []SubjectEvent{}, Events: []SubjectEvent{}, Days: []DayCount{}, Near: []NearName{}}
	limit := cmp.Or(in.Limit, subjectEvents)
	if limit < 1 || limit > mostEvents {
		return reply, core.Invalid("limit: must be from 1 to %d, got %d", mostEvents, in.Limit)
	}
	known := cmp.Or(in.Known, subjectKnown)
	if known < 1 || known > mostEvents {
		return reply, core.Invalid("known: must be from 1 to %d, got %d", mostEvents, in.Known)
	}
	for _, day := range []string{in.From, in.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return reply, core.Invalid("from, to: must be days such as 2026-01-31, got %.40q", day)
		}
	}
	s := &subject{naming: naming{key: nameKey(in.Name)}, near: make(map[string]*naming)}
	if s.key == "" {
		return reply, core.Invalid("name: is blank")
	}
	about := store.Query{Has: standing.AboutName(in.Name), Hidden: true}
	_, err := e.standing.Gather(e.trust.Reading(ctx), about, 0, s.take)
	if err != nil {
		return reply, err
	}
	if len(s.events) == 0 {
		return reply, e.noSuchName(ctx, in.Name)
	}
	if reply.Name, reply.Kind = in.Name, "other"; s.count > 0 {
		reply.Entity = s.entity()
	}
	if err := e.asTold(ctx, s.events); err != nil {
		return reply, err
	}
	days := make(map[string]int)
	for _, h := range s.events {
		days[h.at.In(e.C.Zone).Format(time.DateOnly)]++
	}
	for day, n := range days {
		reply.Days = append(reply.Days, DayCount{day, n})
	}
	slices.SortFunc(reply.Days, func(a, b DayCount) int { return cmp.Compare(a.Day, b.Day) })
	reply.Near, reply.Others, reply.Ties = s.neighbours()
	slices.SortStableFunc(s.events, func(a, b happening) int { return b.at.Compare(a.at) })
	if reply.Known, reply.Beyond, err = e.known(ctx, s.events, known); err != nil {
		return reply, err
	}
	shown := slices.DeleteFunc(s.events, func(h happening) bool {
		day := h.at.In(e.C.Zone).Format(time.DateOnly)
		return in.From != "" && day < in.From || in.To != "" && day > in.To
	})
	if len(shown) > limit {
		shown, reply.More = shown[:limit], true
	}
	reply.Events, err = e.happenings(ctx, shown)
	return reply, err
}

// subject collects what memories say of a name.
type subject struct {
	naming
	events []happening
	near   map[string]*naming
	pairs  [][]string // the other names of each memory
}

// A happening is a memory at the time of its event.
type happening struct {
	it *store.Item
	at time.Time
}

func (s *subject) take(it *store.Item) (bool, error) {
	names := namesOf(it.Record)
	own := slices.IndexFunc(names, func(n string) bool { return nameKey(n) == s.key })
	if own < 0 {
		return true, nil
	}
	at := standing.Happened(it.Record)
	if from := it.Record.Header.ValidFrom; !from.IsZero() {
		at = from.Time()
	}
	s.events = append(s.events, happening{it, at})
	if !it.State.Live() {
		return true, nil
	}
	s.add(it, names[own])
	var others []string
	for i, name := range names {
		key := nameKey(name)
		if i == own || extract.Nameless(key) {
			continue
		}
		if s.near[key] == nil {
			s.near[key] = &naming{key: key}
		}
		s.near[key].add(it, name)
		others = append(others, key)
	}
	if len(others) > 1 {
		s.pairs = append(s.pairs, others)
	}
	return true, nil
}

// neighbours returns the names that are most often in the same memories, and what ties them to each other.
func (s *subject) neighbours() (near []NearName, others int, ties []NearTie) {
	near = []NearName{}
	all := make([]*naming, 0, len(s.near))
	for _, n := range s.near {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *naming) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key))
	})
	if len(all) > mostNear {
		all, others = all[:mostNear], len(all)-mostNear
	}
	place := make(map[string]int, len(all))
	for i, n := range all {
		near, place[n.key] = append(near, NearName{n.entity().Name, n.count}), i
	}
	counts := make(map[[2]int]int)
	for _, names := range s.pairs {
		for i, a := range names {
			for _, b := range names[i+1:] {
				x, has := place[a]
				y, too := place[b]
				if has && too {
					counts[[2]int{min(x, y), max(x, y)}]++
				}
			}
		}
	}
	for at, n := range counts {
		ties = append(ties, NearTie{at[0], at[1], n})
	}
	slices.SortFunc(ties, func(a, b NearTie) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return near, others, ties
}
