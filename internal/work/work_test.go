package work

import (
	"context"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm/llmtest"
)

// A server that is asked all the time makes no vectors, and compares what is written all the same.
func TestJobsWaitForNoQuiet(t *testing.T) {
	e, err := engine.Open(t.Context(), "mem", engine.Config{Embedder: llmtest.Hashed(8, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	w := New(e, Options{First: time.Millisecond, Say: t.Logf})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Run(ctx)
	}()
	asking := time.NewTicker(5 * time.Millisecond)
	defer asking.Stop()
	write := func(text string) {
		t.Helper()
		said, err := e.Capture(ctx, api.CaptureRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		draft := api.Draft{Kind: "belief", Text: text}
		made, err := e.Promote(ctx, api.PromoteRequest{From: []string{said.Ref}, Draft: draft})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Compare(ctx, api.CompareRequest{Ref: made.Ref}); err != nil {
			t.Fatal(err)
		}
		w.Wake()
	}
	w.Asked()
	write("The deploy runs on Fridays")
	begun := time.Now()
	for wrote := false; ; <-asking.C {
		w.Asked()
		if since := time.Since(begun); !wrote && since > 2*afterWrite { // it waits for a quiet moment by now
			wrote = true
			write("The deploy does not run on Fridays")
			if jobs, err := e.Jobs(ctx, api.OpenRequest{}); err != nil || jobs.Open == 0 {
				t.Fatalf("what was written left no job: %+v, %v", jobs, err)
			}
		} else if since > 15*time.Second {
			t.Fatal("jobs waited for a moment in which nothing is asked")
		}
		jobs, err := e.Jobs(ctx, api.OpenRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if wrote && jobs.Open == 0 {
			break
		}
	}
	stop()
	<-done
}
