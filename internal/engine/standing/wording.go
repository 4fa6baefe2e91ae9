package standing

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// TextsOf returns the texts that say what a record says: its line, and its whole words
// where they are more than the line.
func TextsOf(r *memory.Record) []string {
	out := []string{r.Headline()}
	switch b := r.Body.(type) {
	case *memory.Raw:
		return []string{b.Said()}
	case *memory.Note:
		out = []string{b.Summary}
		if b.Body != "" {
			out = append(out, b.Body)
		}
	case *memory.Relationship:
		out = append(out, b.Description)
	case *memory.Value:
		out = append(out, b.Statement)
	}
	return out
}

// statement returns all that a record states, without why: its line, and what it says beside that.
func statement(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Raw:
		return b.Said()
	case *memory.Note:
		if line := strings.TrimRight(b.Summary, "…. "); b.Body == "" || !strings.HasPrefix(b.Body, line) {
			return strings.TrimSpace(b.Summary + " " + b.Body)
		}
		return b.Body
	}
	return memory.Words(r.Body)
}

// Stated returns all that a memory states, folded; "" where it states nothing that a decision can end: an episode
// tells of what happened.
func Stated(r *memory.Record) string {
	if r.Header.Kind == memory.KindEpisode {
		return ""
	}
	return words.Folded(words.Plain(statement(r)))
}

// SayTheSame reports whether a text of one record folds to a text of the other.
func SayTheSame(a, b *memory.Record) bool { return textsMatch(a, b, words.Same) }

// SameLetters reports whether a text of one record has the letters and digits of a text of the
// other. It is asked about what was rejected only: there other marks make no other words.
func SameLetters(a, b *memory.Record) bool { return textsMatch(a, b, words.SameLetters) }

// SameBody reports whether two bodies of one kind say the same in all their words; the case of letters is none.
func SameBody(a, b memory.Body) bool {
	x, isX := a.(*memory.Episode)
	y, isY := b.(*memory.Episode)
	return strings.EqualFold(memory.Words(a), memory.Words(b)) && isX == isY && (!isX || x.OutcomeType == y.OutcomeType)
}

// SaysAgain reports whether a record says again all that another says: one of its texts, and what stands beside that.
// Two of one title and different bodies do not.
func SaysAgain(r, old *memory.Record) bool {
	if !SameLetters(r, old) {
		return false
	}
	whole := statement(r)
	if ep, ok := r.Body.(*memory.Episode); ok {
		whole += " " + ep.OutcomeType
	}
	letters := words.Letters(whole)
	for _, part := range partsOf(old) {
		if !strings.Contains(letters, words.Letters(part)) && !strings.Contains(whole, part) {
			return false
		}
	}
	return true
}

// partsOf returns the texts of which each is a part of what a record states.
func partsOf(r *memory.Record) []string {
	switch b := r.Body.(type) {
	case *memory.Note:
		return []string{b.Summary, b.Body}
	case *memory.Relationship:
		return []string{b.Description}
	case *memory.Value:
		return []string{b.Statement}
	case *memory.Episode:
		return append(strings.Split(memory.Words(b), "\n"), b.OutcomeType)
	case *memory.Raw:
		return []string{b.Said()}
	}
	return strings.Split(memory.Words(r.Body), "\n")
}

func textsMatch(a, b *memory.Record, same func(a, b string) bool) bool {
	for _, one := range TextsOf(a) {
		for _, other := range TextsOf(b) {
			if same(one, other) {
				return true
			}
		}
	}
	return false
}

// A Made is a memory that was made of a raw, with its revisions.
type Made struct {
	core.Chain
	Cites bool // it cites the raw; otherwise a mark says that the raw said it again
}

// WordingOf reports whether raw is the wording of one of the n memories that were made of it:
// they say the same, or raw is one sentence from which this memory alone was made. An episode,
// an observation and a conclusion describe what was said; the words behind them are evidence
// and are kept.
func WordingOf(raw *memory.Record, m Made, n int) bool {
	for _, it := range m.Chain {
		if it.Ref.Kind != memory.KindEpisode && (SayTheSame(raw, it.Record) || !m.Cites && SameLetters(raw, it.Record)) {
			return true
		}
	}
	first := m.First().Record
	if n != 1 || !m.Cites || first.Header.Kind == memory.KindEpisode || rawsBehind(first) != 1 ||
		first.Header.Provenance.Via == memory.ViaConsolidate {
		return false
	}
	if note, ok := first.Body.(*memory.Note); ok && note.Type == core.DefaultNote {
		return false
	}
	b, ok := raw.Body.(*memory.Raw)
	return ok && extract.OneSentence(b.Said())
}

func rawsBehind(r *memory.Record) int {
	n := 0
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind == memory.KindRaw {
			n++
		}
	}
	return n
}

// SameMemory reports whether two memories say the same of the same time.
func SameMemory(a, b *store.Item) bool {
	x, y := &a.Record.Header, &b.Record.Header
	return x.Kind == y.Kind && x.Kind.Form().OneLine && TypeWithin(a.Record) == TypeWithin(b.Record) &&
		x.ValidFrom.Time().Equal(y.ValidFrom.Time()) && x.ValidUntil.Time().Equal(y.ValidUntil.Time()) &&
		words.Same(memory.Words(a.Record.Body), memory.Words(b.Record.Body))
}

// A Sameness is what memories have in common that say the same of the same time.
type Sameness struct {
	kind        memory.Kind
	within      string
	from, until moment
	words       string
}

// moment is a time by which two are equal where their instants are.
type moment struct {
	seconds int64
	rest    int
}

// SamenessOf returns what a memory has in common with those of which SameMemory says that they say
// the same; false where there can be none.
func SamenessOf(it *store.Item) (Sameness, bool) {
	h := &it.Record.Header
	if !h.Kind.Form().OneLine {
		return Sameness{}, false
	}
	at := func(t memory.Time) moment { return moment{t.Time().Unix(), t.Time().Nanosecond()} }
	folded := words.Folded(memory.Words(it.Record.Body))
	return Sameness{h.Kind, TypeWithin(it.Record), at(h.ValidFrom), at(h.ValidUntil), folded}, folded != ""
}

// TypeWithin returns the type within a kind, "" if there is none.
func TypeWithin(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Note:
		return b.Type
	case *memory.Belief:
		return b.Type
	}
	return ""
}

// earlier returns the wordings that a memory replaced, and those that they replaced: the
// later first. What somebody claims to have replaced, and did not, is not among them.
func (e *Standings) earlier(rd *trust.Reading, it *store.Item) ([]*store.Item, error) {
	var out []*store.Item
	seen := map[memory.ID]bool{it.Ref.ID: true}
	for level := []*store.Item{it}; len(level) > 0; {
		var ids []memory.ID
		by := make(map[memory.ID]memory.ID)
		for _, one := range level {
			if one.Record == nil {
				continue
			}
			for _, old := range one.Record.Header.Provenance.Supersedes {
				if !seen[old.ID] {
					seen[old.ID], by[old.ID] = true, one.Ref.ID
					ids = append(ids, old.ID)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		items, err := rd.Get(ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		level = slices.DeleteFunc(
			items, func(old *store.Item) bool { return old == nil || old.State.SupersededBy != by[old.Ref.ID] },
		)
		out = append(out, level...)
	}
	return out, nil
}

// wordings returns a memory after the wordings that it replaced, the oldest first. Of a merge
// it follows the one that was revised. It ends at one that was purged.
func (e *Standings) wordings(rd *trust.Reading, it *store.Item) ([]*store.Item, error) {
	earlier, err := e.earlier(rd, it)
	if err != nil {
		return nil, err
	}
	held := make(map[memory.ID]*store.Item, len(earlier))
	for _, old := range earlier {
		held[old.Ref.ID] = old
	}
	line := []*store.Item{it}
	for at := it; len(at.Record.Header.Provenance.Supersedes) > 0; line = append(line, at) {
		at = held[at.Record.Header.Provenance.Supersedes[0].ID]
		if at == nil || at.Record == nil {
			break
		}
		delete(held, at.Ref.ID)
	}
	slices.Reverse(line)
	return line, nil
}

// Served counts how a memory that is put to use Served, its earlier wordings included.
func (e *Standings) Served(rd *trust.Reading, it *store.Item, m *api.Memory) error {
	if !it.Ref.Kind.Form().Served {
		return nil
	}
	earlier, err := e.earlier(rd, it)
	if err != nil || len(earlier) == 0 {
		return err
	}
	if _, err := e.trust.Rate(rd, earlier, false); err != nil {
		return err
	}
	all := it.State
	for _, old := range earlier {
		all.Uses += old.State.Uses
		all.Successes += old.State.Successes
	}
	m.Uses, m.Successes, m.SuccessRate = all.Uses, all.Successes, core.SuccessRate(&all)
	return nil
}

// ConfidenceChanges says what moved the confidence of a memory, from its first wording
// on.
func (e *Standings) ConfidenceChanges(rd *trust.Reading, it *store.Item) ([]api.ConfidenceChange, error) {
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	wordings, err := e.wordings(rd, it)
	if err != nil {
		return nil, err
	}
	var steps []api.ConfidenceChange
	var before memory.Confidence
	for i, w := range wordings {
		h := &w.Record.Header
		first := api.ConfidenceChange{
			Of: w.Ref.String(), Kind: "created", At: h.At.String(), After: h.Confidence.Float(), By: h.Author,
			Origin: string(h.Origin), Agent: h.Agent, Why: "created via " + string(h.Provenance.Via),
		}
		if i > 0 {
			was := before.Float()
			first.Kind, first.Before, first.Why = "revised", &was, "stated again by a revision"
		}
		steps, before = append(steps, first), h.Confidence
		claims, err := e.ClaimsOf(rd, w.Ref.ID)
		if err != nil {
			return nil, err
		}
		for _, s := range state.History(w.Record, claims, e.C.Now(), who) {
			step := confidenceChange(s, before)
			step.Of = w.Ref.String()
			steps, before = append(steps, step), s.Confidence
		}
	}
	return steps, nil
}

func confidenceChange(s state.Step, before memory.Confidence) api.ConfidenceChange {
	h, was := &s.Claim.Header, before.Float()
	c := api.ConfidenceChange{
		Claim: s.Claim.Ref().String(), Kind: string(h.Kind), At: h.At.String(), Before: &was, After: s.Confidence.Float(),
		By: h.Author, Origin: string(h.Origin), Agent: h.Agent, Why: memory.Words(s.Claim.Body),
	}
	if a, ok := s.Claim.Body.(*memory.Assess); ok && len(a.Because) > 0 {
		c.Because = core.RefStrings(a.Because)
	}
	c.Why = core.Or(c.Why, s.Claim.Headline())
	return c
}

// ClaimsOf returns what was said of a record by other records.
func (e *Standings) ClaimsOf(rd *trust.Reading, id memory.ID) ([]*memory.Record, error) {
	edges, err := e.Store.Edges(rd, graph.Forward, id)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.Speaks {
			ids = append(ids, edge.From)
		}
	}
	items, err := rd.Get(ids...)
	var claims []*memory.Record
	for _, it := range items {
		if it != nil && it.Record != nil {
			claims = append(claims, it.Record)
		}
	}
	return claims, core.Classify(err)
}
