package audit

import (
	"context"
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// What is on its way is bounded, in number and in bytes, and nothing goes on when
// the audit is called off.
func TestFlowBounds(t *testing.T) {
	for name, size := range map[string]int{"lines": 100, "bytes": maxOnWay / 3} {
		a := must(New(Options{}))
		for range 3 * maxBatches {
			// the bytes are counted as they are said to be, so that the test needs none
			if err := a.send(t.Context(), []input{{line: 1, raw: []byte("{}")}}, size); err != nil {
				t.Fatal(err)
			}
			if f := &a.flow; len(f.queue) > maxBatches || f.size > maxOnWay {
				t.Fatalf("%s: %d batches of %d bytes are on their way", name, len(f.queue), f.size)
			}
		}
		if r := a.Report(); r.Statements != 3*maxBatches || a.flow.size != 0 {
			t.Errorf("%s: %d statements, %d bytes left", name, r.Statements, a.flow.size)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := must(New(Options{}))
	if err := a.Add(
		ctx, []Statement{{Ref: memory.Ref{Kind: memory.KindRaw}, Bytes: []byte("{}")}},
	); !errors.Is(err, context.Canceled) {
		t.Errorf("Add after the end: %v", err)
	}
	a.flow.slots = make(chan struct{}, 1)
	a.flow.slots <- struct{}{} // nothing is done while every slot is taken
	for range maxBatches {
		a.verify([]input{{line: 1, raw: []byte("{}")}}, 1)
	}
	if err := a.send(ctx, []input{{line: 2}}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("send after the end: %v", err)
	}
	<-a.flow.slots
	a.drain()
}
