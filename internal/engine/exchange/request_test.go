package exchange_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A request is answered once, by whom it asks, while it lasts, as it was signed.
func TestARequestIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	p, friend, third := newPeople(t), newPeople(t), newPeople(t)
	add(t, friend.Owner, "belief", "words of a friend")
	add(t, third.Owner, "belief", "words of a third")
	ref, ctx := add(t, p.Owner, "belief", "the weir holds"), t.Context()
	ask := func(expires string) api.AskReply {
		t.Helper()
		r, err := p.Owner.AskWitness(ctx, api.AskRequest{Ref: ref, To: friend.Principal(), Expires: expires})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	answer := func(e *engine.Engine, bundle, verdict string) (api.AnswerReply, error) {
		return e.AnswerWitness(ctx, api.AnswerRequest{Bundle: bundle, Attestation: verdict})
	}
	q := ask("")
	if r, err := answer(friend.Owner, q.Bundle, ""); err != nil || r.Claim != "" || r.Memory.Ref != ref {
		t.Errorf("looked at: %+v, %v, want the memory and no answer", r, err)
	}
	if _, err := answer(third.Owner, q.Bundle, "confirm"); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("answered by another: %v, want it forbidden", err)
	}
	if _, err := p.Owner.AskWitness(ctx, api.AskRequest{Ref: ref, To: p.Principal()}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("asked of oneself: %v, want a conflict", err)
	}
	if _, err := answer(friend.Owner, q.Bundle, "maybe"); !isInvalid(err) {
		t.Errorf("answered maybe: %v, want it invalid", err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(q.Bundle, "\n"), "\n")
	asks := lines[len(lines)-1]
	type request struct {
		Request struct {
			Payload     []byte
			PayloadType string
			Signatures  []struct {
				KeyID string
				Sig   []byte
			}
		}
	}
	var was request
	if err := json.Unmarshal([]byte(asks), &was); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(asks); i += 7 {
		b := []byte(asks)
		b[i] ^= 1
		var is request
		if json.Unmarshal(b, &is) == nil && reflect.DeepEqual(is, was) {
			continue // a spare bit of base64: the request is the same
		}
		torn := strings.Join(lines[:len(lines)-1], "") + string(b) + "\n"
		if r, err := answer(friend.Owner, torn, "confirm"); err == nil {
			t.Errorf("byte %d of the request changed: %+v", i, r)
		}
	}
	if _, err := answer(friend.Owner, q.Bundle+asks+"\n", "confirm"); !isInvalid(err) {
		t.Errorf("two requests: %v, want it invalid", err)
	}
	a, err := answer(friend.Owner, q.Bundle, "confirm")
	if err != nil || a.Claim == "" {
		t.Fatalf("answered: %+v, %v", a, err)
	}
	for _, verdict := range []string{"confirm", "dispute"} {
		if _, err := answer(friend.Owner, q.Bundle, verdict); !errors.Is(err, api.ErrConflict) {
			t.Errorf("answered again, %s: %v, want a conflict", verdict, err)
		}
	}
	if _, err := p.Owner.Introduce(ctx, api.IntroduceRequest{Key: friend.Principal(), Name: "a friend"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Import(ctx, bytes.NewReader([]byte(a.Bundle)), nil); err != nil {
		t.Fatal(err)
	}
	if tr := trustIn(t, p.Owner, ref); tr.Voices.Confirm != 1 || tr.Level != "attested" {
		t.Errorf("with the answer: %d confirm, %s", tr.Voices.Confirm, tr.Level)
	}
	late := ask("1h")
	friend.Ahead(2 * time.Hour)
	if _, err := answer(friend.Owner, late.Bundle, "confirm"); !errors.Is(err, api.ErrConflict) ||
		!strings.Contains(err.Error(), "expired") {
		t.Errorf("answered late: %v, want it expired", err)
	}
}

// Several can be asked at once: one file holds a request for each, and each answers
// their own. No one is asked if one of them cannot be, no one twice.
func TestSeveralAreAsked(t *testing.T) {
	t.Parallel()
	p, bob, carol, third := newPeople(t), newPeople(t), newPeople(t), newPeople(t)
	for _, other := range []*people{bob, carol, third} {
		add(t, other.Owner, "belief", "words of their own")
	}
	ref, ctx := add(t, p.Owner, "belief", "the weir holds"), t.Context()
	q, err := p.Owner.AskWitness(
		ctx, api.AskRequest{Ref: ref, To: bob.Principal(), Also: []string{carol.Principal(), bob.Principal()}},
	)
	if err != nil || len(q.Others) != 1 || q.To != bob.Principal() || q.Others[0].To != carol.Principal() ||
		q.Others[0].Request == q.Request {
		t.Fatalf("%+v, %v, want two requests", q, err)
	}
	for i, who := range []*people{bob, carol} {
		r, err := who.Owner.AnswerWitness(ctx, api.AnswerRequest{Bundle: q.Bundle, Attestation: "confirm"})
		if err != nil || r.Request != []string{q.Request, q.Others[0].Request}[i] || r.Claim == "" {
			t.Fatalf("%d: %+v, %v, want an answer to their own request", i, r, err)
		}
		if _, err := p.Owner.Import(ctx, strings.NewReader(r.Bundle), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := who.Owner.AnswerWitness(
			ctx, api.AnswerRequest{Bundle: q.Bundle, Attestation: "confirm"},
		); !errors.Is(err, api.ErrConflict) {
			t.Errorf("%d: answered twice: %v, want a conflict", i, err)
		}
	}
	shown, err := p.Owner.Show(ctx, api.RefRequest{Ref: ref})
	if err != nil || len(shown.Claims) != 2 {
		t.Errorf("%+v, %v, want two witnesses", shown.Claims, err)
	}
	if _, err := third.Owner.AnswerWitness(ctx, api.AnswerRequest{Bundle: q.Bundle}); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("answered by a third: %v, want it forbidden", err)
	}
	for _, also := range []string{p.Principal(), "nobody"} {
		if r, err := p.Owner.AskWitness(
			ctx, api.AskRequest{Ref: ref, To: bob.Principal(), Also: []string{also}},
		); err == nil || r.Bundle != "" {
			t.Errorf("asked with %s: %+v, %v, want an error", also, r, err)
		}
	}
}
