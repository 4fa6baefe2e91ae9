package carrier

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// giver is a store that gives to a folder.
type giver struct {
	t    testing.TB
	key  *keys.Key
	self peer.Self
	made int
}

func newGiver(t testing.TB, name string) *giver {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	key, err := keys.FromSeed(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return &giver{
		t: t, key: key,
		self: peer.Self{Store: name, Key: key.DID(), Sign: func(o string) (note.Signer, error) { return key.NoteSigner(o) }},
	}
}

func (g *giver) space() string { return g.key.DID() + "/main" }

// line makes a record as it travels.
func (g *giver) line(b memory.Body) []byte {
	g.t.Helper()
	g.made++
	seed := sha256.Sum256(fmt.Append(nil, g.made))
	r, err := memory.New(memory.Header{
		Space: g.space(), Author: g.key.DID(), Origin: memory.OriginOwner, Confidence: memory.Certain / 2,
		At:         memory.At(time.Unix(int64(g.made), 0)),
		Provenance: memory.Provenance{Via: memory.ViaDirect}, Nonce: base64.RawURLEncoding.EncodeToString(seed[:16]),
	}, b)
	if err != nil {
		g.t.Fatal(err)
	}
	sig, err := g.key.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		g.t.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: g.key.DID(), Sig: sig}}
	line, err := envelope.Write(r)
	if err != nil {
		g.t.Fatal(err)
	}
	return line
}

// opens returns the part of a folder that is the giver's own, as one process sees it.
func (g *giver) opens(dir string) peer.Remote {
	g.t.Helper()
	ends, err := Folder(g.t.Context(), dir, g.self)
	if err != nil {
		g.t.Fatal(err)
	}
	return ends[0].Remote
}

func (g *giver) push(r peer.Remote, lines ...[]byte) error {
	in := peer.Push{Space: g.space()}
	for _, l := range lines {
		in.Lines = append(in.Lines, l)
	}
	_, err := r.Push(g.t.Context(), in)
	return err
}

// size returns how many records stand in the giver's log, for somebody else.
func (g *giver) size(dir string) (int, error) {
	g.t.Helper()
	ends, err := Folder(g.t.Context(), dir, newGiver(g.t, "ff").self)
	if err != nil || len(ends) < 2 {
		return 0, fmt.Errorf("%d peers: %w", len(ends), err)
	}
	page, err := ends[1].Log(g.t.Context(), peer.LogRequest{Space: g.space(), Limit: 100})
	if err == nil && int64(len(page.Entries)) != page.Head.Size {
		err = fmt.Errorf("%d of %d", len(page.Entries), page.Head.Size)
	}
	return len(page.Entries), err
}
