package recall

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/bearing"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostGathered is how many records a question that gathers reads at most, beside what words and vectors find: the
// newest of those that the index has for it.
const mostGathered = 400

// gathering is the answer to a question that wants everything there is of something.
type gathering struct {
	bearing.Gathering
	kinds []memory.Kind
	more  bool
	found int
}

// gathersFor reads a question. Where only captures are asked for their order is left alone.
func (s *searching) gathersFor(query string) *gathering {
	if s.onlyRaws() {
		return nil
	}
	read, ok := bearing.Gathers(query, s.now)
	if !ok {
		return nil
	}
	g := &gathering{Gathering: read, kinds: s.kinds}
	if len(s.kinds) > 0 {
		return g
	}
	for i, w := range g.Asked {
		if kind, is := kindOf(w.Word); is {
			g.kinds = []memory.Kind{kind}
			g.Asked = slices.Delete(slices.Clone(g.Asked), i, i+1)
			break
		}
	}
	return g
}

// kindOf returns the kind of memory that a word names several of.
func kindOf(word string) (memory.Kind, bool) {
	for _, k := range memory.Memories() {
		if slices.Contains(several(k), word) {
			return k, true
		}
	}
	return "", false
}

// several returns the words for several memories of a kind.
func several(k memory.Kind) []string { return plural(string(k), k.Form().Several) }

// plural are the words for several of something: those that its form gives, or else its name with an s.
func plural(name string, words []string) []string {
	if len(words) > 0 {
		return words
	}
	return []string{name + "s"}
}

// typesOf are the types, of all kinds, of which words name several.
var typesOf = sync.OnceValue(func() map[string][]string {
	out := make(map[string][]string)
	for _, k := range memory.Memories() {
		types := k.Form().Types
		for _, name := range slices.Sorted(maps.Keys(types)) {
			for _, word := range plural(name, types[name]) {
				if !slices.Contains(out[word], name) {
					out[word] = append(out[word], name)
				}
			}
		}
	}
	return out
})

// marksOf are the marks that are as good as a word that is wanted: a type, a tag, a subject.
func marksOf(w bearing.Wanted) []string {
	out := []string{index.TagMark(w.Word)}
	for _, t := range typesOf()[w.Word] {
		out = append(out, index.TypeMark(t))
	}
	for _, t := range w.As[:1] {
		out = append(out, index.SubjectMark(t), index.TagMark(t))
	}
	return out
}

// groups are what the index must have of a record.
func (g *gathering) groups() [][]string {
	var out [][]string
	if len(g.Names) == 1 {
		for _, t := range g.Names[0] {
			out = append(out, []string{t, index.SubjectMark(t)})
		}
	} else if len(g.Names) > 1 {
		var any []string
		for _, t := range slices.Concat(g.Names...) {
			any = append(any, t, index.SubjectMark(t))
		}
		out = append(out, any)
	}
	var any, topics []string
	for _, w := range g.Asked {
		as := slices.Concat(w.As, marksOf(w))
		any = append(any, as...)
		if w.Topic {
			topics = append(topics, as...)
		}
	}
	for _, group := range [][]string{any, topics} {
		if len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// share is how much of what is wanted a record has; ok is false for one that is not among what is gathered.
func (g *gathering) share(r *memory.Record) (share float64, ok bool) {
	at := standing.Happened(r)
	if !g.Since.IsZero() && at.Before(g.Since) || !g.Until.IsZero() && !at.Before(g.Until) ||
		len(g.kinds) > 0 && !slices.Contains(g.kinds, r.Header.Kind) {
		return 0, false
	}
	terms := make(map[string]bool)
	for _, t := range index.Describe(0, 0, 0, r).Terms {
		terms[t.Text] = true
	}
	share, head, ok := g.Share(func(w bearing.Wanted) bool {
		return slices.ContainsFunc(w.As, func(t string) bool { return terms[t] }) ||
			slices.ContainsFunc(marksOf(w), func(t string) bool { return terms[t] })
	}, func(t string) bool { return terms[t] || terms[index.SubjectMark(t)] })
	const least = 0.5
	return share, ok && (share >= least && head || turn(r))
}

// reply says how it was answered.
func (g *gathering) reply() *api.Gathered {
	if g == nil {
		return nil
	}
	out := &api.Gathered{Form: g.Form, Found: g.found, More: g.more}
	out.Names, out.Words = g.Words()
	if !g.Since.IsZero() {
		out.Since = memory.At(g.Since).String()
	}
	if !g.Until.IsZero() {
		out.Until = memory.At(g.Until).String()
	}
	return out
}

// gather returns everything there is of what a question wants: what the index has for it, the newest first, and
// what words and vectors find. Nothing is that it is answered like any other question.
func (s *searching) gather(rd *trust.Reading, spaces []string, vec []float32) ([]*standing.Found, error) {
	g := s.gathers
	q := store.Query{Kinds: g.kinds, Hidden: s.hidden(), Has: g.groups()}
	if g.Form == bearing.Name {
		if known, err := s.knows(rd, g.Names[0]); err != nil || !known {
			return nil, err
		}
	}
	if len(q.Has) == 0 && len(g.kinds) == 0 && g.Since.IsZero() && g.Until.IsZero() {
		return nil, nil
	}
	var page []*standing.Found
	have := make(map[memory.ID]*standing.Found)
	take := func(it *store.Item, c *rank.Candidate) error {
		f, err := s.judgeOne(rd, c, it)
		if err == nil && f != nil {
			page, have[c.ID] = append(page, f), f
		}
		return err
	}
	members, earlier := 0, false
	more, err := s.e.standing.Gather(rd, q, max(mostGathered, 2*s.limit), func(it *store.Item) (bool, error) {
		if !g.Since.IsZero() && it.Record.Header.At.Time().Before(g.Since) && !s.e.bothStores() {
			earlier = true // what came before happened before
			return false, nil
		}
		share, ok := g.share(it.Record)
		if !ok {
			return true, nil
		}
		c := &rank.Candidate{ID: it.Ref.ID, Relevance: share}
		if turn(it.Record) && len(g.Asked) > 0 {
			c.Relevance *= capturedShare
		}
		err := take(it, c)
		if have[c.ID] != nil {
			members++
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	successors, err := s.successors(rd, q)
	if err != nil || members+len(successors) == 0 {
		return nil, err
	}
	g.more = more && !earlier
	if len(g.Asked) > 0 {
		if err := s.join(rd, spaces, vec, have, take); err != nil {
			return nil, err
		}
	}
	for _, next := range successors {
		if f := have[next.it.Ref.ID]; f != nil {
			f.Replaces = true
		} else if err := take(next.it, &rank.Candidate{ID: next.it.Ref.ID, Relevance: next.share}); err != nil {
			return nil, err
		} else if f := have[next.it.Ref.ID]; f != nil {
			f.Replaces = true
		}
	}
	if page, err = s.weigh(rd, page); err != nil {
		return nil, err
	}
	slices.SortFunc(page, func(a, b *standing.Found) int { return rank.Compare(a.Ranked(), b.Ranked()) })
	lines, err := s.lines(rd, copied(page))
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(f *standing.Found) bool { // a turn's line may be another memory's
		return !turn(f.Record) && !f.Replaces && s.lacks(f.Record)
	})
	g.found = len(lines)
	return lines[:min(s.limit, len(lines))], nil
}

// A successor is the memory that took the place of one that is gathered, with the share of that.
type successor struct {
	it    *store.Item
	share float64
}

// successors returns what took the place of memories that a question gathers: whatever its kind and type are, it is
// the newest truth about what is asked for.
func (s *searching) successors(rd *trust.Reading, q store.Query) ([]successor, error) {
	if s.in.All || !s.keep.ValidAt.IsZero() {
		return nil, nil // what was replaced is given too
	}
	q.Hidden = true
	var old []*store.Item
	var shares []float64
	_, err := s.e.standing.Gather(rd, q, mostGathered, func(it *store.Item) (bool, error) {
		if it.State.Live() && s.keep.AsOf.IsZero() || it.State.SupersededBy.IsZero() && it.State.Links == 0 {
			return true, nil
		}
		if share, ok := s.gathers.share(it.Record); ok && !turn(it.Record) {
			old, shares = append(old, it), append(shares, share)
		}
		return true, nil
	})
	if err != nil || len(old) == 0 {
		return nil, err
	}
	by, err := s.e.standing.TookPlace(rd, s.keep.AsOf, old)
	var out []successor
	for i, it := range old {
		if next := by[it.Ref.ID]; next != nil && !slices.ContainsFunc(out, func(o successor) bool {
			return o.it.Ref == next.Ref
		}) {
			out = append(out, successor{next, shares[i]})
		}
	}
	return out, err
}

// capturedShare is what a turn is worth that has words of what is wanted: which turns answer, the search says.
const capturedShare = 0.3

// knows reports whether there is a memory about a name, or said by its bearer.
func (s *searching) knows(rd *trust.Reading, name []string) (known bool, err error) {
	var has [][]string
	for _, t := range name {
		has = append(has, []string{index.SubjectMark(t)})
	}
	_, err = s.e.standing.Gather(rd, store.Query{Has: has, Hidden: s.hidden()}, 1, func(*store.Item) (bool, error) {
		known = true
		return false, nil
	})
	return known, err
}

// join adds what words and vectors find: statements that have what is wanted, and turns, whose neighbours answer.
func (s *searching) join(rd *trust.Reading, spaces []string, vec []float32, have map[memory.ID]*standing.Found,
	take func(*store.Item, *rank.Candidate) error) error {
	all, _, err := s.candidates(rd, spaces, vec, max(poolSize, s.limit))
	if err != nil {
		return err
	}
	var ids []memory.ID
	var left []*rank.Candidate
	for _, c := range all {
		if f := have[c.ID]; f != nil {
			if turn(f.Record) {
				c.Relevance = max(c.Relevance, f.C.Relevance)
				*f.C = *c
			}
			continue
		}
		ids, left = append(ids, c.ID), append(left, c)
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		share, ok := s.gathers.share(it.Record)
		switch {
		case turn(it.Record): // it may be told in another time than it speaks of
		case !ok:
			continue
		default:
			left[i].Relevance = share
		}
		if err := take(it, left[i]); err != nil {
			return err
		}
	}
	return nil
}

// hidden reports whether what lists leave out is looked at too.
func (s *searching) hidden() bool {
	return s.in.All || !s.keep.AsOf.IsZero() || !s.keep.ValidAt.IsZero()
}

// groupOf is the group that a memory is listed in: that of its type, or of its kind.
func groupOf(r *memory.Record) string {
	f := r.Header.Kind.Form()
	if name := standing.TypeWithin(r); name != "" {
		if words, known := f.Types[name]; known {
			return plural(name, words)[0]
		}
	}
	return cmp.Or(f.Group, several(r.Header.Kind)[0])
}

// grouped puts results in order by groups, that of the best first, and in each the newest first: but each below the
// decisions that it is under.
func grouped(results []api.Recalled, under map[string][]string) {
	place := make(map[string]int)
	for _, r := range results {
		if _, known := place[r.Group]; !known {
			place[r.Group] = len(place)
		}
	}
	sorting.By(results, func(a, b api.Recalled) int {
		return cmp.Or(cmp.Compare(place[a.Group], place[b.Group]),
			cmp.Compare(b.At, a.At))
	})
	for i := len(results) - 1; i >= 0; i-- {
		r, last := results[i], i
		for j := i + 1; j < len(results); j++ {
			if slices.Contains(under[r.Ref], results[j].Ref) {
				last, r.Group = j, results[j].Group
			}
		}
		copy(results[i:last], results[i+1:last+1])
		results[last] = r
	}
	for i := range results {
		results[i].Rank = i + 1
	}
}
