package exchange_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// A mailbox is the part of a hub that carries messages, shared by everybody.
type mailbox struct {
	sync.Mutex
	messages map[string]store.Message
	down     bool
}

// box is what one account sees of it.
type box struct {
	peer.Remote
	*mailbox
	account string
}

var errBoxDown = errors.New("the box cannot be reached")

func (b *box) Send(_ context.Context, l store.Message) error {
	b.Lock()
	defer b.Unlock()
	if b.down && l.Re != "" {
		return errBoxDown
	}
	l.From = b.account
	b.messages[l.ID] = l
	return nil
}

func (b *box) Inbox(context.Context) (out peer.Inbox, err error) {
	b.Lock()
	defer b.Unlock()
	for _, id := range slices.Sorted(maps.Keys(b.messages)) {
		if l := b.messages[id]; l.To == b.account {
			l.Body = nil
			out.Messages = append(out.Messages, l)
		}
	}
	return out, nil
}

func (b *box) Message(_ context.Context, id string) (store.Message, error) {
	b.Lock()
	defer b.Unlock()
	return b.messages[id], nil
}

func (b *box) Drop(_ context.Context, id string) error {
	b.Lock()
	defer b.Unlock()
	delete(b.messages, id)
	return nil
}

// posted returns somebody with a remote "team" that carries messages.
func posted(t *testing.T, m *mailbox) *people {
	t.Helper()
	hub := newPeople(t)
	add(t, hub.Owner, "belief", "words of a hub")
	account := ""
	p := newPeople(t, func(c *engine.Config) {
		c.Remotes = filepath.Join(t.TempDir(), "remotes.json")
		c.Dial = func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
			remote, err := hub.Owner.Hub()
			return []peer.Endpoint{
				{Remote: &box{Remote: remote, mailbox: m, account: account}, Gives: true, Takes: true},
			}, nil, err
		}
	})
	add(t, p.Owner, "belief", "words of one's own")
	account = p.Principal()
	if _, err := p.Owner.RemoteAdd(t.Context(), api.RemoteRequest{
		Name: "team", Address: "https://hub.test", Whose: "mine", Raw: new(bool),
	}); err != nil {
		t.Fatal(err)
	}
	return p
}

// takes syncs and returns what came of the messages.
func takes(t *testing.T, e *engine.Engine) api.SyncPeer {
	t.Helper()
	r, err := e.Sync(t.Context(), api.SyncRequest{Pull: true})
	if err != nil || r.Failed > 0 {
		t.Fatalf("sync: %+v, %v", r, err)
	}
	return r.Peers[0]
}

// Of what a hub brings as an answer only the answer to what was asked is taken in,
// whole and once; the rest is named and changes nothing.
func TestOnlyAnAnswerIsTakenFromAMessage(t *testing.T) {
	t.Parallel()
	m, ctx := &mailbox{messages: make(map[string]store.Message)}, t.Context()
	p, friend := posted(t, m), posted(t, m)
	if _, err := p.Owner.Introduce(ctx, api.IntroduceRequest{Key: friend.Principal(), Name: "friend"}); err != nil {
		t.Fatal(err)
	}
	ref := add(t, p.Owner, "belief", "the weir holds")
	q, err := p.Owner.AskWitness(ctx, api.AskRequest{Ref: ref, To: "friend", Via: "team"})
	if err != nil {
		t.Fatal(err)
	}
	if w, err := friend.Agent.WitnessRequests(ctx, api.LettersRequest{}); err != nil || len(w.Requests) != 1 ||
		w.Requests[0].Memory == nil || w.Requests[0].Memory.Ref != ref {
		t.Fatalf("waiting: %+v, %v", w, err)
	}

	// an answer that was kept and did not go out goes out when it is given again
	answer := func(verdict string) (api.AnswerReply, error) {
		return friend.Owner.AnswerWitness(ctx, api.AnswerRequest{Letter: q.Request[:8], Via: "team", Attestation: verdict})
	}
	m.down = true
	if _, err := answer("confirm"); !errors.Is(err, api.ErrUnavailable) {
		t.Errorf("answered while the hub was down: %v, want it unavailable", err)
	}
	m.down = false
	if _, err := answer("dispute"); !errors.Is(err, api.ErrConflict) {
		t.Errorf("answered again in other words: %v, want a conflict", err)
	}
	a, err := answer("confirm")
	if err != nil || len(m.messages) != 1 {
		t.Fatalf("answered again: %v, %d letters, want the answer alone", err, len(m.messages))
	}

	id := ""
	for id = range m.messages {
	}
	good := m.messages[id]
	foreign := add(t, friend.Owner, "belief", "kept by a stranger")
	other, err := friend.Owner.AskWitness(ctx, api.AskRequest{Ref: foreign, To: p.Principal()})
	if err != nil {
		t.Fatal(err)
	}
	records := strings.SplitAfter(other.Bundle, "\n")
	lines := strings.SplitAfter(string(good.Body), "\n")
	for what, body := range map[string]string{
		"a belief beside it": string(good.Body) + records[len(records)-3],
		"only keys":          strings.Join(lines[:len(lines)-2], ""),
		"the answer twice":   string(good.Body) + lines[len(lines)-2],
		"a request":          other.Bundle,
		"no line":            "words",
		"nothing":            "",
		"a forged answer":    strings.Replace(string(good.Body), `"sig":"`, `"sig":"AAAA`, 1),
	} {
		l := good
		l.Body = []byte(body)
		m.messages = map[string]store.Message{id: l}
		if got := takes(t, p.Owner); len(got.Answers) != 0 || len(got.Unfit) != 1 {
			t.Errorf("%s: %+v, want it named and not taken", what, got)
		}
		if tr := trustIn(t, p.Owner, ref); len(tr.Witnesses) != 0 {
			t.Errorf("%s: a witness was taken from it", what)
		}
		if _, err := p.Owner.Show(ctx, api.RefRequest{Ref: foreign}); !errors.Is(err, api.ErrNotFound) {
			t.Errorf("%s: a belief was taken from it", what)
		}
	}
	unasked := good
	unasked.Re = strings.Repeat("0", 64)
	m.messages = map[string]store.Message{id: unasked}
	if got := takes(t, p.Owner); len(got.Answers) != 0 || len(m.messages) != 1 {
		t.Errorf("an answer to what was not asked: %+v, want it left alone", got)
	}

	for range 2 {
		m.messages = map[string]store.Message{id: good}
		got := takes(t, p.Owner)
		if tr := trustIn(t, p.Owner, ref); tr.Voices.Confirm != 1 || tr.Level != "attested" {
			t.Errorf("with the answer, %+v: %d confirm, %s", got, tr.Voices.Confirm, tr.Level)
		}
	}
	if a.Claim != trustIn(t, p.Owner, ref).Witnesses[0].Ref {
		t.Errorf("the witness is not what was answered")
	}
}

// What a remote does not exchange, no agent sends to somebody.
func TestAnAgentAsksAboutWhatTravelsAnyway(t *testing.T) {
	t.Parallel()
	m, ctx := &mailbox{messages: make(map[string]store.Message)}, t.Context()
	p, friend := posted(t, m), posted(t, m)
	raw, err := p.Agent.Capture(ctx, api.CaptureRequest{Text: "said at home"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Agent.AskWitness(
		ctx, api.AskRequest{Ref: raw.Ref, To: friend.Principal(), Via: "team"},
	); !errors.Is(err, api.ErrForbidden) || len(m.messages) != 0 {
		t.Errorf("a raw, asked about by an agent: %v, %d letters sent, want it forbidden", err, len(m.messages))
	}
	if _, err := p.Owner.AskWitness(
		ctx, api.AskRequest{Ref: raw.Ref, To: friend.Principal(), Via: "team"},
	); err != nil || len(m.messages) != 1 {
		t.Errorf("a raw, asked about by its owner: %v, %d letters sent", err, len(m.messages))
	}
	ref := add(t, p.Agent, "belief", "the weir holds")
	if _, err := p.Agent.AskWitness(ctx, api.AskRequest{Ref: ref, To: friend.Principal(), Via: "team"}); err != nil ||
		len(m.messages) != 2 {
		t.Errorf("a belief, asked about by an agent: %v, %d letters sent", err, len(m.messages))
	}
}
