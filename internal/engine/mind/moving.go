package mind

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// moving is one episode and the beliefs it may move.
type moving struct {
	e        *Mind
	ep       *store.Item
	beliefs  []*store.Item
	compared []evolve.Memory // the episode, then the beliefs
	reply    *api.ReviseBeliefsReply
	model    string
}

// moves asks the model, or the rules if there is no model or it does not answer.
func (m *moving) moves(ctx context.Context) ([]extract.Move, error) {
	if m.e.LLM != nil {
		texts := make([]string, len(m.beliefs))
		for i, it := range m.beliefs {
			texts[i] = it.Record.Headline()
		}
		answer, err := m.e.lifecycle.Ask(ctx, extract.AskRevise(pastOf(m.ep), texts, m.e.C.Seed))
		if err == nil {
			var moves []extract.Move
			if moves, err = extract.ReadRevise(answer.Text, len(texts)); err == nil {
				m.model = m.e.LLM.Model()
				m.reply.By = m.model
				return moves, nil
			}
			m.e.lifecycle.Failed(ctx, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.reply.Notes = append(m.reply.Notes, "compared by rules: "+core.OneLine(err))
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
	run, err := m.e.lifecycle.NewRun("revise")
	if err != nil {
		return err
	}
	me, err := m.e.OwnKeys()
	if err != nil {
		return err
	}
	who, err := m.e.Keyring(ctx)
	if err != nil {
		return err
	}
	var out lifecycle.Outcome
	for _, move := range moves {
		it := m.beliefs[move.Belief]
		shown := api.BeliefMove{
			Belief: it.Ref.String(), Headline: it.Record.Headline(), Effect: move.Effect, Reason: move.Reason,
			ConfidenceBefore: it.State.Confidence.Float(), Confidence: it.State.Confidence.Float(),
		}
		step := min(int(move.Step), mostBeliefStep)
		switch {
		case move.Effect == challenges:
			err = m.challenge(ctx, &out, it, move)
		case step == 0:
			continue
		case m.compared[0].External:
			shown.NotWritten = "an unconfirmed external memory can only challenge"
		case !state.May(state.Voice{Principal: me.Principal}, it.Record, who):
			shown.NotWritten = "it is its owner's; a person says so with `verify` or `revise`"
		default:
			if move.Effect == weakens {
				step = -step
			}
			err = m.assess(&out, it, run, step, move.Reason)
		}
		if err != nil {
			return err
		}
		if shown.NotWritten == "" {
			shown.Claim = out.Records[len(out.Records)-1].Ref().String()
		}
		m.reply.Moves = append(m.reply.Moves, shown)
	}
	if len(out.Records) == 0 {
		return nil
	}
	expect := []memory.ID{m.ep.Ref.ID}
	for _, move := range moves {
		expect = append(expect, m.beliefs[move.Belief].Ref.ID)
	}
	if err := m.e.Append(ctx, store.Batch{Records: out.Records, Expect: expect}); err != nil {
		return err
	}
	return m.after(ctx)
}

// assess moves a belief's confidence.
func (m *moving) assess(out *lifecycle.Outcome, it *store.Item, run string, step int, reason string) error {
	r, err := m.e.Sign(memory.Header{
		Origin: memory.OriginAgent, Space: it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{
			Via: memory.ViaDirect, Run: run, Context: shorten.To("revise by "+m.reply.By, memory.MaxNameBytes),
		},
	}, &memory.Assess{Of: it.Ref, Step: step, Reason: reason, Because: []memory.Ref{m.ep.Ref}})
	if err == nil {
		out.Records = append(out.Records, r)
	}
	return err
}

// challenge opens a conflict between a belief and the episode, whichever is the older.
func (m *moving) challenge(ctx context.Context, out *lifecycle.Outcome, it *store.Item, move extract.Move) error {
	rel := &evolve.Relation{Type: memory.Contradict, Confidence: 0.6, Reason: move.Reason, Detector: "revise by rules"}
	if m.model != "" {
		rel.Detector, rel.Model, rel.Prompt, rel.Seed = extract.ReviseVersion, shorten.To(
			m.model, memory.MaxNameBytes,
		), extract.ReviseVersion, m.e.C.Seed
	}
	old, new := it, m.ep
	if lifecycle.Written(old) > lifecycle.Written(new) {
		old, new = new, old
	}
	return m.e.lifecycle.Relate(ctx, out, new, old, rel, memory.OriginAgent)
}

// after fills in the confidences as they are now.
func (m *moving) after(ctx context.Context) error {
	ids := make([]memory.ID, len(m.beliefs))
	for i, it := range m.beliefs {
		ids[i] = it.Ref.ID
	}
	items, err := m.e.Store.Get(ctx, ids...)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range core.Present(items) {
		for i := range m.reply.Moves {
			if m.reply.Moves[i].Belief == it.Ref.String() {
				m.reply.Moves[i].Confidence = it.State.Confidence.Float()
			}
		}
	}
	return nil
}
