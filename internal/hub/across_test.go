package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Somebody who knows the names and ids of another's records tries every way in. What
// is another's answers in every word as what is not there.
func TestNothingOfAnotherIsSeen(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann, eve := p.joins("ann", "", ""), p.joins("eve", "", "")
		var theirs []*memory.Record
		for i := range 20 {
			theirs = append(theirs, ann.believes(p, ann.home(), fmt.Sprint("herons fish at dawn ", i)))
		}
		ann.mustSync(p)
		bob := p.joins("bob", ann.home(), store.Reader)
		if err := ann.Send(ctx, store.Message{ID: "letter", To: bob.key.DID(), Body: []byte("for bob")}); err != nil {
			p.Fatal(err)
		}
		eve.believes(p, eve.home(), "mine")
		eve.mustSync(p)

		absent := newKey(p, "nobody").DID() + "/main"
		ghost := memory.ID{1, 2, 3}
		tried, shown, wrote := 0, 0, 0
		var took [2]time.Duration // where it is another's, where it is not there
		both := func(what string, try func(space string, id memory.ID) (any, error)) {
			p.Helper()
			id := theirs[tried%len(theirs)].ID
			began := time.Now()
			got, err := try(ann.home(), id)
			middle := time.Now()
			_, none := try(absent, ghost)
			took[0], took[1] = took[0]+middle.Sub(began), took[1]+time.Since(middle)
			tried++
			text, _ := json.Marshal(got)
			if err == nil && strings.Contains(string(text), "heron") || strings.Contains(fmt.Sprint(err), "heron") ||
				strings.Contains(fmt.Sprint(err), ann.home()) {
				shown++
				p.Errorf("%s shows %s, %v", what, text, err)
			}
			if fmt.Sprint(err) != fmt.Sprint(none) {
				p.Errorf("%s of another's gives %v, of what is not there %v: want the same words", what, err, none)
			}
		}
		forged := eve.make(p, ann.home(), &memory.Belief{Statement: "put in by eve"})
		ids := func(id memory.ID) []memory.ID { return []memory.ID{id} }
		for who, c := range map[string]*person{"eve": eve, "bob, who only reads,": bob} {
			reads := c == bob
			for n := range 24 {
				ways := map[string]func(space string, id memory.ID) (any, error){
					"offer": func(s string, id memory.ID) (any, error) { return c.Offer(ctx, peer.Offer{Space: s, IDs: ids(id)}) },
					"push": func(s string, _ memory.ID) (any, error) {
						return c.Push(ctx, peer.Push{Space: s, Lines: []peer.Line{line(p, forged)}})
					},
					"cosign": func(s string, _ memory.ID) (any, error) {
						return c.Cosign(ctx, peer.CosignRequest{Space: s, Key: c.key.DID(), Note: "x"})
					},
				}
				if !reads {
					ways["invite"] = func(s string, _ memory.ID) (any, error) {
						return c.Invite(ctx, peer.Invite{Space: s, Role: store.Reader})
					}
					ways["uninvite"] = func(s string, _ memory.ID) (any, error) {
						return c.Uninvite(
							ctx, peer.Uninvite{Space: s, ID: "open"},
						)
					}
					ways["members"] = func(s string, _ memory.ID) (any, error) { return c.Members(ctx, peer.MembersRequest{Space: s}) }
					ways["put out"] = func(s string, _ memory.ID) (any, error) {
						return c.SetMember(ctx, peer.Placing{Space: s, Account: bob.key.DID()})
					}
					ways["log"] = func(s string, _ memory.ID) (any, error) {
						return c.Log(ctx, peer.LogRequest{Space: s, After: int64(n), Limit: 10})
					}
					ways["fetch"] = func(s string, id memory.ID) (any, error) {
						return c.Fetch(
							ctx, peer.Fetch{Space: s, IDs: ids(id)},
						)
					}
					ways["fetch through her own space"] = func(_ string, id memory.ID) (any, error) {
						return c.Fetch(ctx, peer.Fetch{Space: c.home(), IDs: ids(id)})
					}
					ways["offer through her own space"] = func(_ string, id memory.ID) (any, error) {
						got, err := c.Offer(ctx, peer.Offer{Space: c.home(), IDs: ids(id)})
						if err == nil && !slices.Equal(got.IDs, ids(id)) {
							p.Errorf("offer tells that a record of another is held: %v", got.IDs)
						}
						return nil, err
					}
					ways["keys"] = func(s string, _ memory.ID) (any, error) { return c.Keys(ctx, peer.KeysRequest{Space: s}) }
					ways["purged"] = func(s string, id memory.ID) (any, error) {
						return c.Purged(ctx, peer.PurgedRequest{Space: s, Purges: []peer.Purging{{ID: id, Marks: ids(id)}}})
					}
					ways["prove"] = func(s string, _ memory.ID) (any, error) {
						return c.Prove(ctx, peer.ProveRequest{Space: s, Old: 1, Size: 2})
					}
					ways["letter"] = func(s string, _ memory.ID) (any, error) {
						return c.Message(ctx, map[bool]string{true: "letter", false: "none"}[s == ann.home()])
					}
					ways["drop"] = func(s string, _ memory.ID) (any, error) {
						return nil, c.Drop(ctx, map[bool]string{true: "letter", false: "none"}[s == ann.home()])
					}
					ways["search"] = func(_ string, id memory.ID) (any, error) {
						var out api.SearchReply
						err := c.Search(ctx, api.SearchRequest{Query: "heron dawn fish", All: true}, &out)
						return out.Results, err
					}
					ways["hello"] = func(string, memory.ID) (any, error) {
						w, err := c.Hello(ctx, peer.Hello{Version: peer.Version, Store: "store-of-ann"})
						for _, s := range w.Spaces {
							if s.Space != c.home() || s.Cosigned > 0 {
								p.Errorf("hello shows %+v", s)
							}
						}
						return nil, err
					}
				}
				for what, try := range ways {
					both(who+" "+what, try)
				}
			}
		}
		totals, err := p.store.Totals(ctx)
		if err != nil {
			p.Fatal(err)
		}
		for _, s := range totals {
			if s.Name == absent || s.Name == ann.home() && s.Last != 21 || s.Name == eve.home() && s.Last != 2 {
				wrote++
				p.Errorf("the hub has a log %s of %d", s.Name, s.Last)
			}
		}
		if all, err := bob.Inbox(context.WithoutCancel(ctx)); err != nil || len(all.Messages) != 1 {
			p.Errorf("bob's letters are %v, %v, want the one", all, err)
		}
		p.Logf("%d attempts, %d answers with something of another, %d writes; another's took %v, what is not there %v "+
			"on average",
			tried, shown, wrote, (took[0] / time.Duration(tried)).Round(time.Microsecond),
			(took[1] / time.Duration(tried)).Round(time.Microsecond))
	})
}
