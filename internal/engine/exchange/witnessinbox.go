package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// post opens the hub behind a remote as a messenger.
func (e *Exchange) post(ctx context.Context, name string) (api.Remote, peer.Post, func(), error) {
	return hubOf[peer.Post](ctx, e, name, "carries no messages: hand the request over as a file, with `out=FILE`")
}

// hubOf opens the hub behind a remote for something that only a hub does.
func hubOf[T any](
	ctx context.Context, e *Exchange, name, otherwise string,
) (r api.Remote, hub T, done func(), err error) {
	if r, err = e.remote(ctx, name); err != nil {
		return r, hub, nil, err
	}
	self, err := e.peerSelf(r.Store)
	if err != nil {
		return r, hub, nil, err
	}
	ends, hangUp, err := e.dial(ctx, r, self)
	if err != nil {
		return r, hub, nil, err
	}
	done = func() {
		if hangUp != nil {
			_ = hangUp() // all answers are in
		}
	}
	for _, end := range ends {
		if h, ok := end.Remote.(T); ok {
			return r, h, done, nil
		}
	}
	done()
	return r, hub, nil, core.Invalid("remote %s is no hub, and %s", r.Name, otherwise)
}

// carried classifies the error that kept a message from going through.
func carried(r api.Remote, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	kind := api.ErrUnavailable
	if peer.Code(err) != "" {
		kind = api.ErrForbidden
	}
	return &core.Failure{Kind: kind, Text: fmt.Sprintf("remote %s: %s", r.Name, core.OneLine(err))}
}

// askedNote is under which a store remembers that it asked: it takes in no answer to
// what it did not ask.
func askedNote(id string) string { return "asked." + id }

// postRequest returns a request to a hub. An agent may ask about what goes there
// anyway; to send anything else to somebody is for a person to say.
func (e *Exchange) postRequest(
	ctx context.Context, v *trust.Context, via string, about *memory.Record, q api.AskReply,
) (string, error) {
	if e.C.ReadOnly {
		return "", &core.Failure{Kind: api.ErrForbidden, Text: "the store is read-only"}
	}
	r, post, done, err := e.post(ctx, via)
	if err != nil {
		return "", err
	}
	defer done()
	chosen, err := e.choosing(ctx, &r)
	if err != nil {
		return "", err
	}
	if !chosen.has(about.Header.Space) || !remoteFilter(&r).Chooses(about) {
		if err := e.OwnerOnly("send what the remote does not exchange"); err != nil {
			return "", err
		}
	}
	until, err := core.ParseTime("expires", q.Expires)
	if err != nil {
		return "", err
	}
	s := e.First()
	if err := s.SwapNote(ctx, askedNote(q.Request), nil, []byte(q.Expires)); err != nil {
		return "", core.Classify(err)
	}
	l := store.Message{ID: q.Request, To: v.Ring.Principal(q.To), Body: []byte(q.Bundle), Expires: until.Time()}
	err = post.Send(ctx, l)
	if err != nil && l.To != q.To && ctx.Err() == nil { // an account is the key that joined
		l.To = q.To
		err = post.Send(ctx, l)
	}
	return r.Name, carried(r, err)
}

// WitnessRequests lists the requests that wait for the person at a hub. Nothing of
// them is kept.
func (e *Exchange) WitnessRequests(ctx context.Context, in api.LettersRequest) (api.LettersReply, error) {
	reply := api.LettersReply{Requests: []api.WaitingAsked{}}
	r, post, done, err := e.post(ctx, in.Via)
	if err != nil {
		return reply, err
	}
	defer done()
	reply.Remote = r.Name
	all, err := post.Inbox(ctx)
	for _, l := range all.Messages {
		if l.Re != "" {
			reply.Answers++
			continue
		}
		var full store.Message
		if full, err = post.Message(ctx, l.ID); err != nil {
			break
		}
		one := api.WaitingAsked{ID: l.ID, From: l.From}
		asked, err := e.answer(ctx, api.AnswerRequest{Bundle: string(full.Body)})
		switch {
		case err != nil:
			one.Problem = core.OneLine(err)
		case asked.Request != l.ID:
			one.Problem = "the message does not hold the request that it names"
		default:
			one.From, one.Name, one.Expires, one.Memory = asked.From, asked.Name, asked.Expires, &asked.Memory
		}
		reply.Requests = append(reply.Requests, one)
	}
	return reply, carried(r, err)
}

// answerMessage answers a request that waits at a hub, and sends the answer back. The message
// is dropped once the hub has the answer. Until then the same words give the same answer
// again.
func (e *Exchange) answerMessage(ctx context.Context, in api.AnswerRequest) (api.AnswerReply, error) {
	var reply api.AnswerReply
	if in.Letter == "" || in.Bundle != "" {
		return reply, core.Invalid("letter: with via, give the id of the request; `witness_requests` lists them")
	}
	r, post, done, err := e.post(ctx, in.Via)
	if err != nil {
		return reply, err
	}
	defer done()
	all, err := post.Inbox(ctx)
	if err != nil {
		return reply, carried(r, err)
	}
	mine := slices.DeleteFunc(
		all.Messages, func(l store.Message) bool { return l.Re != "" || !strings.HasPrefix(l.ID, in.Letter) },
	)
	switch {
	case len(mine) == 0:
		return reply, core.NotFound(
			"no request %s waits at %s; `witness_requests via=%s` lists them",
			shorten.To(in.Letter, 80), r.Name, r.Name,
		)
	case len(mine) > 1:
		return reply, &core.Failure{
			Kind: api.ErrAmbiguous,
			Text: fmt.Sprintf("%d requests at %s begin so; write more of the id", len(mine), r.Name),
		}
	}
	l, err := post.Message(ctx, mine[0].ID)
	if err != nil {
		return reply, carried(r, err)
	}
	in.Bundle = string(l.Body)
	if reply, err = e.answer(ctx, in); err != nil || reply.Claim == "" {
		return reply, err
	}
	if reply.Request != l.ID {
		return reply, core.Invalid("the message does not hold the request that it names")
	}
	ref, err := memory.ParseRef(reply.Claim)
	if err == nil {
		err = post.Send(ctx, store.Message{ID: ref.ID.String(), To: l.From, Re: l.ID, Body: []byte(reply.Bundle)})
	}
	if err == nil {
		err = post.Drop(ctx, l.ID)
	}
	if err != nil {
		return reply, fmt.Errorf("the answer is kept here and did not go out; answer again to send it: %w", carried(r, err))
	}
	return reply, nil
}

// takeAnswers takes in the answers that wait at a hub for what this store asked. One
// that is not what it should be is named and dropped.
func (e *Exchange) takeAnswers(ctx context.Context, post peer.Post, out *api.SyncPeer) error {
	all, err := post.Inbox(ctx)
	if err != nil {
		return peer.Away(err)
	}
	s := e.First()
	for _, l := range all.Messages {
		if l.Re == "" {
			out.Waiting++
			continue
		}
		asked, err := s.Note(ctx, askedNote(l.Re))
		if err != nil {
			return err
		}
		if asked == nil {
			continue // another store of this person asked, or nobody: the message expires by itself
		}
		full, err := post.Message(ctx, l.ID)
		if err != nil {
			return peer.Away(err)
		}
		claim, err := e.takeAnswer(ctx, l.Re, full.Body)
		switch {
		case errors.Is(err, api.ErrInvalid):
			out.Unfit = append(out.Unfit, api.SyncRefuse{ID: l.Re, Why: core.OneLine(err)})
		case err != nil:
			return err
		default:
			out.Answers = append(out.Answers, claim)
		}
		if err := post.Drop(ctx, l.ID); err != nil {
			return peer.Away(err)
		}
		if claim == "" {
			continue // the person who was asked may still answer
		}
		if err := s.SwapNote(ctx, askedNote(l.Re), asked, nil); err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return nil
}

// takeAnswer stores an answer: one witness about a memory that is here, and the keys behind
// it. A message that contains anything else is refused: others choose its text, but must not
// choose what is stored here.
func (e *Exchange) takeAnswer(ctx context.Context, id string, body []byte) (string, error) {
	var claim *memory.Record
	err := core.EachLine(ctx, bytes.NewReader(body), func(n int, raw []byte) error {
		r, err := core.ReadLine(raw)
		if err != nil {
			return core.BadLine(n, err)
		}
		switch b := r.Body.(type) {
		case *memory.Key:
			if b.Op != memory.OpIntroduce {
				return nil
			}
		case *memory.Witness:
			if claim == nil && b.Request == id {
				claim = r
				return nil
			}
		}
		return core.BadLine(n, core.Invalid("a %s has no place in an answer to this request", r.Header.Kind))
	})
	if err != nil {
		return "", err
	}
	if claim == nil {
		return "", core.Invalid("there is no answer in it")
	}
	items, err := e.Store.Get(ctx, claim.Body.(*memory.Witness).Of.ID)
	if err != nil {
		return "", core.Classify(err)
	}
	if items[0] == nil {
		return "", core.Invalid("it is about a memory that is not here")
	}
	_, err = e.intake.Import(ctx, bytes.NewReader(body), nil)
	return claim.Ref().String(), err
}
