package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/importers"
)

// answer is a reply as it is compared: without the receipt, under which it can be looked up.
func answer(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// grown is a store at random: what two people and their agents said, was imported, made of that, approved, rejected,
// replaced and shared.
func grown(t *testing.T, r *rand.Rand) *enginetest.People {
	p := enginetest.NewPeople(t)
	ctx := t.Context()
	text := func() string {
		topic := enginetest.ShopTopics[r.IntN(len(enginetest.ShopTopics))]
		return fmt.Sprintf("The %s is %d", topic, 100*(1+r.IntN(3)))
	}
	var refs []string
	one := func() string { return refs[r.IntN(len(refs))] }
	keep := func(ref string, err error) {
		if err == nil && ref != "" {
			refs = append(refs, ref)
		}
	}
	for n := range 25 {
		who := []*engine.Engine{p.Owner, p.Agent}[r.IntN(2)]
		what := r.IntN(9)
		if len(refs) == 0 {
			what = 0
		}
		switch what {
		case 0, 1:
			c, err := who.Capture(ctx, api.CaptureRequest{
				Text: text(), Speaker: []string{"Ada", "Bob", "Cyd"}[r.IntN(3)], Source: []string{"cli", "wiki"}[r.IntN(2)],
				Meta: api.Meta{Session: fmt.Sprint("s", r.IntN(3))},
			})
			keep(c.Ref, err)
		case 2, 3:
			m, err := who.Remember(ctx, api.RememberRequest{Text: text(), Wait: true})
			keep(m.Ref, err)
		case 4, 5:
			from := []string{one(), one()}
			c, err := who.Consolidate(ctx, api.ConsolidateRequest{
				From: from, Draft: api.Draft{Text: fmt.Sprintf("%s, as %d says", text(), n)},
			})
			keep(c.Ref, err)
		case 6:
			_, _ = p.Owner.Approve(ctx, api.DecideRequest{Refs: []string{one()}})
		case 7:
			c, err := who.Revise(ctx, api.ReviseRequest{Ref: one(), Draft: api.Draft{Text: text()}})
			keep(c.Ref, err)
		case 8:
			_, _ = p.Owner.Reject(ctx, api.DecideRequest{Refs: []string{one()}})
		}
	}
	return p
}

// What would be without a source is what is once it is quarantined, and asking changes nothing.
func TestWithoutIsAsQuarantined(t *testing.T) {
	t.Parallel()
	stores := 20
	if os.Getenv("STEMMA_LONG") != "" {
		stores = 200
	}
	differed := 0
	for seed := range stores {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			ctx := t.Context()
			r := rand.New(rand.NewPCG(uint64(seed), 41))
			p := grown(t, r)
			list, err := p.Owner.List(ctx, api.ListRequest{Limit: -1, All: true})
			if err != nil || len(list.Memories) == 0 {
				t.Fatalf("%d memories, %v", len(list.Memories), err)
			}
			ref := list.Memories[r.IntN(len(list.Memories))].Ref
			target := ref
			switch r.IntN(4) {
			case 0:
				target = "source:" + []string{"Ada", "Bob", "wiki", "s1"}[r.IntN(4)]
			case 1:
				target = "author:" + p.Owner.C.Agent
				if target == "author:" {
					target = "source:Cyd"
				}
			}
			who := []*engine.Engine{p.Owner, p.Agent}[r.IntN(2)]
			if _, err := who.Recall(ctx, api.RecallRequest{Without: []string{target}}); errors.Is(err, api.ErrNotFound) {
				target = ref // nothing is from that source
			}
			questions := append([]string{""}, enginetest.ShopTopics...)
			before := enginetest.Records(t, p.Owner)
			then, whys := make(map[string]string), make(map[string]string)
			for _, q := range questions {
				got, err := who.Recall(ctx, api.RecallRequest{Query: q, Without: []string{target}})
				if err != nil {
					t.Fatal(err)
				}
				got.Without.Answer.Receipt = ""
				then[q] = answer(t, got.Without.Answer)
				if len(got.Without.Differs) > 0 {
					differed++
				}
			}
			for _, m := range list.Memories {
				got, err := who.Why(ctx, api.WhyRequest{Ref: m.Ref, Without: []string{target}})
				if err != nil {
					t.Fatal(err)
				}
				whys[m.Ref] = answer(t, got.Without.Answer)
			}
			if n := enginetest.Records(t, p.Owner); n != before {
				t.Fatalf("asking wrote %d records", n-before)
			}
			if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: target}); err != nil &&
				!errors.Is(err, api.ErrConflict) {
				t.Fatal(err)
			}
			for _, q := range questions {
				got, err := who.Recall(ctx, api.RecallRequest{Query: q})
				if err != nil {
					t.Fatal(err)
				}
				got.Receipt = ""
				if now := answer(t, got); now != then[q] {
					t.Errorf("%q without %s: %s\nonce it is quarantined: %s", q, target, then[q], now)
				}
			}
			for ref, then := range whys {
				got, err := who.Why(ctx, api.WhyRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				if now := undecided(answer(t, got)); now != undecided(then) {
					t.Errorf("why %s without %s: %s\nonce it is quarantined: %s", ref, target, then, now)
				}
			}
		})
	}
	if differed == 0 {
		t.Error("no answer differed from today's: the test asks nothing")
	}
}

// undecided takes out what a quarantine itself is: a decision with a ref and a time of its own.
func undecided(s string) string {
	var out []string
	skip := 0
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, ` "decisions": [`) {
			skip = 1
		}
		if skip == 0 {
			out = append(out, line)
		} else if line == " ]," || line == " ]" {
			skip = 0
		}
	}
	return strings.Join(out, "\n")
}

func TestWithoutRefuses(t *testing.T) {
	t.Parallel()
	p := enginetest.NewPeople(t)
	ctx := t.Context()
	for _, said := range []string{"The weir holds", "The weir leaks"} {
		if _, err := p.Owner.Capture(ctx, api.CaptureRequest{Text: said, Speaker: "Ada"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		in   api.RecallRequest
		kind error
		says string
	}{
		{api.RecallRequest{Query: "weir", Without: []string{"nothing"}}, api.ErrNotFound, "nothing here is nothing"},
		{api.RecallRequest{Query: "weir", Without: []string{" "}}, api.ErrInvalid, "name a record"},
		{api.RecallRequest{Query: "weir", Without: []string{"source:"}}, api.ErrInvalid, "after the colon"},
		{api.RecallRequest{Query: "weir", Without: []string{"Ada"}, AsOf: "2026-01-01"}, api.ErrInvalid, "as of a time"},
	} {
		if _, err := p.Agent.Recall(ctx, tt.in); !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v, want %v that says %q", tt.in, err, tt.kind, tt.says)
		}
	}
	got, err := p.Agent.Recall(ctx, api.RecallRequest{Query: "weir", Without: []string{"Ada", "source:Ada"}})
	if err != nil || len(got.Without.Targets) != 1 || got.Without.Hidden != 2 || len(got.Without.Answer.Results) != 0 ||
		len(got.Results) != 2 || len(got.Without.Differs) != 2 {
		t.Errorf("without what Ada said: %+v, %v", got.Without, err)
	}
	if _, err := p.Agent.Quarantine(ctx, api.QuarantineRequest{Target: "source:Ada"}); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent may ask, and quarantines nothing: %v", err)
	}
}

// An answer is without at most so many records: while it is made, others who write wait.
func TestWithoutTooMuch(t *testing.T) {
	t.Parallel()
	p, ctx := enginetest.NewPeople(t), t.Context()
	const many = 20_001
	var lines strings.Builder
	for i := range many {
		fmt.Fprintf(&lines, `{"id":"%d","text":"weir %d is open"}`+"\n", i, i)
	}
	seq, err := importers.JSONL(strings.NewReader(lines.String()), "page")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Ingest(ctx, seq, nil); err != nil {
		t.Fatal(err)
	}
	ask := api.RecallRequest{Query: "weir 7", Without: []string{"source:jsonl:page"}}
	if _, err = p.Agent.Recall(ctx, ask); !errors.Is(err, api.ErrInvalid) ||
		!strings.Contains(err.Error(), "more than 20000 records rest on it alone") {
		t.Errorf("without all of it: %v", err)
	}
	all, err := p.Agent.List(ctx, api.ListRequest{Kind: "raw", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	ask.Without = []string{all.Memories[0].Ref}
	if r, err := p.Agent.Recall(ctx, ask); err != nil || r.Without.Hidden != 1 {
		t.Errorf("without one of it: %+v, %v", r.Without, err)
	}
}
