package lifecycle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// One engine is asked for many things at once, of which several begin work of their own: each is answered, and what was
// written meanwhile is there. The race detector watches it.
func TestAllSortsOfThingsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := newPeople(t, func(c *engine.Config) {
		c.Data, c.Receipts = filepath.Join(dir, "data"), filepath.Join(dir, "receipts.jsonl")
		c.Embedder = llmtest.Hashed(32, 1)
	})
	first := remember(t, p.Agent, "The harbour crane lifts forty tons.").Memories[0].Ref
	remember(t, p.Agent, "The harbour crane lifts thirty tons.")
	var bundle bytes.Buffer
	if _, err := newPeople(t).Owner.Export(t.Context(), &bundle, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	now := api.RecallRequest{Query: "What does the harbour crane lift?"}
	acts := map[string]func(ctx context.Context, e *engine.Engine, what string) error{
		"remember": func(ctx context.Context, e *engine.Engine, what string) error {
			_, err := e.Remember(ctx, api.RememberRequest{Text: "The crane of " + what + " lifts ten tons."})
			return err
		},
		"capture": func(ctx context.Context, e *engine.Engine, what string) error {
			_, err := e.Capture(ctx, api.CaptureRequest{Text: "said of " + what})
			return err
		},
		"ingest": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Ingest(ctx, foreigners(20), nil)
			if errors.Is(err, api.ErrConflict) {
				return nil // the other one is at it
			}
			return err
		},
		"import": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Import(ctx, bytes.NewReader(bundle.Bytes()), nil)
			return err
		},
		"export": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Export(ctx, io.Discard, api.ExportRequest{})
			return err
		},
		"backup": func(ctx context.Context, e *engine.Engine, what string) error {
			_, err := e.Backup(ctx, filepath.Join(dir, what+".db"))
			return err
		},
		"recall": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Recall(ctx, now)
			return err
		},
		"context": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Context(ctx, api.ContextRequest{Query: now.Query})
			return err
		},
		"load": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Load(ctx, api.LoadRequest{})
			return err
		},
		"trace": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Trace(ctx, api.TraceRequest{Ref: first})
			return err
		},
		"embed": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Embed(ctx, api.EmbedRequest{})
			return err
		},
		"conflicts": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Conflicts(ctx, api.OpenRequest{All: true})
			return err
		},
		"receipts": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Receipts(ctx, api.ReceiptsRequest{})
			return err
		},
		"doctor": func(ctx context.Context, e *engine.Engine, _ string) error {
			r, err := e.Doctor(ctx, api.DoctorRequest{})
			if err == nil && len(r.Problems) > 0 {
				err = fmt.Errorf("%v", r.Problems)
			}
			return err
		},
		"audit": func(ctx context.Context, e *engine.Engine, _ string) error {
			r, err := e.Audit(ctx, api.AuditRequest{})
			if err == nil && r.Exit != 0 {
				err = fmt.Errorf("exit %d, %+v", r.Exit, r.Report)
			}
			return err
		},
		"checkpoint": func(ctx context.Context, e *engine.Engine, _ string) error {
			_, err := e.Checkpoint(ctx, api.CheckpointRequest{})
			return err
		},
	}
	var all sync.WaitGroup
	for origin, e := range map[memory.Origin]*engine.Engine{memory.OriginAgent: p.Agent, memory.OriginOwner: p.Owner} {
		for i, name := range slices.Sorted(maps.Keys(acts)) {
			all.Go(func() {
				what := fmt.Sprint(name, i, origin)
				if err := acts[name](t.Context(), e, what); err != nil {
					t.Errorf("%s by %s: %v", name, origin, err)
				}
			})
		}
	}
	all.Wait()
	for i, origin := range []memory.Origin{memory.OriginAgent, memory.OriginOwner} {
		what := fmt.Sprint("remember", slices.Index(slices.Sorted(maps.Keys(acts)), "remember"), origin)
		r, err := p.Agent.Recall(t.Context(), api.RecallRequest{Query: "the crane of " + what, Budget: 20_000})
		if err != nil || !slices.ContainsFunc(r.Results, func(one api.Recalled) bool {
			return one.Text == "The crane of "+what+" lifts ten tons."
		}) {
			t.Errorf("%d: what was said meanwhile is not there: %v, %v", i, err, textsOf(r.Results))
		}
	}
}
