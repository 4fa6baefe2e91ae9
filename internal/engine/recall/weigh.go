package recall

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/bearing"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// browses reports whether there are no words to search for: filters alone select the results.
func (s *searching) browses() bool {
	return strings.TrimSpace(s.in.Query) == "" && s.keep.Narrows()
}

// asked reports whether a candidate is what was asked for. What was replaced is,
// where it held at the time that was asked for.
func (s *searching) asked(rd *trust.Reading, f *standing.Found) (bool, error) {
	if !s.wants(f) || s.said && f.Record.Header.Origin == memory.OriginTool {
		return false, nil
	}
	if at := s.keep.ValidAt; !at.IsZero() {
		if early, err := s.e.NotYet(rd, f.Item, s.keep.AsOf, at.Time()); early || err != nil {
			return false, err
		}
	}
	if s.in.All || f.State.Live() {
		return true, nil
	}
	var held bool
	var err error
	f.Until, held, err = s.e.HeldUntil(rd, f.Item, s.keep.AsOf, s.keep.ValidAt.Time())
	return held, err
}

// weigh returns candidates their factors, and leaves out those that are not trusted
// as far as was asked for.
func (s *searching) weigh(rd *trust.Reading, page []*standing.Found) ([]*standing.Found, error) {
	items := make([]*store.Item, len(page))
	for i, f := range page {
		items[i] = f.Item
	}
	trusted, err := s.e.trust.RateAt(rd, items, s.keep.AsOf.Time(), false)
	if err != nil {
		return nil, err
	}
	if s.gathers == nil { // what is gathered has its share of what is wanted already
		for _, f := range page {
			s.bear(f)
		}
	}
	return slices.DeleteFunc(page, func(f *standing.Found) bool {
		f.Rating = trusted[f.Ref.ID]
		f.Placed = f.Rating.Tier
		f.Factors = rank.Of(f.C.Relevance, f.Placed, f.Rating.Score, s.now.Sub(standing.Happened(f.Record)))
		return !s.keep.Trusts(f.Rating) || !s.keep.Tiers(f.Placed)
	}), nil
}

// wants reports whether a candidate is what was asked for: what the graph lent to
// may be anything.
func (s *searching) wants(f *standing.Found) bool {
	kind := f.Ref.Kind
	if len(s.kinds) > 0 && !slices.Contains(s.kinds, kind) || len(s.kinds) == 0 && !kind.IsMemory() {
		return false
	}
	if !s.in.All && !f.State.Live() && s.keep.ValidAt.IsZero() || !s.reads(f.Record.Header.Space) {
		return false
	}
	return s.keep.Takes(f.Record)
}

// bear lowers the relevance of a statement by what it lacks of what is asked for. Of a conversation the rest may stand
// in the turns beside it.
func (s *searching) bear(f *standing.Found) {
	if turn(f.Record) {
		return
	}
	const whole, part = 1, 0.6
	share := s.asks.Share(wordsOf(f.Record))
	if s.lent != nil && f.C.Graph > 0 {
		if old, is := s.lent.words[f.C.From]; is { // it answers what the old words would
			share = max(share, s.asks.Share(old))
		}
	}
	lacks := 1 - share
	f.C.ByWords *= whole - part*lacks
	if s.fit(f) == fitPerhaps { // its words are other ones
		lacks *= 1 - f.C.Meaning
	}
	by := whole - part*lacks
	f.C.Relevance *= by
	f.C.Graph *= by
	f.C.Wording *= by
}

// wordsOf returns the words of a record that are compared with a question: what it states.
func wordsOf(r *memory.Record) string {
	if raw, ok := r.Body.(*memory.Raw); ok {
		return raw.Text
	}
	return core.Compared(r) + " " + r.Headline()
}

// allWords returns all that a record says, and what it is: it bears on a question by any of that.
func allWords(r *memory.Record) string {
	return standing.Whole(r) + "\n" + string(r.Header.Kind) + " " + standing.TypeWithin(r)
}

// weak says whether a result has too little of what is asked for to be taken for an answer.
func (s *searching) weak(f *standing.Found) bool {
	if s.gathers == nil && s.lent.answers(f.Ref.ID, &s.asks) {
		return false
	}
	return !f.Answers && !(s.gathers != nil && f.Replaces) && s.lacks(f.Record)
}

// wordsKnow is the share of a question that the best by words hold from which on meaning takes no place from them.
const wordsKnow = 0.5

// fit returns what something that was found has to do with the question.
func (s *searching) fit(f *standing.Found) fit {
	switch weak := s.weak(f); {
	case f.Record == nil || s.like != nil || !weak && !s.onlyMeaning(f):
		return fitBears
	case f.C != nil && (f.C.Meaning > nearMeaning || s.onlyMeaning(f)) &&
		(s.known < wordsKnow || f.C.Relevance >= leastPerhaps):
		return fitPerhaps
	case s.onlyMeaning(f):
		return fitNone
	}
	return fitWeak
}

// bears reports whether something that was found bears on the question by its words.
func (s *searching) bears(f *standing.Found) bool { return s.fit(f) == fitBears }

// onlyMeaning reports whether nothing but its vector found something, or that of what it is linked with: it may have
// other words for what is asked, and none of those that are.
func (s *searching) onlyMeaning(f *standing.Found) bool {
	if f.C == nil || f.Answers || s.lent.answers(f.Ref.ID, &s.asks) {
		return false
	}
	linked := f.C.Graph > 0
	if linked && s.hits[f.C.From].Own > 0 {
		return false
	}
	if _, near := s.near[f.C.From]; !f.C.Near && !(linked && near) {
		return false
	}
	if turn(f.Record) { // the rest may stand in the turns beside it
		return f.C.Words == 0
	}
	return s.hits[f.Ref.ID].Own == 0
}

// byWords is the score that something would have for its words alone, and for those of what it is linked with.
func (s *searching) byWords(f *standing.Found) float64 {
	if s.embedder == "" || f.C == nil {
		return rank.Score(f.Factors)
	}
	relevance := f.C.ByWords
	if !s.onlyMeaning(f) {
		relevance = max(relevance+f.C.Graph*s.ofWords, f.C.Wording*s.ofWords)
	}
	return rank.Score(rank.Raised(f.Factors, relevance))
}

// The part of a relevance that meaning has: where what words do not bear out is near all the same, and where it is
// meaning that found a result.
const (
	nearMeaning = 0.1
	byMeaning   = 0.5
)

// leastPerhaps is the relevance that a result by meaning has at the least where words know the question.
const leastPerhaps = 0.1

// lacks says whether a record has too little of what is asked for, or is not among what is gathered.
func (s *searching) lacks(r *memory.Record) bool {
	if s.gathers != nil && (!turn(r) || len(s.gathers.Asked) == 0) {
		_, ok := s.gathers.share(r)
		return !ok
	}
	return weak(&s.asks, r)
}

// weak says whether a record has too little of what is asked for.
func weak(q *bearing.Question, r *memory.Record) bool {
	if raw, ok := r.Body.(*memory.Raw); ok {
		return q.WeakTurn(memory.Whole(raw))
	}
	return q.Weak(allWords(r))
}

// preferred returns the mark of records that have the kind of word that a question asks for.
func preferred(question string) string {
	switch {
	case bearing.TimeAsked(question):
		return index.TimeMark
	case bearing.NumberAsked(question):
		return index.NumberMark
	}
	return ""
}

// muchBetter is how many times as well captured words must answer to be given beside a memory
// that answers.
const muchBetter = 1.5

// memoriesFirst leaves out captured words where a memory answers, unless they answer much
// better: turns of a conversation, in which what was so once stands beside what is so now.
func (s *searching) memoriesFirst(all []*standing.Found) []*standing.Found {
	weak := func(f *standing.Found) bool { return !s.bears(f) }
	s.aboveTurns(all)
	best := 0.0
	for _, f := range all {
		if f.Ref.Kind != memory.KindRaw && !weak(f) {
			best = max(best, s.byWords(f))
		}
	}
	above, later := laterTurn(s.in.Query, all, weak)
	out := slices.DeleteFunc(all, func(f *standing.Found) bool {
		if f.Ref.Kind == memory.KindRaw && f.Replaces { // of what stands below it, the person said otherwise there
			if f.Marks = append(f.Marks, saidLater); f == later {
				later = nil
			}
			return false
		}
		return f == later ||
			f.Ref.Kind == memory.KindRaw && s.fit(f) != fitPerhaps && s.byWords(f) <= muchBetter*best
	})
	if later != nil {
		later.Marks, later.Answers = append(later.Marks, saidLater), true
		out = slices.Insert(out, slices.Index(out, above)+1, later)
	}
	return out
}

// aboveTurns notes that memories answer which rank above each turn that bears on the question, where no memory bears on
// it: of a turn less is asked, and it must not take the place of what was remembered. What meaning lifted there answers
// nothing.
func (s *searching) aboveTurns(all []*standing.Found) {
	first, turn := -1, 0.0 // the turn that bears on it, and the best score of one
	for i, f := range all {
		switch {
		case !s.bears(f):
		case f.Ref.Kind != memory.KindRaw:
			return
		case first < 0:
			first, turn = i, s.byWords(f)
		default:
			turn = max(turn, s.byWords(f))
		}
	}
	for i, f := range all {
		above := i < first
		if s.embedder != "" {
			above = first >= 0 && s.byWords(f) > turn && !s.onlyMeaning(f)
		}
		f.Answers = f.Answers || above && f.Ref.Kind != memory.KindRaw
	}
}

// saidLater marks a person's turn that is newer than the memory above it and speaks of the same.
const saidLater = "said later, not reviewed"

// laterTurn returns the memory that answers best, and the newest turn after it in which the person said something with
// all the words of the question that the memory has: nothing newer about the same thing is hidden behind a memory.
func laterTurn(query string, all []*standing.Found, weak func(*standing.Found) bool) (best, later *standing.Found) {
	i := slices.IndexFunc(all, func(f *standing.Found) bool { return f.Ref.Kind != memory.KindRaw && !weak(f) })
	if i < 0 {
		return nil, nil
	}
	best = all[i]
	var shared []string
	has := words.Terms(standing.Whole(best.Record))
	for _, t := range words.Query(query) {
		if slices.Contains(has, t) {
			shared = append(shared, t)
		}
	}
	if len(shared) == 0 {
		return best, nil
	}
	since := standing.Happened(best.Record)
	for _, f := range all {
		if f.Ref.Kind != memory.KindRaw || !standing.Happened(f.Record).After(since) ||
			later != nil && !standing.Happened(f.Record).After(standing.Happened(later.Record)) ||
			slices.Contains(best.Record.Header.Provenance.Sources(), f.Ref.ID) {
			continue
		}
		if own, is := core.OwnWords(f.Record); is && states(own, shared) {
			later = f
		}
	}
	return best, later
}

// states reports whether one sentence of a text that asks nothing has all of some terms. What stands between fences is
// no sentence.
func states(text string, terms []string) bool {
	var prose strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			prose.WriteString(part + "\n")
		}
	}
	text = prose.String()
	return slices.ContainsFunc(sentences.Split(text), func(sentence string) bool {
		if !sentences.Prose(sentence) || strings.HasSuffix(strings.TrimSpace(sentence), "?") {
			return false
		}
		has := words.Terms(sentence)
		return !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(has, t) })
	})
}
