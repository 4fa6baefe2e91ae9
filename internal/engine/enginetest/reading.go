package enginetest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// WithReceipts makes people whose agent's answers are noted.
func WithReceipts(t testing.TB) *People {
	file := filepath.Join(t.TempDir(), "receipts.jsonl")
	return NewPeople(t, func(c *engine.Config) { c.Receipts = file })
}

// Receipts lists receipts, or ends the test.
func Receipts(t testing.TB, e *engine.Engine, in api.ReceiptsRequest) api.ReceiptsReply {
	t.Helper()
	r, err := e.Receipts(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Replay replays a receipt, or ends the test.
func Replay(t testing.TB, e *engine.Engine, id string) api.ReplayReply {
	t.Helper()
	r, err := e.Replay(t.Context(), api.ReceiptRequest{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// About writes a memory about entities.
func About(t testing.TB, e *engine.Engine, kind, text string, names ...string) string {
	t.Helper()
	return Write(t, e, api.AddRequest{Draft: api.Draft{Kind: kind, Text: text}, Meta: api.Meta{About: names}})
}

// Correct corrects a memory, or ends the test.
func Correct(t *testing.T, e *engine.Engine, in api.CorrectRequest) api.CorrectReply {
	t.Helper()
	r, err := e.Correct(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ShopTopics is what shops talk about.
var ShopTopics = []string{"rate limit", "retry delay", "cache size", "upload quota"}

// TextsOf are the words of results, in order.
func TextsOf(all []api.Recalled) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.Text)
	}
	return out
}

// Traced traces a memory, or ends the test.
func Traced(t testing.TB, e *engine.Engine, ref string, depth int) api.TraceReply {
	t.Helper()
	r, err := e.Trace(t.Context(), api.TraceRequest{Ref: ref, Depth: &depth})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Found returns the result for a ref, nil where it is not among them.
func Found(r api.SearchReply, ref string) *api.Result {
	i := slices.IndexFunc(r.Results, func(one api.Result) bool { return one.Ref == ref })
	if i < 0 {
		return nil
	}
	return &r.Results[i]
}

// Since audits what came after the last clean audit.
func (p *Poisoned) Since(t *testing.T) api.AuditReply {
	t.Helper()
	e := p.Open(t, memory.OriginOwner)
	defer e.Close()
	r, err := e.Audit(t.Context(), api.AuditRequest{Since: true})
	if err != nil || r.Since == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// Whole audits the whole store as its owner.
func (p *Poisoned) Whole(t *testing.T) api.AuditReply {
	t.Helper()
	e := p.Open(t, memory.OriginOwner)
	defer e.Close()
	r, err := e.Audit(t.Context(), api.AuditRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// More writes one more memory.
func (p *Poisoned) More(t *testing.T, text string) string {
	t.Helper()
	e := p.Open(t, memory.OriginOwner)
	defer e.Close()
	return Add(t, e, "belief", text)
}

// Doors are the ways in which words come to be signed. Each writes a text to a
// store and gives what the reply says of redactions, nil where it cannot.
func Doors(t *testing.T, e *engine.Engine) map[string]func(text string) ([]api.Redaction, error) {
	t.Helper()
	ctx := t.Context()
	raw, episode := Capture(t, e, "harmless words"), ""
	episode = Promote(t, e, "a harmless episode", raw)
	add := func(d api.Draft, m api.Meta) ([]api.Redaction, error) {
		r, err := e.Add(ctx, api.AddRequest{Draft: d, Meta: m})
		return r.Redacted, err
	}
	n := 0
	return map[string]func(string) ([]api.Redaction, error){
		"raw": func(s string) ([]api.Redaction, error) {
			r, err := e.Capture(ctx, api.CaptureRequest{Text: s})
			return r.Redacted, err
		},
		"raw as bytes": func(s string) ([]api.Redaction, error) {
			r, err := e.Capture(ctx, api.CaptureRequest{Blob: []byte(s), Caption: s})
			return r.Redacted, err
		},
		"session and trigger": func(s string) ([]api.Redaction, error) {
			r, err := e.Capture(ctx, api.CaptureRequest{Text: "words", Meta: api.Meta{Session: s, Trigger: s}})
			return r.Redacted, err
		},
		"note": func(s string) ([]api.Redaction, error) {
			return add(
				api.Draft{Kind: "note", Text: "one line", Description: s, Reason: s, Alternatives: []string{"another", s}},
				api.Meta{},
			)
		},
		"long note": func(s string) ([]api.Redaction, error) { // cut in the middle of the secret
			return add(api.Draft{Kind: "note", Text: strings.Repeat("word ", 36) + s + " and more words"}, api.Meta{})
		},
		"episode": func(s string) ([]api.Redaction, error) {
			return add(api.Draft{Kind: "episode", Text: s, Outcome: s, Lessons: []string{s}, Emotions: []string{s}}, api.Meta{})
		},
		"belief": func(s string) ([]api.Redaction, error) {
			return add(api.Draft{Kind: "belief", Text: s}, api.Meta{})
		},
		"playbook": func(s string) ([]api.Redaction, error) {
			return add(api.Draft{Kind: "playbook", Text: "a way", When: s, Steps: []string{"begin", s}}, api.Meta{})
		},
		"revise": func(s string) ([]api.Redaction, error) {
			old, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "it is so"}})
			if err != nil {
				return nil, err
			}
			r, err := e.Revise(ctx, api.ReviseRequest{Ref: old.Ref, Draft: api.Draft{Text: s}})
			return r.Redacted, err
		},
		"promote": func(s string) ([]api.Redaction, error) {
			r, err := e.Promote(ctx, api.PromoteRequest{From: []string{raw}, Again: true, Draft: api.Draft{Text: s}})
			return r.Redacted, err
		},
		"consolidate": func(s string) ([]api.Redaction, error) {
			r, err := e.Consolidate(ctx, api.ConsolidateRequest{From: []string{episode}, Draft: api.Draft{Text: s}, Batch: s})
			return r.Redacted, err
		},
		"witness": func(s string) ([]api.Redaction, error) {
			r, err := e.Witness(ctx, api.WitnessRequest{Ref: episode, Attestation: "dispute", Notes: s})
			return r.Redacted, err
		},
		"reason": func(s string) ([]api.Redaction, error) {
			one, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "it is otherwise"}, Again: true})
			if err != nil {
				return nil, err
			}
			_, err = e.Reject(ctx, api.DecideRequest{Refs: []string{one.Ref}, Reason: s})
			return []api.Redaction{{}}, err // its reply does not say
		},
		"ingest": func(s string) ([]api.Redaction, error) {
			n++
			ext, err := json.Marshal(map[string]any{"kept": map[string]any{"lines": []string{"a line", s}}, "after": 1})
			if err != nil {
				return nil, err
			}
			r, err := e.Ingest(ctx, func(yield func(api.Foreign, error) bool) {
				_ = yield(
					api.Foreign{Alias: []string{fmt.Sprintf("test:%d", n)}, Body: &memory.Raw{Text: s, Speaker: "Ada"}},
					nil,
				) &&
					yield(
						api.Foreign{
							Alias: []string{fmt.Sprintf("test:%d:note", n)}, Ext: ext,
							Body: &memory.Note{Type: "quote", Summary: "a line", Body: s},
						},
						nil,
					)
			}, nil)
			var found []api.Redaction
			for rule := range r.Redacted {
				found = append(found, api.Redaction{Rule: rule})
			}
			return found, err
		},
	}
}

// In opens the store for an agent in a session.
func (p *People) In(session string) *engine.Engine {
	p.T.Helper()
	return p.As(memory.OriginAgent, func(c *engine.Config) { c.Session = session })
}

// Undo undoes the last act, or ends the test.
func Undo(t testing.TB, e *engine.Engine) api.UndoReply {
	t.Helper()
	r, err := e.Undo(t.Context(), api.UndoRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// LineOf finds a result by its ref; nil is none.
func LineOf(r api.SearchReply, ref string) *api.Result {
	for i := range r.Results {
		if r.Results[i].Ref == ref {
			return &r.Results[i]
		}
	}
	return nil
}

// Order returns the texts of results, each with what it is marked with.
func Order(r api.SearchReply) []string {
	var out []string
	for _, one := range r.Results {
		text := one.Text
		if marks := slices.Concat(one.Marks, one.Undecided); len(marks) > 0 {
			text += " [" + strings.Join(marks, "; ") + "]"
		}
		out = append(out, text)
	}
	return out
}

// Resolve resolves a link, or ends the test.
func Resolve(t testing.TB, e *engine.Engine, link, keep string) {
	t.Helper()
	if _, err := e.Resolve(t.Context(), api.ResolveRequest{Ref: link, Keep: keep}); err != nil {
		t.Fatal(err)
	}
}

// Short is a ref that a page shows.
func Short(ref string) string {
	r, err := memory.ParseRef(ref)
	if err != nil {
		return ref
	}
	return r.Short()
}

// Check ends the test on an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Number is a number that a request may leave out.
func Number(f float64) *float64 { return &f }

// Waits is what waits, by every operation that lists or counts it. They agree.
func Waits(t *testing.T, e *engine.Engine) (memories, links []string) {
	t.Helper()
	ctx := t.Context()
	review, err := e.Review(ctx, api.KindRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range review.Pending {
		if !p.Asks {
			t.Errorf("%s waits, and says that it needs no decision", p.Ref)
		}
		memories = append(memories, p.Ref)
	}
	open, err := e.Conflicts(ctx, api.OpenRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range open.Conflicts {
		links = append(links, l.Ref)
	}
	queue, err := e.Suggestions(ctx, api.KindRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, s := range queue.Suggestions {
		listed = append(listed, s.Ref)
	}
	if want := slices.Concat(memories, links); !slices.Equal(listed, want) {
		t.Errorf("suggestions lists %v, review and conflicts %v", Shortened(listed), Shortened(want))
	}
	s, err := e.Status(ctx, api.Nothing{})
	if err != nil || s.PendingReviews.Count != len(memories) || s.OpenConflicts.Count != len(links) {
		t.Errorf("status counts %d and %d, %v, want %d and %d", s.PendingReviews.Count, s.OpenConflicts.Count, err,
			len(memories), len(links))
	}
	load, err := e.Load(ctx, api.LoadRequest{Budget: 5000})
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Conflicts(ctx, api.OpenRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	want, forAgent := len(links), 0 // a session begins with three of those that an agent settles
	for _, l := range all.Conflicts {
		if l.For == "agent" {
			if forAgent++; l.State == "open" {
				want--
			}
		}
	}
	want += min(forAgent, 3)
	if shown := strings.Count(string(load.Body), `"kind":"link"`); shown != want {
		t.Errorf("load begins with %d links, want %d", shown, want)
	}
	return memories, links
}

// Records counts the records of a store.
func Records(t testing.TB, e *engine.Engine) int {
	t.Helper()
	s, err := e.Stats(t.Context(), api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Records
}

// Pending lists what waits for a review.
func Pending(t testing.TB, e *engine.Engine, in api.KindRequest) []string {
	t.Helper()
	r, err := e.Review(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, p := range r.Pending {
		out = append(out, p.Ref)
	}
	return out
}

// Checkpoint signs a checkpoint, or ends the test.
func Checkpoint(t testing.TB, e *engine.Engine) api.CheckpointReply {
	t.Helper()
	c, err := e.Checkpoint(t.Context(), api.CheckpointRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Held holds a store to a checkpoint, or ends the test.
func Held(t testing.TB, e *engine.Engine, text string) api.CheckLogReply {
	t.Helper()
	r, err := e.CheckLog(t.Context(), api.CheckLogRequest{Held: text, By: "a friend"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Remember stores a text and waits for the jobs that follow.
func Remember(t testing.TB, e *engine.Engine, text string) api.RememberReply {
	t.Helper()
	r, err := e.Remember(t.Context(), api.RememberRequest{Text: text, Wait: true})
	if err != nil {
		t.Fatalf("remember %q: %v", text, err)
	}
	return r
}
