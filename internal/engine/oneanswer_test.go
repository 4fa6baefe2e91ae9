package engine_test

import (
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
	friend, stranger := p.Friend("friend"), newForger(t, p.Now())
	shared := func(f *forger, b memory.Body) string {
		rec := f.Says(b)
		take(t, p.Owner, rec)
		return rec.Ref().String()
	}
	kinds := []string{"episode", "note", "belief", "value", "goal", "drive", "relationship", "playbook"}
	engines := []*engine.Engine{p.Owner, p.Agent}
	text := func() string { return fmt.Sprintf("the harbour has %d of thing %d", r.Intn(100), r.Intn(1000)) }
	pick := func() string { return all[r.Intn(len(all))] }
	try := func(_ any, err error) { _ = err } // what is refused changes nothing
	for range 4 {
		c, err := p.Agent.Capture(ctx, api.CaptureRequest{Text: text() + ", somebody said"})
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
			w, err := e.Promote(
				ctx,
				api.PromoteRequest{From: []string{ref}, Draft: api.Draft{Kind: kinds[r.Intn(3)], Text: text()}},
			)
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
			take(t, p.Owner, f.Confirms(ref, []string{"confirm", "dispute"}[r.Intn(2)]))
		case 12:
			f := []*forger{friend, stranger}[r.Intn(2)]
			all = append(all, shared(f, &memory.Belief{Statement: text(), Type: "fact"}))
		case 13:
			of := refOf(t, ref)
			f := []*forger{friend, stranger}[r.Intn(2)]
			take(
				t, p.Owner,
				f.Says(&memory.Mark{Of: &of, Verb: []string{memory.Approve, memory.Reject, memory.Forget}[r.Intn(3)]}),
			)
		case 14:
			try(p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: ref}))
		case 15:
			if r.Intn(3) == 0 {
				try(p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, Reason: "drawn"}))
			} else {
				try(p.Owner.Forget(ctx, api.ForgetRequest{Refs: []string{ref}}))
			}
		}
	}
	return all
}

// inFiles returns what a Markdown folder says of memories that are no raws.
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
			out[ref] = said{
				tier: of["tier"], review: of["review"], disputed: of["disputed"] == "true",
				external: of["external"] == "true",
			}
		}
	}
	return out
}
