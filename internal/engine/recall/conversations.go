package recall

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on how much of conversations is read beside the turns that answer.
const (
	mostConversations = 4 // of the best
	turnsBeside       = 5 // places in the log, on either side of what answers
)

// conversations are the turns that stand beside those that answer: a turn is understood with what it answers and
// with the reason that follows it.
type conversations struct {
	beside map[memory.ID]*store.Item
}

// conversations reads the best conversations around what was found in them.
func (e *Finder) conversations(rd *trust.Reading, found []*standing.Found, s *searching) (*conversations, error) {
	c := &conversations{beside: make(map[memory.ID]*store.Item)}
	if s == nil || e.bothStores() {
		return c, nil
	}
	reads, err := e.Reads(rd)
	if err != nil {
		return nil, err
	}
	hit := make(map[memory.ID]bool, len(found))
	for _, f := range found {
		hit[f.Ref.ID] = true
	}
	var windows []window
	var chosen []string
	for _, f := range found {
		in := conversationOf(f.Record)
		if in == "" || s.weak(f) || !slices.Contains(chosen, in) && len(chosen) == mostConversations {
			continue
		}
		at := window{f.Record.Header.Space, in, f.Seq}
		if slices.ContainsFunc(windows, at.within) {
			continue
		}
		windows = append(windows, at)
		if !slices.Contains(chosen, in) {
			chosen = append(chosen, in)
		}
	}
	ids, err := e.inWindows(rd, windows, hit)
	if err != nil {
		return nil, err
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, it := range items {
		if it == nil || it.Record == nil || !it.State.Live() || !reads(it.Record.Header.Space) {
			continue
		}
		if in := conversationOf(it.Record); slices.ContainsFunc(windows, func(w window) bool {
			return w.conversation == in && w.space == it.Record.Header.Space && w.reaches(it.Seq)
		}) {
			c.beside[it.Ref.ID] = it
		}
	}
	return c, nil
}

// A window is what stands around a turn in the log of its space.
type window struct {
	space, conversation string
	seq                 store.Seq
}

// reaches reports whether a place of the log is in a window.
func (w window) reaches(seq store.Seq) bool {
	return seq >= w.seq-turnsBeside && seq <= w.seq+turnsBeside
}

// within reports whether a turn stands in another window, and what is right before or after it too.
func (w window) within(other window) bool {
	return w.conversation == other.conversation && w.space == other.space &&
		(other.reaches(w.seq-1) || other.reaches(w.seq+1))
}

// inWindows returns what stands in some windows, without what was found.
func (e *Finder) inWindows(rd *trust.Reading, windows []window, found map[memory.ID]bool) ([]memory.ID, error) {
	var ids []memory.ID
	known := make(map[memory.ID]bool)
	for _, w := range windows {
		log, err := e.Store.Since(rd, w.space, max(0, w.seq-turnsBeside-1), 2*turnsBeside+1)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, c := range log {
			if !found[c.ID] && !known[c.ID] {
				known[c.ID] = true
				ids = append(ids, c.ID)
			}
		}
	}
	return ids, nil
}

func (c *conversations) has(id memory.ID) bool { return c.beside[id] != nil }

// items are the turns that were read, in an order that is always the same.
func (c *conversations) items() []*store.Item {
	out := make([]*store.Item, 0, len(c.beside))
	for _, it := range c.beside {
		out = append(out, it)
	}
	slices.SortFunc(out, func(a, b *store.Item) int { return a.Ref.ID.Compare(b.Ref.ID) })
	return out
}

// entries are those of a pack: the turns of a conversation are one.
func (c *conversations) entries(all []voiced) []pack.Entry {
	type talk struct{ section, session string }
	groups := make(map[talk][]voiced)
	var order []talk
	var out []pack.Entry
	for _, v := range all {
		in := conversationOf(v.item.Record)
		if in == "" { // what binds, or needs a look, is given whatever the question is
			out = append(out, *v.entry)
			continue
		}
		at := talk{v.entry.Section, in}
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], v)
	}
	for _, at := range order {
		out = append(out, one(groups[at])...)
	}
	return out
}

// one makes an entry of the turns of a conversation; none where none of them answers.
func one(turns []voiced) []pack.Entry {
	if !slices.ContainsFunc(turns, func(v voiced) bool { return v.hit }) {
		return nil
	}
	if len(turns) == 1 {
		return []pack.Entry{*turns[0].entry}
	}
	slices.SortFunc(turns, func(a, b voiced) int {
		return cmp.Or(
			standing.Happened(a.item.Record).Compare(standing.Happened(b.item.Record)), cmp.Compare(a.item.Seq, b.item.Seq),
		)
	})
	var en pack.Entry
	for _, v := range turns {
		if v.hit && (en.Ref == "" || v.entry.Score > en.Score) {
			en = *v.entry
		}
	}
	common := slices.Clone(en.Marks) // of all turns
	for _, v := range turns {
		common = slices.DeleteFunc(common, func(m string) bool { return !slices.Contains(v.entry.Marks, m) })
	}
	best := en
	en.Marks, en.Ref, en.Text, en.Speaker, en.At, en.Why = common, "", "", "", turns[0].entry.At, ""
	for _, v := range turns {
		raw, _ := v.item.Record.Body.(*memory.Raw)
		t := pack.Turn{
			Ref: v.entry.Ref, By: v.entry.Speaker, Text: v.entry.Text, Near: v.entry.Near, Hit: v.hit, Score: v.entry.Score,
			Person: raw != nil && !ownwords.ByProgram(raw.Event, raw.Speaker),
		}
		if !v.hit {
			t.Score = 0
		}
		if v.entry.At != en.At {
			t.At = v.entry.At
		}
		for _, m := range v.entry.Marks {
			if !slices.Contains(common, m) {
				t.Marks = append(t.Marks, m)
			}
		}
		if v.entry.Why != "" {
			t.Marks = append(t.Marks, v.entry.Why)
		}
		en.Turns = append(en.Turns, t)
	}
	en.Score, en.Priority = best.Score, best.Priority
	return []pack.Entry{en}
}
