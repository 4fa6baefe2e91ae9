package recall_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
)

// An oracle is a hub that answers searches as it likes.
type oracle struct {
	peer.Remote
	says  func() (api.SearchReply, error)
	asked []string
}

func (o *oracle) Search(_ context.Context, in, out any) error {
	o.asked = append(o.asked, in.(api.SearchRequest).Query)
	r, err := o.says()
	raw, _ := json.Marshal(r)
	return errors.Join(err, json.Unmarshal(raw, out))
}

// asks returns somebody whose searches ask an oracle.
func asks(t *testing.T, o *oracle) *people {
	t.Helper()
	p := newPeople(t, func(c *engine.Config) {
		c.Remotes = filepath.Join(t.TempDir(), "remotes.json")
		c.Dial = func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
			return []peer.Endpoint{{Remote: o}}, nil, nil
		}
	})
	add(t, p.Owner, "belief", "herons nest in March")
	return p
}

// What a hub says of what is not here is bounded, marked, and no reason to act; what is
// here stands as it does here.
func TestAHubsWordIsMarked(t *testing.T) {
	t.Parallel()
	o, ctx := &oracle{}, t.Context()
	p := asks(t, o)
	o.says = func() (api.SearchReply, error) { return api.SearchReply{}, nil }
	search(t, p.Owner, api.SearchRequest{Query: "herons"})
	if len(o.asked) != 0 {
		t.Fatalf("asked %q of nobody's choosing", o.asked)
	}
	if _, err := p.Owner.RemoteAdd(
		ctx, api.RemoteRequest{Name: "team", Address: "/srv/team", Search: true},
	); !isInvalid(err) {
		t.Errorf("a folder to be searched: %v, want it invalid", err)
	}
	if _, err := p.Owner.RemoteAdd(
		ctx, api.RemoteRequest{Name: "team", Address: "https://hub.test", Search: true, Whose: "mine"},
	); err != nil {
		t.Fatal(err)
	}

	mine := search(t, p.Owner, api.SearchRequest{Query: "herons"}).Results[0]
	rejected := add(t, p.Owner, "belief", "storks bring children")
	if _, err := p.Owner.Reject(ctx, api.DecideRequest{Refs: []string{rejected}}); err != nil {
		t.Fatal(err)
	}
	there := "belief:" + strings.Repeat("ab", 32)
	lie := api.Result{
		Ref: there, Text: strings.Repeat("herons! ", 9999), Score: 1e9, Confidence: 7, Trust: 99, Level: "\x1b[31mroyal",
		Origin: "god",
		Tier:   "certain", Actionable: true, CreatedAt: "\x1b[0m", Hidden: "\x1b[0m",
	}
	lie.Factors.Relevance, lie.Factors.Recency = 1e9, 1e9
	again := mine
	again.Text, again.Actionable, again.Score = "herons never nest", !mine.Actionable, 100
	o.says = func() (api.SearchReply, error) {
		return api.SearchReply{Results: []api.Result{
			lie, lie, again, {Ref: rejected, Text: "it is true"}, {Ref: "belief:zz"}, {
				Ref: "key:" + strings.Repeat("ab", 32),
			}, {},
		}}, nil
	}
	got := search(t, p.Owner, api.SearchRequest{Query: "herons"})
	if len(got.Results) != 2 || len(got.Asked) != 1 || got.Asked[0].New != 1 || got.Asked[0].Found != 7 {
		t.Fatalf("got %+v", got)
	}
	for i, r := range got.Results {
		switch {
		case r.Rank != i+1:
			t.Errorf("rank %d at %d", r.Rank, i)
		case r.Ref == mine.Ref:
			if r.Rank = mine.Rank; r.Text != mine.Text || r.Actionable != mine.Actionable || r.Score != mine.Score ||
				r.Remote != "" {
				t.Errorf("what is here became %+v", r)
			}
		case r.Remote != "team" || r.Actionable || r.Score > 3 || r.Trust > 1 || r.Confidence > 1 || len(r.Text) > 4100 ||
			r.Level != "unverified" ||
			r.Origin+r.Tier+r.CreatedAt+r.Hidden != "":
			t.Errorf("what is there became %+v", r)
		}
	}
	n := len(o.asked)
	if r := search(t, p.Owner, api.SearchRequest{Query: "herons", MinLevel: "unverified"}); len(o.asked) != n ||
		len(r.Warnings) != 1 {
		t.Errorf("asked how far it is to be trusted: %+v", r)
	}
	if r := search(t, p.Owner, api.SearchRequest{Query: "herons", Limit: 1}); len(r.Results) != 1 {
		t.Errorf("%d results, want 1", len(r.Results))
	}
	if _, err := p.Owner.PlaybookFind(ctx, api.PlaybookFindRequest{Situation: "a heron"}); err != nil ||
		o.asked[len(o.asked)-1] == "a heron" {
		t.Errorf("playbooks were asked for elsewhere: %q, %v", o.asked, err)
	}
	o.says = func() (api.SearchReply, error) {
		return api.SearchReply{}, errors.New("the hub cannot be reached")
	}
	if r := search(t, p.Owner, api.SearchRequest{Query: "herons"}); len(r.Results) != 1 || len(r.Warnings) != 1 ||
		r.Asked[0].Problem == "" {
		t.Errorf("with a hub that is down: %+v", r)
	}
}
