package hub

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// Whoever was put out of a space, or lost his token, does not come back with the
// invitation that he once used: it is good again only for him who heard no answer.
func TestAnInvitationIsNoWayBack(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		for what, out := range map[string]func(did, token string) error{
			"put out": func(did, _ string) error { return p.store.RemoveMember(p.Context(), ann.home(), did) },
			"let less": func(did, _ string) error {
				return p.store.SetMember(
					p.Context(), store.Member{Space: ann.home(), Account: did, Role: store.Reader, Made: p.now},
				)
			},
			"revoked": func(_, token string) error { return p.store.RevokeToken(p.Context(), token, "", p.now) },
		} {
			bob := newPerson(p, "bob "+what)
			code := p.invitation(ann.home(), store.Keeper)
			if _, err := p.client("").Join(p.Context(), p.asks(bob, code)); err != nil {
				p.Fatal(err)
			}
			got, err := p.client("").Join(p.Context(), p.asks(bob, code)) // the answer was lost
			if err != nil {
				p.Fatal(err)
			}
			if err := out(bob.key.DID(), got.TokenID); err != nil {
				p.Fatal(err)
			}
			if back, err := p.client("").Join(p.Context(), p.asks(bob, code)); err == nil {
				p.Errorf("who was %s comes back as %s", what, back.Role)
			}
		}
	})
}

// What no one needs so much of is refused before it costs anything.
func TestTooMuchIsAsked(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		tags := strings.Split(strings.Repeat("work ", 100_000), " ")
		_, err := ann.Log(p.Context(), peer.LogRequest{Space: ann.home(), Limit: 10, Filter: peer.Filter{Tags: tags}})
		if peer.Code(err) != "request" {
			p.Errorf("a filter of %d tags gives %v", len(tags), err)
		}
		_, err = ann.Cosign(
			p.Context(),
			peer.CosignRequest{Space: ann.home(), Note: strings.Repeat("long\n", 100_000), Key: ann.key.DID()},
		)
		if peer.Code(err) != "request" || !strings.Contains(err.Error(), "bytes") {
			p.Errorf("a checkpoint of 500 kB gives %v", err)
		}
		// whoever has not joined is read no more than joining needs
		long := `{"name":"` + strings.Repeat("x", 4<<20) + `"}`
		proof := peer.NewRequestProof("hub.test", "POST", client.Base+"join", "", []byte(long), p.now)
		req := must[*http.Request](p)(http.NewRequest("POST", p.http.URL+client.Base+"join", strings.NewReader(long)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(peer.ProofHeader, must[string](p)(proof.Sign(p.machineKey())))
		r, err := http.DefaultClient.Do(req)
		if err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
			p.Errorf("a claim of 4 MB by a stranger gives %v, %v", r, err)
		}
		_ = r.Body.Close()
	})
}

// One account that sends slowly, many times at once, leaves room for the others.
func TestOneAccountDoesNotFillTheHub(t *testing.T) {
	everyHub(t, func(p *place) {
		ann, eve := p.joins("ann", "", ""), p.joins("eve", "", "")
		token := tokenOf(p, p, eve)
		var slow []*slowBody
		for range 2 * cap(p.server.room) {
			b := &slowBody{began: make(chan struct{}), end: make(chan struct{})}
			slow = append(slow, b)
			go func() {
				req, _ := http.NewRequestWithContext(p.Context(), http.MethodPost, p.http.URL+client.Base+"push", b)
				req.Header.Set("Authorization", "Bearer "+token)
				if r, err := http.DefaultClient.Do(req); err == nil {
					_ = r.Body.Close()
				}
			}()
			select {
			case <-b.began:
			case <-time.After(5 * time.Second):
				p.Fatal("a request did not begin")
			}
		}
		deadline := time.Now().Add(5 * time.Second)
		for len(p.server.room) == 0 && time.Now().Before(deadline) {
			_ = hello(p, ann)
		}
		if err := hello(p, ann); err != nil {
			p.Errorf("while somebody sends %d bodies slowly, another is told %v", len(slow), err)
		}
		for _, b := range slow {
			close(b.end)
		}
	})
}

func hello(p *place, who *person) error {
	_, err := who.Hello(p.Context(), peer.Hello{Version: peer.Version})
	return err
}

// slowBody is a body that begins and does not go on.
type slowBody struct {
	began, end chan struct{}
	said       bool
}

func (b *slowBody) Read(into []byte) (int, error) {
	if !b.said {
		b.said = true
		close(b.began)
		return copy(into, "{"), nil
	}
	<-b.end
	return copy(into, "}"), http.ErrBodyReadAfterClose
}
