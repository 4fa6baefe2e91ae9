package stemma

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// ReviseBeliefsRequest names an episode that may bear on what is believed.
type ReviseBeliefsRequest struct {
	Episode string `json:"episode" jsonschema:"ref of the episode"`
}

// ReviseBeliefsReply is what the episode did to beliefs.
type ReviseBeliefsReply struct {
	Episode  string       `json:"episode"`
	Headline string       `json:"headline"`
	Beliefs  int          `json:"beliefs"` // looked at: those that are like it
	Moves    []BeliefMove `json:"moves"`
	Before   int          `json:"moved_before,omitempty"` // of them, those that it moved before
	By       string       `json:"by"`                     // rules, or a model
	Notes    []string     `json:"notes,omitempty"`
}

// BeliefMove is what the episode does to one belief.
type BeliefMove struct {
	Belief   string  `json:"belief"`
	Headline string  `json:"headline"`
	Effect   string  `json:"effect"` // reinforces, weakens or challenges
	Reason   string  `json:"reason,omitempty"`
	Before   float64 `json:"confidence_before"`
	After    float64 `json:"confidence"`
	Claim    string  `json:"claim,omitempty"` // ref of the assessment or the link that was written
	WhyNot   string  `json:"not_written,omitempty"`
}

// What an episode does to a belief.
const (
	reinforces = "reinforces"
	weakens    = "weakens"
	challenges = "challenges"
)

const (
	mostBeliefStep = 100 // thousandths by which one episode moves a belief at most
	ruleBeliefStep = 50
)

// ReviseBeliefs lets an episode reinforce, weaken or challenge beliefs that speak of the
// same. It writes claims and never changes a belief: the first two move the confidence,
// the last opens a conflict for a person to decide. One episode moves a belief once.
func (e *Engine) ReviseBeliefs(ctx context.Context, in ReviseBeliefsRequest) (ReviseBeliefsReply, error) {
	reply := ReviseBeliefsReply{Moves: []BeliefMove{}, By: "rules"}
	ep, err := e.resolveMemory(ctx, in.Episode)
	if err != nil {
		return reply, err
	}
	if ep.Ref.Kind != memory.KindEpisode {
		return reply, invalid("%s is not an episode but a %s", ep.Ref.Short(), ep.Ref.Kind)
	}
	if !ep.State.Live() || ep.Record == nil {
		return reply, conflict("%s is %s", ep.Ref.Short(), hidden(&ep.State))
	}
	reply.Episode, reply.Headline = ep.Ref.String(), ep.Record.Headline()
	beliefs, err := e.beliefsLike(ctx, ep)
	if err != nil {
		return reply, err
	}
	reply.Beliefs = len(beliefs)
	fresh, err := e.notMovedBy(ctx, ep.Ref, beliefs)
	if err != nil || len(fresh) == 0 {
		reply.Before = len(beliefs)
		return reply, err
	}
	reply.Before = len(beliefs) - len(fresh)
	m := moving{e: e, ep: ep, beliefs: fresh, reply: &reply}
	if m.compared, err = e.comparing(ctx, append([]*store.Item{ep}, fresh...)...); err != nil {
		return reply, err
	}
	moves, err := m.moves(ctx)
	if err != nil {
		return reply, err
	}
	return reply, m.write(ctx, moves)
}

// beliefsLike gives the current beliefs with words in common with an episode, the likest
// first. What rests on the episode itself, or was made in the same run, it cannot bear out.
func (e *Engine) beliefsLike(ctx context.Context, ep *store.Item) ([]*store.Item, error) {
	terms := words.Query(strings.Join(append(episodeTexts(ep), ep.Record.Header.About...), " "))
	if len(terms) == 0 {
		return nil, nil
	}
	hits, err := e.store.Match(ctx, store.Match{
		Terms: terms, Spaces: []string{ep.Record.Header.Space}, Kinds: []memory.Kind{memory.KindBelief}, Limit: likeWords,
	})
	if err != nil {
		return nil, sorted(err)
	}
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	resting, err := lineage.Radius(ctx, e.store, ep.Ref.ID)
	if err != nil {
		return nil, sorted(err)
	}
	run := ep.Record.Header.Provenance.Run
	var out []*store.Item
	for i, it := range items {
		if it == nil || it.Record == nil || !it.State.Live() || hits[i].Own == 0 || slices.Contains(resting.Order, it.Ref.ID) {
			continue
		}
		if run != "" && run == it.Record.Header.Provenance.Run {
			continue
		}
		if out = append(out, it); len(out) == evolve.MostCandidates {
			break
		}
	}
	return out, nil
}

// episodeTexts is what an episode says of what happened, and what was learned.
func episodeTexts(ep *store.Item) []string {
	p := pastOf(ep)
	return append([]string{p.Text, p.Outcome}, p.Lessons...)
}

// notMovedBy leaves out the beliefs of which a claim says already what the episode does.
func (e *Engine) notMovedBy(ctx context.Context, ep memory.Ref, beliefs []*store.Item) ([]*store.Item, error) {
	ids := make([]memory.ID, len(beliefs))
	for i, it := range beliefs {
		ids[i] = it.Ref.ID
	}
	moved := make(map[memory.ID]bool)
	assessed, err := speaking(ctx, e.store, ids, memory.KindAssess)
	if err != nil {
		return nil, err
	}
	for _, it := range assessed {
		if a, ok := it.Record.Body.(*memory.Assess); ok && slices.Contains(a.Because, ep) {
			moved[a.Of.ID] = true
		}
	}
	links, err := e.tying(ctx, ep.ID)
	if err != nil {
		return nil, err
	}
	for _, it := range links {
		l := it.Record.Body.(*memory.Link)
		moved[l.Source.ID], moved[l.Target.ID] = true, true
	}
	return slices.DeleteFunc(slices.Clone(beliefs), func(it *store.Item) bool { return moved[it.Ref.ID] }), nil
}

// tying gives the links, hidden ones too, that one of ids is an end of, each once.
func (e *Engine) tying(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := e.store.Edges(ctx, memory.Forward, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	seen := make(map[memory.ID]bool)
	var from []memory.ID
	for _, edge := range edges {
		if (edge.Rel == memory.LinkSource || edge.Rel == memory.LinkTarget) && !seen[edge.From] {
			seen[edge.From] = true
			from = append(from, edge.From)
		}
	}
	items, err := e.store.Get(ctx, from...)
	return slices.DeleteFunc(present(items), func(it *store.Item) bool {
		_, ok := it.Record.Body.(*memory.Link)
		return !ok
	}), sorted(err)
}

// moving is one episode and the beliefs it may move.
type moving struct {
	e        *Engine
	ep       *store.Item
	beliefs  []*store.Item
	compared []evolve.Memory // the episode, then the beliefs
	reply    *ReviseBeliefsReply
	model    string
}

// moves asks the model, or the rules where there is none or it does not answer.
func (m *moving) moves(ctx context.Context) ([]extract.Move, error) {
	if m.e.llm != nil {
		texts := make([]string, len(m.beliefs))
		for i, it := range m.beliefs {
			texts[i] = it.Record.Headline()
		}
		answer, err := m.e.ask(ctx, extract.AskRevise(pastOf(m.ep), texts, m.e.c.Seed))
		if err == nil {
			var moves []extract.Move
			if moves, err = extract.ReadRevise(answer.Text, len(texts)); err == nil {
				m.model = m.e.llm.Model()
				m.reply.By = m.model
				return moves, nil
			}
			m.e.failed(ctx, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.reply.Notes = append(m.reply.Notes, "compared by rules: "+oneLine(err))
	}
	var moves []extract.Move
	for i := range m.beliefs {
		if effect, reason := moveByRules(pastOf(m.ep), m.compared[0], m.compared[i+1]); effect != "" {
			moves = append(moves, extract.Move{Belief: i, Effect: effect, Step: ruleBeliefStep, Reason: reason})
		}
	}
	return moves, nil
}

// write stores a claim for each move, all or none, with the agent's key.
func (m *moving) write(ctx context.Context, moves []extract.Move) error {
	run, err := m.e.newRun("revise")
	if err != nil {
		return err
	}
	me, err := m.e.ownKeys()
	if err != nil {
		return err
	}
	who, err := m.e.standing(ctx)
	if err != nil {
		return err
	}
	var out outcome
	for _, move := range moves {
		it := m.beliefs[move.Belief]
		shown := BeliefMove{
			Belief: it.Ref.String(), Headline: it.Record.Headline(), Effect: move.Effect, Reason: move.Reason,
			Before: it.State.Confidence.Float(), After: it.State.Confidence.Float(),
		}
		step := min(int(move.Step), mostBeliefStep)
		switch {
		case move.Effect == challenges:
			err = m.challenge(&out, it, move)
		case step == 0:
			continue
		case m.compared[0].External:
			shown.WhyNot = "what came from outside, and nobody confirms, only challenges"
		case !memory.May(memory.Voice{Principal: me.principal}, it.Record, who):
			shown.WhyNot = "it is its owner's; a person says so with 'stemma verify' or 'stemma revise'"
		default:
			if move.Effect == weakens {
				step = -step
			}
			err = m.assess(&out, it, run, step, move.Reason)
		}
		if err != nil {
			return err
		}
		if shown.WhyNot == "" {
			shown.Claim = out.records[len(out.records)-1].Ref().String()
		}
		m.reply.Moves = append(m.reply.Moves, shown)
	}
	if len(out.records) == 0 {
		return nil
	}
	expect := []memory.ID{m.ep.Ref.ID}
	for _, move := range moves {
		expect = append(expect, m.beliefs[move.Belief].Ref.ID)
	}
	if err := m.e.append(ctx, store.Batch{Records: out.records, Expect: expect}); err != nil {
		return err
	}
	return m.after(ctx)
}

// assess moves a belief's confidence.
func (m *moving) assess(out *outcome, it *store.Item, run string, step int, reason string) error {
	r, err := m.e.sign(memory.Header{
		Origin: memory.OriginAgent, Space: it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Run: run, Context: memory.Cut("revise by "+m.reply.By, memory.MaxNameBytes)},
	}, &memory.Assess{Of: it.Ref, Step: step, Reason: reason, Because: []memory.Ref{m.ep.Ref}})
	if err == nil {
		out.records = append(out.records, r)
	}
	return err
}

// challenge opens a conflict between a belief and the episode, whichever is the older.
func (m *moving) challenge(out *outcome, it *store.Item, move extract.Move) error {
	rel := &evolve.Relation{Type: memory.Contradict, Confidence: 0.6, Reason: move.Reason, Detector: "revise by rules"}
	if m.model != "" {
		rel.Detector, rel.Model, rel.Prompt, rel.Seed = extract.ReviseVersion, memory.Cut(m.model, memory.MaxNameBytes), extract.ReviseVersion, m.e.c.Seed
	}
	old, new := it, m.ep
	if written(old) > written(new) {
		old, new = new, old
	}
	return m.e.relate(out, new, old, rel, memory.OriginAgent)
}

// after fills in the confidences as they are now.
func (m *moving) after(ctx context.Context) error {
	ids := make([]memory.ID, len(m.beliefs))
	for i, it := range m.beliefs {
		ids[i] = it.Ref.ID
	}
	items, err := m.e.store.Get(ctx, ids...)
	if err != nil {
		return sorted(err)
	}
	for _, it := range present(items) {
		for i := range m.reply.Moves {
			if m.reply.Moves[i].Belief == it.Ref.String() {
				m.reply.Moves[i].After = it.State.Confidence.Float()
			}
		}
	}
	return nil
}
