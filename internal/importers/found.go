package importers

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A Found is what a reader finds in another memory: the records, sources first. What it says
// beside them is known when they were gone through.
type Found struct {
	Formats []string // of what is read

	// Open opens what the engine reads itself, of the one format; nil is anything else.
	Open func() (io.ReadCloser, error)

	Records Sequence
	Total   int // records given
	Lost    Lost
	Mine    bool // the person who imports it says that these are their own words

	done func()
}

// An item is a record as a reader found it.
type item struct {
	row        string // where it stands, for errors and reports
	alias      string
	same       []string // other ids under which words like these are the same record
	was        []string // ids that versions before this one gave it
	gone       string   // why it was deleted where it comes from; "" is not
	body       memory.Body
	meta       api.Meta
	from       []string // aliases
	supersedes string   // an alias, or ""
	via        memory.Via
	ext        map[string]any

	made   api.Foreign
	before []*item // what rests on it
	waits  int
}

// A heap is all items of one source.
type heap struct {
	items []*item
	at    map[string]*item
	lost  Lost
}

func newHeap() *heap { return &heap{at: make(map[string]*item)} }

// add puts an item on the heap. A second of one alias is the same if it says the
// same, and otherwise wrong.
func (h *heap) add(it *item) error {
	if err := memory.Check(it.body); err != nil {
		return api.Invalid("%s: %s", it.row, flat(err))
	}
	if first := h.at[it.alias]; first != nil {
		if memory.KindOf(first.body) == memory.KindOf(it.body) && memory.Words(first.body) == memory.Words(it.body) {
			return nil
		}
		return api.Invalid("%s: %s has the same ID and other content", it.row, first.row)
	}
	h.at[it.alias] = it
	h.items = append(h.items, it)
	return nil
}

// take notes an entry that cannot be read, if an error says so.
func (h *heap) take(row string, err error) {
	if err != nil {
		h.lost.bad("%s: %s", row, unrowed(row, errors.New(flat(err))))
	}
}

// forgottenThere says of a memory that it was forgotten before it came here.
const forgottenThere = "forgotten where it comes from"

func flat(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// arranged puts the items in order and checks each as strictly as a store does. One that no
// store would take is noted as bad, and costs only itself. Held, where it is not nil, knows
// what the store has.
func (h *heap) arranged(ctx context.Context, held held) ([]*item, error) {
	if err := h.link(ctx, held); err != nil {
		return nil, err
	}
	h.uncycle()
	good := make([]*item, 0, len(h.items))
	gone := make(map[string]bool)
	for _, it := range h.order() {
		it.from = slices.DeleteFunc(it.from, func(a string) bool { return gone[a] })
		if gone[it.supersedes] {
			it.supersedes = ""
		}
		if err := it.make(); err != nil {
			h.lost.bad("%s: %s", it.row, flat(err))
			gone[it.alias] = true
			continue
		}
		good = append(good, it)
	}
	return good, nil
}

// link drops the sources that cannot be: what is nowhere, what a record cannot
// come from. The names of those are kept with the record.
func (h *heap) link(ctx context.Context, held held) error {
	outside := make(map[string]bool)
	for _, it := range h.items {
		for _, a := range it.sources() {
			if h.at[a] == nil {
				outside[a] = true
			}
		}
	}
	var there map[string]memory.Ref
	if held != nil && len(outside) > 0 {
		var ask []string
		for a := range outside {
			ask = append(ask, a)
		}
		slices.Sort(ask)
		var err error
		if there, err = held(ctx, ask...); err != nil {
			return err
		}
	}
	kindOf := func(alias string) (memory.Kind, bool) {
		if it := h.at[alias]; it != nil {
			return memory.KindOf(it.body), true
		}
		ref, ok := there[alias]
		return ref.Kind, ok
	}
	for _, it := range h.items {
		if old := it.supersedes; old != "" {
			if kind, ok := kindOf(old); !ok || kind != memory.KindOf(it.body) || old == it.alias {
				it.supersedes = ""
			}
		}
		kept := it.from[:0:0]
		for _, a := range it.from {
			kind, ok := kindOf(a)
			switch {
			case slices.Contains(kept, a):
			case !ok:
				h.lost.Missing++
				h.lost.say("%s: its source %s is nowhere", it.row, shorten.To(a, 120))
				it.keep("missing_sources", a)
			case !memory.KindOf(it.body).MayComeFrom(kind) || len(kept) == memory.MaxSources:
				h.lost.Unfit++
				h.lost.say("%s: %s cannot be derived from %s, a %s", it.row, memory.KindOf(it.body), shorten.To(a, 120), kind)
				it.keep("unfit_sources", a)
			default:
				kept = append(kept, a)
			}
		}
		it.from = kept
	}
	return nil
}

// sources returns all that must stand before an item.
func (it *item) sources() []string {
	if it.supersedes == "" || slices.Contains(it.from, it.supersedes) {
		return it.from
	}
	return append(slices.Clone(it.from), it.supersedes)
}

// keep notes the name of a source that could not become one.
func (it *item) keep(name, source string) {
	if it.ext == nil {
		it.ext = make(map[string]any)
	}
	list, _ := it.ext[name].([]string)
	it.ext[name] = append(list, source)
}

// A step is an item on the way down to its sources.
type step struct {
	it   *item
	next int // the source looked at
}

// How far uncycle is with an item.
const (
	fresh = iota
	open
	done
)

// uncycle takes away, of each circle of sources, one arrow: the one that closes it,
// or where that says what took whose place, another. A chain may be of any length,
// so it goes without recursion.
func (h *heap) uncycle() {
	state := make(map[*item]int)
	for _, start := range h.items {
		if state[start] != fresh {
			continue
		}
		way := []step{{it: start}}
		state[start] = open
		for len(way) > 0 {
			top := &way[len(way)-1]
			sources := top.it.sources()
			if top.next == len(sources) {
				state[top.it] = done
				if way = way[:len(way)-1]; len(way) > 0 {
					way[len(way)-1].next++
				}
				continue
			}
			source := h.at[sources[top.next]]
			switch {
			case source == nil || state[source] == done:
				top.next++
			case state[source] == open:
				at := weakest(way, source)
				h.unarrow(way[at])
				for _, above := range way[at+1:] {
					state[above.it] = fresh
				}
				way = way[:at+1]
			default:
				state[source] = open
				way = append(way, step{it: source})
			}
		}
	}
}

// weakest returns the place on the way, from source on, of the arrow to take away: the
// last that is no replacement.
func weakest(way []step, source *item) int {
	for i := len(way) - 1; i >= 0; i-- {
		if s := way[i]; s.it.sources()[s.next] != s.it.supersedes {
			return i
		}
		if way[i].it == source {
			break
		}
	}
	return len(way) - 1
}

// unarrow takes away the source that a step looks at.
func (h *heap) unarrow(s step) {
	alias := s.it.sources()[s.next]
	h.lost.Cycles++
	h.lost.say("%s: rests on %s, which rests on it", s.it.row, h.at[alias].row)
	s.it.keep("cyclic_sources", alias)
	s.it.from = slices.DeleteFunc(slices.Clone(s.it.from), func(a string) bool { return a == alias })
	if s.it.supersedes == alias {
		s.it.supersedes = ""
	}
}

// order puts sources before what rests on them, and otherwise changes nothing.
func (h *heap) order() []*item {
	for _, it := range h.items {
		for _, a := range it.sources() {
			if source := h.at[a]; source != nil {
				source.before = append(source.before, it)
				it.waits++
			}
		}
	}
	out := make([]*item, 0, len(h.items))
	for _, it := range h.items {
		if it.waits > 0 || it.made.Alias != nil {
			continue
		}
		for ready := []*item{it}; len(ready) > 0; {
			one := ready[0]
			ready = ready[1:]
			one.made.Alias = append([]string{one.alias}, one.same...)
			one.made.Was, one.made.Gone = one.was, one.gone
			out = append(out, one)
			for _, next := range one.before {
				if next.waits--; next.waits == 0 {
					ready = append(ready, next)
				}
			}
		}
	}
	return out
}
