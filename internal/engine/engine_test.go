package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

func TestPromoteNamesItsSources(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "finished the user endpoints")
		episode := promote(t, e, "implemented REST for users", raw)
		m, err := e.Show(t.Context(), api.RefRequest{Ref: episode})
		if err != nil {
			t.Fatal(err)
		}
		if m.SourceType != "promote" || !slices.Equal(m.DerivedFrom, []string{raw}) {
			t.Errorf("source_type = %q from %v, want promote from %s", m.SourceType, m.DerivedFrom, raw)
		}
		if m.Tier != string(state.Observed) {
			t.Errorf("tier = %q, want observed: words of another run are behind it", m.Tier)
		}
		r, err := e.Show(t.Context(), api.RefRequest{Ref: raw})
		if err != nil || !slices.Equal(r.ProcessedInto, []string{episode}) {
			t.Errorf("processed_into = %v, %v, want %s", r.ProcessedInto, err, episode)
		}
	})
}

func TestPromoteTwiceIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "words")
		promote(t, e, "once", raw)
		in := api.PromoteRequest{From: []string{raw}, Draft: api.Draft{Text: "twice"}}
		if _, err := e.Promote(t.Context(), in); !errors.Is(err, api.ErrConflict) {
			t.Errorf("second promotion: %v, want a conflict", err)
		}
		list, err := e.List(t.Context(), api.ListRequest{Kind: "episode"})
		if err != nil || len(list.Memories) != 1 {
			t.Errorf("%d episodes, %v, want 1", len(list.Memories), err)
		}
		in.Again = true
		if _, err := e.Promote(t.Context(), in); err != nil {
			t.Errorf("with again: %v", err)
		}
		in.Kind, in.Again = "note", false
		if _, err := e.Promote(t.Context(), in); err != nil {
			t.Errorf("into another kind: %v", err)
		}
	})
}

func TestWritesAreAllOrNothing(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "words")
		before, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil {
			t.Fatal(err)
		}
		missing := "raw:" + strings.Repeat("ab", 32)
		_, err = e.Promote(t.Context(), api.PromoteRequest{From: []string{raw, missing, raw}, Draft: api.Draft{Text: "x"}})
		if !errors.Is(err, api.ErrNotFound) {
			t.Errorf("with a bad ref among three: %v, want not found", err)
		}
		after, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil || after.Records != before.Records {
			t.Errorf("%d records, %v, want %d", after.Records, err, before.Records)
		}
	})
}

func TestConsolidateTwiceStoresOnce(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		a := promote(t, e, "one", capture(t, e, "a"))
		b := promote(t, e, "two", capture(t, e, "b"))
		first := consolidate(t, e, "both went well", a, b)
		again, err := e.Consolidate(
			t.Context(), api.ConsolidateRequest{From: []string{b, a}, Draft: api.Draft{Text: "Both went well"}},
		)
		if err != nil || again.Ref != first || !again.Existing {
			t.Errorf("again = %+v, %v, want the existing %s", again, err, first)
		}
		other, err := e.Consolidate(
			t.Context(), api.ConsolidateRequest{From: []string{b, a}, Draft: api.Draft{Text: "Both were short"}},
		)
		if err != nil || other.ConsolidationID == "" || other.ConsolidationID != again.ConsolidationID {
			t.Errorf("another conclusion of the same is of the consolidation %q, %v, want %q",
				other.ConsolidationID, err, again.ConsolidationID)
		}
		p, err := e.Provenance(t.Context(), api.RefRequest{Ref: other.Ref})
		if err != nil || p.ConsolidationID != other.ConsolidationID {
			t.Errorf("its provenance says %q, %v, want %q", p.ConsolidationID, err, other.ConsolidationID)
		}
	})
}

func TestTraceIsTheSeedsShape(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw1, raw2 := capture(t, e, "finished user endpoints"), capture(t, e, "rewrote payments")
		ep1, ep2 := promote(t, e, "REST for users", raw1), promote(t, e, "payments to REST", raw2)
		belief := consolidate(t, e, "API endpoints should be RESTful", ep1, ep2)
		note, err := e.Add(
			t.Context(),
			api.AddRequest{Draft: api.Draft{Kind: "note", Text: "REST decision"}, From: []string{belief}},
		)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := e.Trace(t.Context(), api.TraceRequest{Ref: belief})
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Memory.Statement; got != "API endpoints should be RESTful" {
			t.Errorf("statement = %q", got)
		}
		if b := tr.Backward; b.SourceType != "consolidation" || len(b.Sources) != 2 || b.CreatedAt == "" {
			t.Fatalf("backward = %+v, want consolidation with two sources", b)
		}
		src := tr.Backward.Sources[0]
		if src.Title != "REST for users" || src.SourceType != "promote" || len(src.Sources) != 1 {
			t.Errorf("first source = %+v", src)
		}
		if leaf := src.Sources[0]; leaf.Blob != "finished user endpoints" || leaf.CapturedAt == "" || leaf.Type != "raw" {
			t.Errorf("leaf = %+v, want the words and when they were captured", leaf)
		}
		if d := tr.Forward.Derived; len(d) != 1 || "note:"+d[0].ID != note.Ref || d[0].SourceType != "inference" {
			t.Errorf("forward = %+v, want %s by inference", d, note.Ref)
		}
	})
}

func TestDiamondIsShownOnce(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "shared words")
		ep1 := promote(t, e, "one", raw)
		p, err := e.Promote(t.Context(), api.PromoteRequest{From: []string{raw}, Draft: api.Draft{Text: "two"}, Again: true})
		if err != nil {
			t.Fatal(err)
		}
		belief := consolidate(t, e, "shared", ep1, p.Ref)
		tr, err := e.Trace(t.Context(), api.TraceRequest{Ref: belief})
		if err != nil {
			t.Fatal(err)
		}
		one, two := tr.Backward.Sources[0].Sources[0], tr.Backward.Sources[1].Sources[0]
		if one.Seen || one.Blob == "" || !two.Seen || two.Blob != "" || one.ID != two.ID {
			t.Errorf("shared raw is %+v and %+v, want in full once, then as a reference", one, two)
		}
		ev, err := e.Evidence(t.Context(), api.RefRequest{Ref: belief})
		if err != nil || ev.SourceRawEntries != 1 || ev.TotalEvidenceCount != 3 {
			t.Errorf("evidence = %d raws of %d, %v, want 1 of 3", ev.SourceRawEntries, ev.TotalEvidenceCount, err)
		}
	})
}

func TestEvidenceOfFiftyEpisodes(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		var episodes []string
		for i := range 50 {
			episodes = append(episodes, promote(t, e, fmt.Sprint("episode ", i), capture(t, e, fmt.Sprint("words ", i))))
		}
		ev, err := e.Evidence(t.Context(), api.RefRequest{Ref: consolidate(t, e, "fifty times", episodes...)})
		if err != nil {
			t.Fatal(err)
		}
		if ev.DirectEpisodes != 50 || ev.SourceRawEntries != 50 || ev.TotalEvidenceCount != 100 {
			t.Errorf("direct %d, raws %d, total %d, want 50, 50, 100",
				ev.DirectEpisodes, ev.SourceRawEntries, ev.TotalEvidenceCount)
		}
	})
}

func TestRevisionChain(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		belief := consolidate(t, e, "first", promote(t, e, "one", capture(t, e, "a")))
		head := belief
		for i := range 9 {
			head = revise(t, e, head, fmt.Sprint("revision ", i))
		}
		if _, err := e.Revise(
			t.Context(), api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "fork"}},
		); !errors.Is(err, api.ErrConflict) {
			t.Errorf("revising a superseded belief: %v, want a conflict", err)
		}
		list, err := e.List(t.Context(), api.ListRequest{Kind: "belief"})
		if err != nil || len(list.Memories) != 1 || list.Memories[0].Ref != head {
			t.Errorf("list shows %v, %v, want only %s", list.Memories, err, head)
		}
		h, err := e.History(t.Context(), api.RefRequest{Ref: belief})
		if err != nil || len(h.Revisions) != 10 || h.Revisions[9].Ref != head {
			t.Errorf("history has %d, %v, want 10 ending in the head", len(h.Revisions), err)
		}
		ev, err := e.Evidence(t.Context(), api.RefRequest{Ref: head})
		if err != nil || ev.DirectEpisodes != 1 || ev.SourceRawEntries != 1 {
			t.Errorf("evidence of the head: %+v, %v, want what the first rested on", ev, err)
		}
		old, err := e.Show(t.Context(), api.RefRequest{Ref: belief})
		if err != nil || old.IsActive || old.Headline != "first" {
			t.Errorf("the first = %+v, %v, want readable and inactive", old.Memory, err)
		}
	})
}

// An agent may not replace what its owner wrote: its words stand beside.
func TestAgentCannotReplaceTheOwners(t *testing.T) {
	keys, spec := filepath.Join(t.TempDir(), "keys"), filepath.Join(t.TempDir(), "memory.db")
	owner := open(t, spec, engine.Config{KeyDir: keys, Origin: memory.OriginOwner})
	belief := add(t, owner, "belief", "the owner's word")
	agent := open(t, spec, engine.Config{KeyDir: keys})
	r, err := agent.Revise(t.Context(), api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "the agent's word"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Superseded) != 0 || r.Link == "" {
		t.Errorf("reply = %+v, want a link and nothing superseded", r)
	}
	m, err := agent.Show(t.Context(), api.RefRequest{Ref: belief})
	if err != nil || !m.IsActive {
		t.Errorf("the owner's belief: active %v, %v, want active", m.IsActive, err)
	}
	if len(m.Claims) != 1 || m.Claims[0].Type != "link" {
		t.Errorf("claims = %+v, want the proposed update", m.Claims)
	}
}

func TestSearchFindsWhatWasPlanted(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for i := range 200 {
			capture(t, e, fmt.Sprintf("an ordinary line about gardens number %d", i))
		}
		note := add(t, e, "note", "the zebra crossed a purple bridge at midnight")
		r, err := e.Search(t.Context(), api.SearchRequest{Query: "zebra purple bridge midnight crossed"})
		if err != nil || len(r.Results) == 0 || r.Results[0].Ref != note || r.Results[0].Score != 1 {
			t.Fatalf("results = %+v, %v, want %s first", r.Results, err, note)
		}
		for _, q := range []string{
			"%", "_", `"`, "-", "*", `foo-bar "x* (`, "NEAR(", "a OR NOT b", "", "'; DROP TABLE records; --",
		} {
			if _, err := e.Search(t.Context(), api.SearchRequest{Query: q}); err != nil {
				t.Errorf("search %q: %v", q, err)
			}
		}
	})
}

func TestSearchLeavesOutTheSuperseded(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		old := add(t, e, "belief", "the cache is memcached")
		head := revise(t, e, old, "the cache is redis")
		r, err := e.Search(t.Context(), api.SearchRequest{Query: "cache"})
		if err != nil || len(r.Results) != 1 || r.Results[0].Ref != head {
			t.Errorf("results = %+v, %v, want only the new one", r.Results, err)
		}
		r, err = e.Search(t.Context(), api.SearchRequest{Query: "cache", All: true})
		if err != nil || len(r.Results) != 2 {
			t.Errorf("with all: %d, %v, want 2", len(r.Results), err)
		}
	})
}

func TestSpacesDoNotMix(t *testing.T) {
	keys, spec := filepath.Join(t.TempDir(), "keys"), filepath.Join(t.TempDir(), "memory.db")
	work := open(t, spec, engine.Config{KeyDir: keys, Space: "work"})
	for i := range 100 {
		capture(t, work, fmt.Sprint("zebra ", i))
	}
	home := open(t, spec, engine.Config{KeyDir: keys})
	raw := capture(t, home, "a zebra at home")
	r, err := home.Search(t.Context(), api.SearchRequest{Query: "zebra", Limit: 5})
	if err != nil || len(r.Results) != 1 || r.Results[0].Ref != raw {
		t.Errorf("search at home = %+v, %v, want only %s", r.Results, err, raw)
	}
	all := open(t, spec, engine.Config{KeyDir: keys, Space: engine.AllSpaces})
	if list, err := all.List(t.Context(), api.ListRequest{Kind: "raw", Limit: -1}); err != nil ||
		len(list.Memories) != 101 {
		t.Errorf("all spaces: %d, %v, want 101", len(list.Memories), err)
	}
}

func TestRefs(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "words")
		_, digits, _ := strings.Cut(raw, ":")
		for _, ref := range []string{raw, digits, raw[:12], digits[:8], strings.ToUpper(digits)} {
			if m, err := e.Show(t.Context(), api.RefRequest{Ref: ref}); err != nil || m.Ref != raw {
				t.Errorf("show %q = %q, %v, want %s", ref, m.Ref, err, raw)
			}
		}
		for ref, want := range map[string]error{
			"": api.ErrInvalid, "raw:": api.ErrInvalid, "raw:xyz": api.ErrInvalid, "raw:%": api.ErrInvalid,
			"belief:" + digits: api.ErrNotFound, "raw:" + strings.Repeat("0", 64): api.ErrNotFound,
		} {
			if _, err := e.Show(t.Context(), api.RefRequest{Ref: ref}); !errors.Is(err, want) {
				t.Errorf("show %q: %v, want %v", ref, err, want)
			}
		}
	})
}

// Two records whose IDs begin alike are both named by the error. It takes some hundred records until four
// digits are not enough.
func TestAnAmbiguousRefListsItsRecords(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	seen := make(map[string]string)
	for {
		raw := capture(t, e, "words")
		four := raw[:len("raw:")+4]
		other := seen[four]
		seen[four] = raw
		if other == "" {
			continue
		}
		for _, typed := range []string{four, four[len("raw:"):]} {
			_, err := e.Show(t.Context(), api.RefRequest{Ref: typed})
			if !errors.Is(err, api.ErrAmbiguous) || !strings.Contains(err.Error(), raw[:20]+" (words)") ||
				!strings.Contains(err.Error(), other[:20]+" (words)") {
				t.Errorf("show %s: %v, want ambiguous with %s and %s", typed, err, raw, other)
			}
		}
		return
	}
}

func TestBadInputChangesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "words")
		episode := promote(t, e, "one", raw)
		before, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil {
			t.Fatal(err)
		}
		high, low := 1.1, -0.1
		bad := map[string]func(context.Context) error{
			"blank text": func(ctx context.Context) error {
				_, err := e.Capture(ctx, api.CaptureRequest{Text: " \n\t"})
				return err
			},
			"NUL": func(ctx context.Context) error {
				_, err := e.Capture(ctx, api.CaptureRequest{Text: "a\x00b"})
				return err
			},
			"oversized raw": func(ctx context.Context) error {
				_, err := e.Capture(ctx, api.CaptureRequest{Text: strings.Repeat("x", 1<<20+1)})
				return err
			},
			"oversized belief": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: strings.Repeat("x", 64<<10+1)}})
				return err
			},
			"confidence 1.1": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "x"}, Meta: api.Meta{Confidence: &high}})
				return err
			},
			"confidence -0.1": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "x"}, Meta: api.Meta{Confidence: &low}})
				return err
			},
			"unknown kind": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "poem", Text: "x"}})
				return err
			},
			"another kind's member": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "x", Lessons: []string{"y"}}})
				return err
			},
			"note type": func(ctx context.Context) error {
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "x", Type: "poem"}})
				return err
			},
			"episode from a belief": func(ctx context.Context) error {
				b := add(t, open(t, "mem", engine.Config{}), "belief", "x")
				_, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "episode", Text: "x"}, From: []string{b}})
				return err
			},
			"promote an episode": func(ctx context.Context) error {
				_, err := e.Promote(ctx, api.PromoteRequest{From: []string{episode}, Draft: api.Draft{Text: "x"}})
				return err
			},
			"no source": func(ctx context.Context) error {
				_, err := e.Consolidate(ctx, api.ConsolidateRequest{Draft: api.Draft{Text: "x"}})
				return err
			},
			"revise a raw": func(ctx context.Context) error {
				_, err := e.Revise(ctx, api.ReviseRequest{Ref: raw, Draft: api.Draft{Text: "x"}})
				return err
			},
			"65 tags": func(ctx context.Context) error {
				var tags []string
				for i := range 65 {
					tags = append(tags, fmt.Sprint("tag", i))
				}
				_, err := e.Capture(ctx, api.CaptureRequest{Text: "x", Meta: api.Meta{Tags: tags}})
				return err
			},
		}
		for name, do := range bad {
			err := do(t.Context())
			if !errors.Is(err, api.ErrInvalid) && !errors.Is(err, api.ErrNotFound) {
				t.Errorf("%s: %v, want invalid", name, err)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the error has several lines: %q", name, err)
			}
		}
		after, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil || after.Records != before.Records {
			t.Errorf("%d records, %v, want %d as before", after.Records, err, before.Records)
		}
	})
}

func TestExportRoundTrip(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		belief := consolidate(
			t, e, "both", promote(t, e, "one", capture(t, e, "a")), promote(t, e, "two", capture(t, e, "b")),
		)
		head := revise(t, e, belief, "both, still")
		var first, second bytes.Buffer
		if _, err := e.Export(t.Context(), &first, api.ExportRequest{}); err != nil {
			t.Fatal(err)
		}
		for name, spec := range stores {
			other := open(t, spec(t), engine.Config{})
			r, err := other.Import(t.Context(), bytes.NewReader(first.Bytes()), nil)
			if err != nil || r.Added != 8 {
				t.Fatalf("import into %s: %+v, %v, want 8 added", name, r, err)
			}
			if r, err = other.Import(t.Context(), bytes.NewBuffer(first.Bytes()), nil); err != nil || r.Added != 0 ||
				r.AlreadyThere != 8 {
				t.Errorf("second import into %s: %+v, %v, want nothing new", name, r, err)
			}
			second.Reset()
			_, err = other.Export(t.Context(), &second, api.ExportRequest{})
			if err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("export from %s differs: %v", name, err)
			}
			tr, err := other.Trace(t.Context(), api.TraceRequest{Ref: head, Depth: new(int)})
			if err != nil || len(tr.Backward.Sources) != 1 || len(tr.Backward.Sources[0].Sources) != 2 {
				t.Errorf("trace in %s: %+v, %v", name, tr.Backward, err)
			}
			d, err := other.Doctor(t.Context(), api.DoctorRequest{})
			if err != nil || len(d.Problems) != 0 || d.Signatures != 8 {
				t.Errorf("doctor in %s: %+v, %v, want 8 signatures and no problem", name, d, err)
			}
		}
	})
}

// Every line of a bundle is held against its signature before any is stored.
func TestImportRefusesDamage(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	promote(t, e, "one", capture(t, e, "words"))
	var bundle bytes.Buffer
	if _, err := e.Export(t.Context(), &bundle, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(bundle.Bytes(), []byte("\n")), []byte("\n"))
	for name, damage := range map[string]func([]byte) []byte{
		"cut":              func(l []byte) []byte { return l[:len(l)/2] },
		"a letter changed": func(l []byte) []byte { c := bytes.Clone(l); c[40] ^= 1; return c },
		"no signature":     func(l []byte) []byte { return bytes.Replace(l, []byte(`"sig":"`), []byte(`"sig":"AAAA`), 1) },
		"another type": func(l []byte) []byte {
			return bytes.Replace(
				l, []byte("stemma.raw."), []byte("stemma.note."), 1,
			)
		},
		"empty":    func([]byte) []byte { return []byte("\n") },
		"nonsense": func([]byte) []byte { return []byte("hello\n") },
	} {
		bad := slices.Clone(lines)
		bad[2] = damage(bad[2])
		if !bytes.HasSuffix(bad[2], []byte("\n")) {
			bad[2] = append(bytes.Clone(bad[2]), '\n')
		}
		other := open(t, "mem", engine.Config{})
		_, err := other.Import(t.Context(), bytes.NewReader(bytes.Join(bad, nil)), nil)
		if !errors.Is(err, api.ErrInvalid) || !strings.Contains(err.Error(), "line 3:") {
			t.Errorf("%s: %v, want line 3 named as invalid", name, err)
		}
		if s, err := other.Stats(t.Context(), api.Nothing{}); err != nil || s.Records != 0 {
			t.Errorf("%s: %d records stored, %v, want none", name, s.Records, err)
		}
	}
	// without the delegation, no one knows in whose name the agent's key speaks
	other := open(t, "mem", engine.Config{})
	_, err := other.Import(t.Context(), bytes.NewReader(bytes.Join(lines[2:], nil)), nil)
	if !errors.Is(err, api.ErrInvalid) || !strings.Contains(err.Error(), "delegation") {
		t.Errorf("without key records: %v, want invalid for want of a delegation", err)
	}
}

func TestTaintShowsWhatSurvives(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		false1, true1 := capture(t, e, "false words"), capture(t, e, "true words")
		ep := promote(t, e, "rests on both", false1, true1)
		only, err := e.Promote(
			t.Context(),
			api.PromoteRequest{From: []string{false1}, Draft: api.Draft{Text: "rests on the false one"}, Again: true},
		)
		if err != nil {
			t.Fatal(err)
		}
		falls := consolidate(t, e, "falls too", only.Ref)
		survives := consolidate(t, e, "stands on a survivor", ep, only.Ref)
		r, err := e.Taint(t.Context(), api.TaintRequest{Target: false1})
		if err != nil {
			t.Fatal(err)
		}
		if got := refsOf(r.Affected); !slices.Equal(got, sortedRefs(only.Ref, falls)) {
			t.Errorf("falls = %v, want %v", got, sortedRefs(only.Ref, falls))
		}
		if got := refsOf(r.Survives); !slices.Equal(got, sortedRefs(ep, survives)) {
			t.Errorf("survives = %v, want %v", got, sortedRefs(ep, survives))
		}
		for _, a := range r.Affected {
			if a.Path[0] != false1 || a.Path[len(a.Path)-1] != a.Ref {
				t.Errorf("path = %v, want from the root to the record", a.Path)
			}
		}
	})
}

func refsOf(list []api.Affected) []string {
	var refs []string
	for _, a := range list {
		refs = append(refs, a.Ref)
	}
	slices.Sort(refs)
	return refs
}

func sortedRefs(refs ...string) []string { slices.Sort(refs); return refs }

func TestRelatives(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "words")
		ep := promote(t, e, "one", raw)
		belief := consolidate(t, e, "two", ep)
		for name, tt := range map[string]struct {
			do   func(context.Context, api.RefRequest) (api.RelatedReply, error)
			ref  string
			want []string
		}{
			"derived":     {e.Derived, raw, []string{ep}},
			"sources":     {e.Sources, belief, []string{ep}},
			"from_raw":    {e.FromRaw, raw, []string{ep, belief}},
			"raw_sources": {e.RawSources, belief, []string{raw}},
		} {
			r, err := tt.do(t.Context(), api.RefRequest{Ref: tt.ref})
			var got []string
			for _, m := range r.Related {
				got = append(got, m.Type+":"+m.ID)
			}
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s = %v, %v, want %v", name, got, err, tt.want)
			}
		}
	})
}

// Keys that were tampered with on disk introduce themselves to no store.
func TestDamagedIdentityIsRefused(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys")
	capture(t, open(t, "mem", engine.Config{KeyDir: keys}), "this makes the keys")
	file := filepath.Join(keys, "identity.jsonl")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.Index(raw, []byte(`"sig":"`)) + len(`"sig":"`)
	raw[i] ^= 1 // another digit of base64
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	e := open(t, "mem", engine.Config{KeyDir: keys})
	if _, err := e.Capture(t.Context(), api.CaptureRequest{Text: "words"}); err == nil ||
		!strings.Contains(err.Error(), "identity in") {
		t.Errorf("capture: %v, want the identity refused", err)
	}
	if s, err := e.Stats(t.Context(), api.Nothing{}); err != nil || s.Records != 0 {
		t.Errorf("%d records, %v, want none", s.Records, err)
	}
}
