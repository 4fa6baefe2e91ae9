package mind

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// GoalStatus says that a goal is active, achieved, abandoned or paused.
func (e *Mind) GoalStatus(ctx context.Context, in api.GoalStatusRequest) (api.MarkReply, error) {
	if !slices.Contains(core.GoalStatuses, in.Status) {
		return api.MarkReply{}, core.Invalid(
			"status: must be one of %s, got %q", strings.Join(core.GoalStatuses, ", "), shorten.To(in.Status, 40),
		)
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindGoal)
	if err != nil {
		return api.MarkReply{}, err
	}
	if err := e.statusIsPersons(ctx, it); err != nil {
		return api.MarkReply{}, err
	}
	return e.say(
		ctx, it,
		remark{memory.Status, in.Status, in.Reason, "say what became of it", core.GoalStatus(&it.State) == in.Status},
	)
}

// statusIsPersons refuses an agent who would say what became of a goal that a person wrote or approved, or of
// which a person said so: a status takes it out of what is current, or brings it back.
func (e *Mind) statusIsPersons(ctx context.Context, it *store.Item) error {
	if e.C.Origin == memory.OriginOwner || it.Record == nil {
		return nil
	}
	const what = "say what became of it"
	why, err := e.standing.LeftToPerson(e.trust.Reading(ctx), it)
	if err != nil {
		return err
	}
	if why != "" {
		return e.standing.TakesOut(e.trust.Reading(ctx), it, what)
	}
	claims, err := e.standing.ClaimsOf(e.trust.Reading(ctx), it.Ref.ID)
	if err != nil {
		return err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	for _, c := range claims {
		if m, is := c.Body.(*memory.Mark); is && m.Verb == memory.Status && who.Voice(c).Owner {
			return &core.Failure{
				Kind: api.ErrForbidden,
				Text: "the owner decided about " + it.Ref.Short() + "; only a person can " + what + " now",
			}
		}
	}
	return nil
}

// GoalProgress says how far a goal is, in words or as a percentage.
func (e *Mind) GoalProgress(ctx context.Context, in api.GoalProgressRequest) (api.MarkReply, error) {
	p := strings.TrimSpace(in.Progress)
	if p == "" {
		return api.MarkReply{}, core.Invalid("progress: say how far it is, in words or as 40%%")
	}
	if digits, percent := strings.CutSuffix(p, "%"); percent {
		if n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil && !(n >= 0 && n <= 100) {
			return api.MarkReply{}, core.Invalid("progress: must be from 0%% to 100%%, got %s", shorten.To(p, 40))
		}
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindGoal)
	if err != nil {
		return api.MarkReply{}, err
	}
	return e.say(ctx, it, remark{memory.Progress, p, in.Reason, "say how far it is", it.State.Progress == p})
}

// resolveKind resolves a memory of one kind; a bare id is of that kind.
func (e *Mind) resolveKind(ctx context.Context, ref string, kind memory.Kind) (*store.Item, error) {
	if ref = strings.TrimSpace(ref); ref != "" && !strings.Contains(ref, ":") {
		ref = string(kind) + ":" + ref
	}
	it, err := e.Lookup(ctx, ref)
	if err == nil && it.Ref.Kind != kind {
		err = core.Invalid("%s is no %s", it.Ref.Short(), kind)
	}
	return it, err
}

// remark is a verb with its value, to be said of one memory.
type remark struct {
	verb, value, reason string
	what                string // that only they can do who may
	already             bool
}

// say marks a memory with a verb and a value, later than all earlier marks.
func (e *Mind) say(ctx context.Context, it *store.Item, s remark) (api.MarkReply, error) {
	if err := e.lifecycle.Mine(ctx, it, s.what); err != nil {
		return api.MarkReply{}, err
	}
	claim := ""
	if !s.already {
		at, err := e.lifecycle.AfterAll(
			ctx, it, func(b memory.Body) bool { m, ok := b.(*memory.Mark); return ok && m.Verb == s.verb },
		)
		if err != nil {
			return api.MarkReply{}, err
		}
		space, err := e.SpaceFor(ctx, it.Record)
		if err != nil {
			return api.MarkReply{}, err
		}
		r, err := e.Sign(memory.Header{
			Space: space, At: at, Confidence: memory.Certain, Provenance: memory.Provenance{
				Via: memory.ViaDirect, Context: s.verb,
			},
		}, &memory.Mark{Of: &it.Ref, Verb: s.verb, Value: s.value, Reason: s.reason})
		if err != nil {
			return api.MarkReply{}, err
		}
		if err := e.Append(ctx, store.Batch{Records: []*memory.Record{r}}); err != nil {
			return api.MarkReply{}, err
		}
		claim = r.Ref().String()
	}
	after, err := e.Store.Get(ctx, it.Ref.ID)
	if err != nil {
		return api.MarkReply{}, core.Classify(err)
	}
	m, err := e.views.View(e.trust.Reading(ctx), after[0])
	return api.MarkReply{Claim: claim, Memory: m}, err
}
