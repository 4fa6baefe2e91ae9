package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// A pusher is a person who only writes to a hub, and knows what the hub acknowledged.
type pusher struct {
	*testing.T
	key     *keys.Key
	c       *client.Client
	first   []peer.Line // the keys of the person
	acked   map[string][]memory.ID
	longest time.Duration // of one push
}

func (p *pusher) home() string { return p.key.DID() + "/main" }

// line signs a record.
func (p *pusher) line(space string, b memory.Body) peer.Line {
	p.Helper()
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce)
	r, err := memory.New(memory.Header{Space: space, Author: p.key.DID(), Origin: memory.OriginOwner,
		At: memory.At(time.Now()), Confidence: memory.Certain / 2, Provenance: memory.Provenance{Via: memory.ViaDirect},
		Nonce: base64.RawURLEncoding.EncodeToString(nonce)}, b)
	if err != nil {
		p.Fatal(err)
	}
	sig, err := p.key.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		p.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: p.key.DID(), Sig: sig}}
	text, err := envelope.Write(r)
	if err != nil {
		p.Fatal(err)
	}
	return text
}

// join redeems an invitation at a hub.
func (p *pusher) join(url, code string) {
	p.Helper()
	seed := make([]byte, 32)
	_, _ = rand.Read(seed)
	var err error
	if p.key, err = keys.FromSeed(seed); err != nil {
		p.Fatal(err)
	}
	p.first = []peer.Line{p.line(p.home(), &memory.Key{Op: memory.OpInception, Key: p.key.DID()})}
	c, err := client.New(url, client.Options{})
	if err != nil {
		p.Fatal(err)
	}
	defer c.Close()
	ch, err := c.Challenge(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	_, _ = rand.Read(seed)
	device, err := keys.FromSeed(seed)
	if err != nil {
		p.Fatal(err)
	}
	sig, err := peer.NewClaim(p.key.DID(), p.key.DID(), ch.Hub, ch.Challenge, code, device.DID()).Sign(p.key)
	if err != nil {
		p.Fatal(err)
	}
	j, err := client.New(url, client.Options{Binding: client.Binding{Key: device, Hub: ch.Hub}})
	if err != nil {
		p.Fatal(err)
	}
	defer j.Close()
	got, err := j.Join(p.Context(), client.Join{Account: p.key.DID(), Name: "pusher", Label: "test", Invitation: code,
		Challenge: ch.Challenge, Sig: sig})
	if err != nil {
		p.Fatal(err)
	}
	bound := client.Binding{Key: device, Hub: ch.Hub, Bound: true}
	told := client.Options{Token: got.Token, Binding: bound, Patience: 2 * time.Minute}
	if p.c, err = client.New(url, told); err != nil {
		p.Fatal(err)
	}
	if _, err := p.c.Hello(p.Context(), peer.Hello{Version: peer.Version}); err != nil {
		p.Fatal(err)
	}
}

// push adds lines to a space, and notes how long it took until the hub acknowledged them.
func (p *pusher) push(space string, lines []peer.Line) bool {
	began := time.Now()
	acks, err := p.c.Push(context.WithoutCancel(p.Context()), peer.Push{Space: space, Lines: lines})
	if err != nil || len(acks.Refused) > 0 {
		p.Errorf("push: %v, %+v", err, acks.Refused)
		return false
	}
	p.longest = max(p.longest, time.Since(began))
	p.acked[space] = append(append(p.acked[space], acks.Stored...), acks.Held...)
	return true
}
