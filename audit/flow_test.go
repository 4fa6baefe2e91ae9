package audit

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// More than may be on its way is taken in in its order, and what is wrong in it is
// told of the line where it stands.
func TestFlowOrder(t *testing.T) {
	const n = maxBatches*batchLines + 3*batchLines + 1
	raw, _ := manyRecords(t, n)
	r := audit(t, raw, Options{})
	if r.Exit() != ExitOK || r.Counts[OK] != n+2 {
		t.Fatalf("%d of %d are fine, exit %d: %s", r.Counts[OK], n+2, r.Exit(), show(r)) // out of order, the root is another
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	wrong := []int{2, 500, n}
	for _, at := range wrong {
		lines[at-1] = []byte("{}\n")
	}
	r = audit(t, bytes.Join(lines, nil), Options{Offenders: n})
	var got []int
	for _, f := range r.Offenders {
		if f.Status == BadEnvelope {
			got = append(got, f.Line)
		}
	}
	if len(got) != len(wrong) || got[0] != wrong[0] || got[1] != wrong[1] || got[2] != wrong[2] {
		t.Errorf("bad lines %v, want %v", got, wrong)
	}
}

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
	if err := a.Add(ctx, []Statement{{Ref: memory.Ref{Kind: memory.KindRaw}, Bytes: []byte("{}")}}); !errors.Is(err, context.Canceled) {
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
