package tracing

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// collector is what spans are sent to.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	header http.Header
}

func collect(t *testing.T, status int) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		c.bodies, c.header = append(c.bodies, string(text)), r.Header
		c.mu.Unlock()
		w.WriteHeader(status)
	}))
	t.Cleanup(c.Close)
	return c
}

type sent struct {
	TraceID      string `json:"traceId"`
	SpanID       string `json:"spanId"`
	ParentSpanID string `json:"parentSpanId"`
	TraceState   string `json:"traceState"`
	Name         string `json:"name"`
	Kind         int    `json:"kind"`
	Status       struct{ Code int }
	Attributes   []struct {
		Key   string
		Value struct{ StringValue, IntValue string }
	}
}

// spans returns what was sent.
func (c *collector) spans(t *testing.T) []sent {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []sent
	for _, body := range c.bodies {
		var in struct {
			ResourceSpans []struct {
				ScopeSpans []struct{ Spans []sent } `json:"scopeSpans"`
			} `json:"resourceSpans"`
		}
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			t.Fatal(err)
		}
		for _, r := range in.ResourceSpans {
			for _, s := range r.ScopeSpans {
				out = append(out, s.Spans...)
			}
		}
	}
	return out
}

// telling does something under a tracer, and ends it.
func telling(t *testing.T, o Options, do func(ctx context.Context, tr *Tracer)) *Tracer {
	t.Helper()
	tr := New(o)
	ctx, end := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { tr.Run(ctx) })
	do(With(t.Context(), tr), tr)
	end()
	done.Wait()
	return tr
}

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestSpansAreSent(t *testing.T) {
	c := collect(t, http.StatusOK)
	given := http.Header{}
	tr := telling(t, Options{
		Target: otlp.Target{
			Endpoint: c.URL + "/v1/traces", Service: "memory", Version: "1",
			Headers: map[string]string{"X-Key": "k"},
		},
	}, func(ctx context.Context, tr *Tracer) {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /v1/{name}", func(_ http.ResponseWriter, r *http.Request) {
			ctx, s := Start(r.Context(), Inside, "operation search", Number("n", 3))
			Give(ctx, given)
			s.Fail("not_found")
			s.End()
			s.End()
		})
		r := httptest.NewRequestWithContext(
			ctx, http.MethodPost, "/v1/kingfisher?q=kingfisher", strings.NewReader("kingfisher"),
		)
		r.Header.Set("Traceparent", parent)
		r.Header.Set("Tracestate", "a=b")
		Served(tr, mux).ServeHTTP(httptest.NewRecorder(), r)
	})
	all := c.spans(t)
	if len(all) != 2 || tr.Dropped() != 0 {
		t.Fatalf("%d spans came and %d were dropped, want 2 and 0", len(all), tr.Dropped())
	}
	inner, outer := all[0], all[1]
	switch {
	case outer.Name != "POST /v1/{name}" || outer.Kind != int(Server) || outer.ParentSpanID != "00f067aa0ba902b7" ||
		outer.TraceState != "a=b":
		t.Errorf("the request is told as %+v", outer)
	case inner.Name != "operation search" || inner.ParentSpanID != outer.SpanID ||
		inner.TraceID != "4bf92f3577b34da6a3ce929d0e0e4736" || inner.Status.Code != 2:
		t.Errorf("what was done in it is told as %+v", inner)
	case given.Get("Traceparent") != "00-"+inner.TraceID+"-"+inner.SpanID+"-01" || given.Get("Tracestate") != "a=b":
		t.Errorf("others are given %v", given)
	case c.header.Get("X-Key") != "k" || !strings.Contains(c.bodies[0], `"memory"`):
		t.Errorf("the collector got %v, %s", c.header, c.bodies[0])
	case strings.Contains(strings.Join(c.bodies, ""), "kingfisher"):
		t.Errorf("a word of the request was sent: %s", c.bodies)
	}
}

func TestNothingWhereNothingIsSet(t *testing.T) {
	tr := New(Options{})
	ctx := With(t.Context(), tr)
	inner, s := Start(ctx, Inside, "x")
	s.Set(Number("n", 1))
	s.Fail("x")
	s.End()
	tr.Run(ctx)
	h := http.Header{}
	Give(inner, h)
	if tr != nil || s != nil || len(h) != 0 || inner != ctx || tr.Dropped() != 0 {
		t.Errorf("without an address: %v, %v, %v", tr, s, h)
	}
}

func TestCollectorThatIsDown(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:1", collect(t, http.StatusServiceUnavailable).URL} {
		said := 0
		tr := telling(t, Options{
			Target: otlp.Target{Endpoint: url}, Say: func(error) { said++ },
		}, func(ctx context.Context, _ *Tracer) {
			for range mostAtOnce + mostAtOnce/2 {
				_, s := Start(ctx, Inside, "x")
				s.End()
			}
		})
		if tr.Dropped() != mostAtOnce+mostAtOnce/2 || said != 1 {
			t.Errorf("%s: %d dropped, said %d times", url, tr.Dropped(), said)
		}
	}
	// no one sends: whoever ends a span does not wait
	tr := New(Options{Target: otlp.Target{Endpoint: "http://127.0.0.1:1"}})
	for range mostWaiting + 5 {
		_, s := Start(With(t.Context(), tr), Inside, "x")
		s.End()
	}
	if tr.Dropped() != 5 {
		t.Errorf("%d dropped of a full queue, want 5", tr.Dropped())
	}
}

func TestSampling(t *testing.T) {
	silent := strings.TrimSuffix(parent, "1") + "0"
	const many = 4000
	for _, tt := range []struct {
		name, arg, parent string
		least, most       int // of 4,000
	}{
		{"", "", "", many, many}, {"", "", silent, 0, 0},
		{"always_on", "", silent, many, many}, {"always_off", "", parent, 0, 0},
		{"traceidratio", "0.25", "", 800, 1200}, {"traceidratio", "0", "", 0, 0}, {"traceidratio", "1", "", many, many},
		{"parentbased_traceidratio", "0.25", "", 800, 1200}, {
			"parentbased_traceidratio", "0", parent, many, many,
		}, {"parentbased_traceidratio", "1", silent, 0, 0},
		{"parentbased_always_off", "", "", 0, 0}, {"parentbased_always_off", "", parent, many, many},
		{"xray", "", "", many, many}, {"traceidratio", "much", "", many, many},
	} {
		env := map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1/", "OTEL_TRACES_SAMPLER": tt.name,
			"OTEL_TRACES_SAMPLER_ARG": tt.arg,
		}
		var wrong error
		tr := New(FromEnv(func(k string) string { return env[k] }, "", func(err error) { wrong = err }))
		ctx := With(t.Context(), tr)
		if tt.parent != "" {
			ctx = From(ctx, http.Header{"Traceparent": {tt.parent}})
		}
		n := 0
		for range many {
			inner, s := Start(ctx, Inside, "x")
			if s != nil {
				n++
			}
			if _, below := Start(inner, Inside, "y"); (below != nil) != (s != nil) {
				t.Fatalf("%+v: a span within is told of: %v, the one around it: %v", tt, below != nil, s != nil)
			}
		}
		if n < tt.least || n > tt.most {
			t.Errorf("%+v: %d of %d are told of", tt, n, many)
		}
		if (wrong != nil) != (tt.name == "xray" || tt.arg == "much") {
			t.Errorf("%+v: said %v", tt, wrong)
		}
	}
}

func TestParse(t *testing.T) {
	if p, ok := parse(parent); !ok || !p.trace.sampled {
		t.Errorf("%s gives %v, %v", parent, p, ok)
	}
	if _, ok := parse("01" + parent[2:] + "-more"); !ok {
		t.Error("a later version is not read")
	}
	for _, text := range []string{
		"", "00", parent[:54], parent + "-", parent + "x", "ff" + parent[2:], "01" + parent[2:] + "x",
		strings.ToUpper(parent), strings.Replace(parent, "-", "_", 1),
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01",
		"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "0g" + parent[2:],
	} {
		if _, ok := parse(text); ok {
			t.Errorf("%q is read", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(parent)
	f.Add("01" + parent[2:] + "-more")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parse(text)
		if !ok {
			return
		}
		h := http.Header{}
		Give(context.WithValue(t.Context(), placeKey{}, p), h)
		if again, ok := parse(h.Get(parentHeader)); !ok || again != p {
			t.Errorf("%q is given as %q", text, h.Get(parentHeader))
		}
	})
}
