package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// said is what a reading says of how a memory stands. What a reading does not say at
// all is left out of the comparison.
type said struct {
	tier, review, level, hidden, doubt  string
	actionable, disputed, external      bool
	confidence                          float64
	noReview, noLevel, noHidden, noSure bool // the reading does not say it
}

// differs names what two readings say differently of one memory.
func (s said) differs(o said) string {
	switch {
	case s.tier != o.tier:
		return fmt.Sprintf("tier %q and %q", s.tier, o.tier)
	case !s.noReview && !o.noReview && s.review != o.review:
		return fmt.Sprintf("review %q and %q", s.review, o.review)
	case !s.noHidden && !o.noHidden && s.hidden != o.hidden:
		return fmt.Sprintf("hidden %q and %q", s.hidden, o.hidden)
	case s.disputed != o.disputed:
		return fmt.Sprintf("disputed %v and %v", s.disputed, o.disputed)
	case s.doubt != o.doubt:
		return fmt.Sprintf("doubt %q and %q", s.doubt, o.doubt)
	case !s.noSure && !o.noSure && s.confidence != o.confidence:
		return fmt.Sprintf("confidence %v and %v", s.confidence, o.confidence)
	case s.noLevel || o.noLevel:
		return ""
	case s.level != o.level:
		return fmt.Sprintf("level %q and %q", s.level, o.level)
	case s.actionable != o.actionable:
		return fmt.Sprintf("actionable %v and %v", s.actionable, o.actionable)
	case s.external != o.external:
		return fmt.Sprintf("tainted %v and %v", s.external, o.external)
	}
	return ""
}

func saidBy(m api.Memory) said {
	return said{tier: m.Tier, review: m.Review, level: m.Level, hidden: m.Hidden, doubt: m.Doubt, actionable: m.Actionable,
		disputed: m.Disputed, external: m.Tainted, confidence: m.Confidence}
}

// drawStore fills a store with what several people and agents say: of all kinds, with
// claims by each, revisions beside each other, decisions and purges.
func drawStore(t *testing.T, p *people, r *rand.Rand) (all []string) {
	t.Helper()
	ctx := t.Context()
	friend, stranger := p.friend("friend"), newForger(t, p.Now())
	shared := func(f *forger, b memory.Body) string {
		rec := f.says(b)
		take(t, p.owner, rec)
		return rec.Ref().String()
	}
	kinds := []string{"episode", "note", "belief", "value", "goal", "drive", "relationship", "playbook"}
	engines := []*engine.Engine{p.owner, p.agent}
	text := func() string { return fmt.Sprintf("the harbour has %d of thing %d", r.Intn(100), r.Intn(1000)) }
	pick := func() string { return all[r.Intn(len(all))] }
	try := func(_ any, err error) { _ = err } // what is refused changes nothing
	for range 4 {
		c, err := p.agent.Capture(ctx, api.CaptureRequest{Text: text() + ", somebody said"})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c.Ref)
	}
	for range 14 + r.Intn(14) {
		e := engines[r.Intn(2)]
		ref := pick()
		switch r.Intn(16) {
		case 0, 1, 2:
			w, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: kinds[r.Intn(len(kinds))], Text: text()}})
			if err == nil {
				all = append(all, w.Ref)
			}
		case 3, 4:
			w, err := e.Promote(ctx, api.PromoteRequest{From: []string{ref}, Draft: api.Draft{Kind: kinds[r.Intn(3)], Text: text()}})
			if err == nil {
				all = append(all, w.Ref)
			}
		case 5:
			w, err := e.Consolidate(ctx, api.ConsolidateRequest{From: []string{ref, pick()}, Draft: api.Draft{Text: text()}})
			if err == nil {
				all = append(all, w.Ref)
			}
		case 6:
			try(e.Approve(ctx, api.DecideRequest{Refs: []string{ref}}))
		case 7:
			try(e.Reject(ctx, api.DecideRequest{Refs: []string{ref}}))
		case 8:
			w, err := e.Revise(ctx, api.ReviseRequest{Ref: ref, Draft: api.Draft{Text: text()}})
			if err == nil {
				all = append(all, w.Ref)
			}
		case 9:
			try(e.Verify(ctx, api.VerifyRequest{Ref: ref}))
		case 10:
			try(e.Witness(ctx, api.WitnessRequest{Ref: ref, Attestation: []string{"confirm", "dispute", "partial"}[r.Intn(3)]}))
		case 11:
			f := []*forger{friend, stranger}[r.Intn(2)]
			take(t, p.owner, f.confirms(ref, []string{"confirm", "dispute"}[r.Intn(2)]))
		case 12:
			f := []*forger{friend, stranger}[r.Intn(2)]
			all = append(all, shared(f, &memory.Belief{Statement: text(), Type: "fact"}))
		case 13:
			of := refOf(t, ref)
			f := []*forger{friend, stranger}[r.Intn(2)]
			take(t, p.owner, f.says(&memory.Mark{Of: &of, Verb: []string{memory.Approve, memory.Reject, memory.Forget}[r.Intn(3)]}))
		case 14:
			try(p.owner.Quarantine(ctx, api.QuarantineRequest{Target: ref}))
		case 15:
			if r.Intn(3) == 0 {
				try(p.owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, Reason: "drawn"}))
			} else {
				try(p.owner.Forget(ctx, api.ForgetRequest{Refs: []string{ref}}))
			}
		}
	}
	return all
}

// inFiles gives what a Markdown folder says of memories that are no raws.
func inFiles(t *testing.T, e *engine.Engine) map[string]said {
	t.Helper()
	dir := t.TempDir()
	if _, err := e.ExportMarkdown(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files: %v, %v", files, err)
	}
	out := make(map[string]said)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		front, _, _ := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
		of := make(map[string]string)
		for line := range strings.Lines(front) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			of[key] = strings.Trim(value, `"`)
		}
		if ref := of["ref"]; ref != "" && !strings.HasPrefix(ref, "raw:") {
			out[ref] = said{tier: of["tier"], review: of["review"], disputed: of["disputed"] == "true", external: of["external"] == "true"}
		}
	}
	return out
}

// Whatever is asked of a memory, and whichever way: how it stands is said once and
// for all.
func TestEveryReadingSaysTheSame(t *testing.T) {
	stores := 60
	if os.Getenv("STEMMA_LONG") != "" {
		stores = 500
	}
	for seed := range stores {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p, ctx := newPeople(t), t.Context()
			all := drawStore(t, p, rand.New(rand.NewSource(int64(seed))))
			e := p.agent
			first := make(map[string]said)
			short := make(map[string]string)
			reads := func(reading, ref string, s said) {
				t.Helper()
				f, known := first[ref]
				if !known {
					return // purged, or not asked about
				}
				if diff := f.differs(s); diff != "" {
					t.Errorf("%s of %s: %s", reading, shortRef(ref), diff)
				}
			}
			for _, ref := range all {
				m, err := e.Show(ctx, api.ShowRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				if m.Content == nil {
					continue // purged
				}
				first[ref], short[shortRef(ref)] = saidBy(m.Memory), ref
			}
			l, err := e.List(ctx, api.ListRequest{All: true, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range l.Memories {
				reads("list", m.Ref, saidBy(m))
			}
			s := search(t, e, api.SearchRequest{Query: "harbour thing", All: true, Limit: 1000})
			for _, x := range s.Results {
				if x.Type == "raw" {
					continue // a search marks words of which another reading says how they stand by themselves
				}
				reads("search", x.Ref, said{tier: x.Tier, review: x.Review, level: x.Level, hidden: x.Hidden, doubt: x.Doubt,
					actionable: x.Actionable, disputed: x.Disputed, external: x.Tainted, confidence: x.Confidence})
			}
			line, err := e.Timeline(ctx, api.TimelineRequest{Limit: 500})
			if err != nil {
				t.Fatal(err)
			}
			pic, err := e.Picture(ctx, api.PictureRequest{Only: all})
			if err != nil {
				t.Fatal(err)
			}
			drawn := func(reading string, n api.PictureNode) {
				x := said{tier: n.Tier, review: n.Review, level: n.Level, hidden: n.Hidden, actionable: n.Actionable, disputed: n.Disputed,
					noSure: true, external: first[n.Ref].external, doubt: first[n.Ref].doubt}
				reads(reading, n.Ref, x)
			}
			for _, n := range line.Entries {
				drawn("timeline", n.PictureNode)
			}
			for _, n := range pic.Nodes {
				drawn("picture", n)
			}
			id, err := e.Identity(ctx, api.IdentityRequest{Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range [][]api.IdentityMemory{id.Values, id.Goals, id.Drives, id.Beliefs} {
				for _, m := range part {
					reads("identity", m.Ref, saidBy(m.Memory))
				}
			}
			for ref := range first {
				if refOf(t, ref).Kind == memory.KindRaw {
					continue
				}
				x, err := e.Explain(ctx, api.ShowRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				reads("explain", ref, saidBy(x.Memory))
				reads("trust", ref, said{tier: x.Tier, level: x.Trust.Level, actionable: x.Trust.Actionable, external: x.Trust.Tainted,
					disputed: x.Disputed, noReview: true, noHidden: true, noSure: true})
				tr, err := e.Trace(ctx, api.TraceRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				node := func(reading string, n *api.Node) {
					if n.Seen || n.Missing || n.Hidden == "purged" {
						return
					}
					reads(reading, n.Type+":"+n.ID, said{tier: n.Tier, hidden: n.Hidden, disputed: n.Disputed, doubt: n.Doubt,
						noReview: true, noLevel: true, noSure: true})
				}
				node("trace", tr.Memory)
				for _, n := range tr.Backward.Sources {
					node("trace back", n)
				}
				for _, n := range tr.Forward.Derived {
					node("trace forward", n)
				}
				ev, err := e.Evidence(ctx, api.EvidenceRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				node("evidence", ev.Belief)
			}
			for ref, x := range inFiles(t, e) {
				x.doubt, x.level, x.noLevel, x.noHidden, x.noSure = first[ref].doubt, "", true, true, true
				reads("markdown", ref, x)
				if x.external != first[ref].external {
					t.Errorf("markdown of %s: external %v and %v", shortRef(ref), first[ref].external, x.external)
				}
			}
			c, err := e.Context(ctx, api.ContextRequest{Query: "harbour thing", Budget: 50_000})
			if err != nil {
				t.Fatal(err)
			}
			start, err := e.Load(ctx, api.LoadRequest{Budget: 50_000})
			if err != nil {
				t.Fatal(err)
			}
			for reading, r := range map[string]api.ContextReply{"context": c, "load": start} {
				body, err := r.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				var page struct {
					Sections []struct {
						Name    string
						Entries []struct {
							Ref, Tier, Review, Level       string
							Actionable, Disputed, External bool
						}
					}
				}
				if err := json.Unmarshal(body, &page); err != nil {
					t.Fatal(err)
				}
				for _, sec := range page.Sections {
					for _, en := range sec.Entries {
						ref, known := short[en.Ref]
						if !known || refOf(t, ref).Kind == memory.KindRaw {
							continue
						}
						tier := en.Tier
						if sec.Name == "constraints" {
							tier = first[ref].tier // it says that it binds
						}
						reads(reading+" "+sec.Name, ref, said{tier: tier, review: en.Review, level: en.Level, actionable: en.Actionable,
							disputed: en.Disputed, external: en.External, noHidden: true, noSure: true, doubt: first[ref].doubt})
						if first[ref].hidden != "" {
							t.Errorf("%s gives %s, which is %s", reading, en.Ref, first[ref].hidden)
						}
						switch sec.Name {
						case "values", "goals", "drives", "constraints", "verified", "needs":
							if !en.Actionable {
								t.Errorf("%s has %s under %s, and nobody may act on it", reading, en.Ref, sec.Name)
							}
						}
					}
				}
			}
		})
	}
}
