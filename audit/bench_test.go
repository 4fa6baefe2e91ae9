package audit

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// manyRecords is a store of some size, most of it what agents were told.
func manyRecords(t testing.TB, n int) ([]byte, []*memory.Record) {
	s := newScene(t)
	ada := s.owner(1, "Ada")
	agent := s.agent(ada, 2, time.Time{})
	var all []*memory.Record
	var last *memory.Record
	for i := range n {
		h := s.header(agent)
		h.Nonce = fmt.Sprintf("%020dAA", i)
		text := fmt.Sprintf(
			"Turn %d: we agreed that releases happen on Fridays, unless the freeze of Thursday found something; then "+
				"they wait until Monday and somebody writes down why it had to.",
			i,
		)
		var b memory.Body = &memory.Raw{Text: text, Source: "hook", Event: "turn"}
		if last != nil && i%4 == 0 {
			h.Provenance = memory.Provenance{Via: memory.ViaPromote, From: []memory.Ref{last.Ref()}}
			b = &memory.Note{Type: "insight", Summary: text}
		}
		last = s.put(s.sign(must(memory.Write(h, b)), agent))
		all = append(all, last)
	}
	s.checkpoint(ada.space, agent)
	return s.bundle(), all
}

// BenchmarkBundle compares an audit with the checks of signatures alone, by as
// many processors, turn by turn in one run: the ratio is the median of the turns,
// the times are the least. STEMMA_LONG makes it 100,000 records.
func BenchmarkBundle(b *testing.B) {
	n := 10_000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 100_000
	}
	raw, all := manyRecords(b, n)
	var whole, alone, ratios []float64
	for b.Loop() {
		began := time.Now()
		if r := audit(b, raw, Options{}); r.Exit() != report.ExitOK || r.Statements != n+2 {
			b.Fatal(show(r))
		}
		whole = append(whole, time.Since(began).Seconds())
		began = time.Now()
		signatures(b, all)
		alone = append(alone, time.Since(began).Seconds())
		ratios = append(ratios, whole[len(whole)-1]/alone[len(alone)-1])
	}
	slices.Sort(ratios)
	b.ReportMetric(slices.Min(whole), "s/audit")
	b.ReportMetric(slices.Min(alone), "s/signatures")
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}

// signatures verifies records and does nothing else.
func signatures(b *testing.B, all []*memory.Record) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				r := all[i]
				if err := keys.Verify(
					r.Header.Author, keys.PayloadType(string(r.Header.Kind), 1), r.Bytes, r.Sigs[0].Sig,
				); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
}
