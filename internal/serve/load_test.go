package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
)

// What many clients at once are to a server.
const (
	manyClients = 200
	perSecond   = 300 // requests in all, one in five a capture
	captureEach = 5
)

// sample is what one request was.
type sample struct {
	took time.Duration
	ref  string // of a capture
	err  error
}

// Two hundred clients that are connected all the while ask three hundred times a
// second, one in five a durable capture: no one is refused and nothing is lost.
// With STEMMA_LONG it goes on for a minute, and the server is to stay small. How
// quick it is, BenchmarkManyClients tells.
func TestManyClients(t *testing.T) {
	lasts, long := 2*time.Second, os.Getenv("STEMMA_LONG") != ""
	if long {
		lasts = time.Minute
	}
	r := start(t, func(o *Options) { o.Writes = 20 })
	seed := client.New(r.url, r.tokens.Agent)
	for i := range 50 {
		said := fmt.Sprintf("the harbour light %d was slow", i)
		if _, err := seed.Capture(t.Context(), api.CaptureRequest{Text: said}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	samples := drive(t, r, lasts)
	runtime.GC()
	runtime.ReadMemStats(&after)

	var took []time.Duration
	wrote := make(map[string]bool)
	captures := 0
	for _, s := range samples {
		took = append(took, s.took)
		if s.err != nil {
			t.Fatalf("a request failed: %v", s.err)
		}
		if s.ref != "" {
			captures++
			wrote[s.ref] = true
		}
	}
	slices.Sort(took)
	at := func(part float64) time.Duration {
		return took[int(part*float64(len(took)-1))].Round(time.Millisecond / 10)
	}
	t.Logf("%d requests in %v, %d captures: half within %v, 99 of 100 within %v, all within %v; heap %d kB, then %d kB",
		len(took), lasts, captures, at(0.5), at(0.99), at(1), before.HeapInuse>>10, after.HeapInuse>>10)
	if len(wrote) != captures || captures < len(samples)/captureEach-1 {
		t.Errorf("%d captures of %d requests gave %d refs", captures, len(samples), len(wrote))
	}
	r.holds(t, wrote)
	// the client asks again where it is told to wait: no one was to be told
	if _, text := r.do(
		t, http.DefaultClient, "GET", "/metrics", "", "Authorization: Bearer "+r.tokens.Agent,
	); !strings.Contains(text, "\nstemma_limited_total 0\n") {
		t.Error("some were told to wait")
	}
	if more := uint64(64 << 20); long && after.HeapInuse > before.HeapInuse+more {
		t.Errorf("the heap grew from %d to %d bytes", before.HeapInuse, after.HeapInuse)
	}
}

// BenchmarkManyClients says how long requests take, on a machine that does nothing
// else: go test -run - -bench ManyClients -benchtime 1x ./internal/serve
func BenchmarkManyClients(b *testing.B) {
	r := start(b, func(o *Options) { o.Writes = 20 })
	for b.Loop() {
		var took []time.Duration
		for _, s := range drive(b, r, time.Minute) {
			if s.err != nil {
				b.Fatal(s.err)
			}
			took = append(took, s.took)
		}
		slices.Sort(took)
		b.ReportMetric(float64(len(took))/time.Minute.Seconds(), "requests/s")
		b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms-half")
		b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "ms-99of100")
	}
}

// drive asks at an even rate, each client on a connection of its own.
func drive(t testing.TB, r *running, lasts time.Duration) []sample {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), lasts)
	defer stop()
	var mu sync.Mutex
	var samples []sample
	var wg sync.WaitGroup
	turns := make(chan int, perSecond)
	for n := range manyClients {
		c := client.New(r.url, r.tokens.Agent)
		c.Agent = fmt.Sprint("client ", n)
		own := &http.Transport{MaxIdleConnsPerHost: 1}
		c.HTTP = &http.Client{Transport: own}
		wg.Go(func() {
			defer own.CloseIdleConnections()
			for turn := range turns {
				s := once(t.Context(), c, turn)
				mu.Lock()
				samples = append(samples, s)
				mu.Unlock()
			}
		})
	}
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	began := time.Now()
	for turn := 0; ctx.Err() == nil; {
		select {
		case <-tick.C: // some are left out where the machine is busy: what is due by now is asked all the same
			for due := int(time.Since(began).Seconds() * perSecond); turn < due; turn++ {
				turns <- turn
			}
		case <-ctx.Done():
		}
	}
	close(turns)
	wg.Wait()
	return samples
}

// once asks for one thing, once: what a server says to wait for is a failure here.
func once(ctx context.Context, c *client.Client, turn int) sample {
	var s sample
	began := time.Now()
	switch turn % captureEach {
	case 0:
		var w api.WriteReply
		w, s.err = c.Capture(ctx, api.CaptureRequest{Text: fmt.Sprintf("turn %d at the harbour", turn)})
		s.ref = w.Ref
	case 1:
		_, s.err = c.Recent(ctx, api.RecentRequest{Limit: 5})
	case 2, 3:
		_, s.err = c.Search(ctx, api.SearchRequest{Query: "slow harbour light", Limit: 5})
	default:
		_, s.err = c.List(ctx, api.ListRequest{Kind: "raw", Limit: 10})
	}
	s.took = time.Since(began)
	return s
}

// holds tells that the store has every one of some records.
func (r *running) holds(t *testing.T, wrote map[string]bool) {
	t.Helper()
	lost := 0
	for ref := range wrote {
		if _, err := r.o.Engine.Show(t.Context(), api.RefRequest{Ref: ref}); err != nil {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d captures are lost", lost, len(wrote))
	}
	d, err := r.o.Engine.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil || len(d.Problems) > 0 {
		text, _ := json.Marshal(d.Problems)
		t.Errorf("the store after it: %v, %s", err, text)
	}
}
