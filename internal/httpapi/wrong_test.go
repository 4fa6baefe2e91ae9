package httpapi

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
)

// A request that is wrong in the protocol's terms is answered in them.
func TestProtocol(t *testing.T) {
	s := newRig(t)
	deep := strings.Repeat(`{"text":`, ops.MaxDepth+1) + `1` + strings.Repeat(`}`, ops.MaxDepth+1)
	for _, tt := range []struct {
		method, path, body string
		headers            string
		status             int
		kind               string
	}{
		{"POST", "/v1/no_such", `{}`, "", 404, "not_found"},
		{"POST", "/v2/capture", `{}`, "", 404, "not_found"},
		{"POST", "/v1/capture/more", `{}`, "", 404, "not_found"},
		{"GET", "/v1/stats", "", "", 405, "method_not_allowed"},
		{"DELETE", "/v1/capture", "", "", 405, "method_not_allowed"},
		{"POST", "/v1/events", `{}`, "", 405, "method_not_allowed"},
		{"GET", "/v1/export", "", "", 405, "method_not_allowed"},
		{"POST", "/v1/capture", `{"text":"x"}`, "Content-Type: text/plain", 415, "unsupported_media_type"},
		{
			"POST", "/v1/capture", `{"text":"x"}`, "Content-Type: application/x-www-form-urlencoded", 415,
			"unsupported_media_type",
		},
		{"POST", "/v1/capture", `{"text":"` + strings.Repeat("x", mostBytes) + `"}`, "", 413, "too_large"},
		{"POST", "/v1/capture", deep, "", 400, "malformed"},
		{"POST", "/v1/capture", strings.Repeat("[", 100_000), "", 400, "malformed"},
		{"POST", "/v1/capture", "{\"text\":\"\xff\"}", "", 400, "malformed"},
		{"POST", "/v1/capture", `{"text":"x"}`, "Idempotency-Key: " + strings.Repeat("k", mostKey+1), 400, "malformed"},
		{"POST", "/v1/capture", `{"text":"x"`, "", 422, "invalid"},
		{"POST", "/v1/capture", `{"text":"x","more":1}`, "", 422, "invalid"},
		{"POST", "/v1/capture", `{"text":" "}`, "", 422, "invalid"},
		{"POST", "/v1/capture", `{"text":"x"}`, "Stemma-Space: no such/../shelf", 422, "invalid"},
		{"POST", "/v1/show", `{"ref":"raw:00000000"}`, "", 404, "not_found"},
		{"POST", "/v1/approve", `{"refs":["note:00000000"]}`, "", 403, "forbidden"},
		{"POST", "/v1/add", `{"kind":"note","text":"x","approve":true}`, "", 403, "forbidden"},
		{"POST", "/v1/import", `{}`, "Content-Type: text/html", 415, "unsupported_media_type"},
		{"POST", "/v1/import", `{}`, "", 422, "invalid"},
		{"POST", "/v1/ingest", `{"kind":"key","body":{}}`, "", 422, "invalid"},
		{"GET", "/v1/events", "", "Last-Event-ID: no cursor", 422, "invalid"},
		{"GET", "/v1/events?after=no+cursor", "", "", 422, "invalid"},
	} {
		var headers []string
		if tt.headers != "" {
			headers = []string{tt.headers}
		}
		r, body := s.ask(t, tt.method, tt.path, tt.body, headers...)
		var p access.Problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || r.StatusCode != tt.status || p.Status != tt.status ||
			p.Kind != tt.kind ||
			p.Detail == "" || p.Title == "" || !strings.HasSuffix(p.Type, "#"+tt.kind) ||
			r.Header.Get("Content-Type") != access.ProblemType {
			t.Errorf(
				"%s %s %.40s %.60s: %d %s, want %d %s", tt.method, tt.path, tt.headers, tt.body, r.StatusCode,
				body, tt.status, tt.kind,
			)
		}
	}
	s.unchanged(t)
}

// unchanged says that nothing was written.
func (s *rig) unchanged(t *testing.T) {
	t.Helper()
	if _, text := s.ask(t, "POST", "/v1/stats", ""); !strings.Contains(text, `"records":0`) {
		t.Errorf("something was stored: %s", text)
	}
}

// Two hundred generated requests, each wrong in one way, are each a problem, and
// change nothing.
func TestGeneratedNonsense(t *testing.T) {
	s := newRig(t, func(o *Options) { o.Reads, o.Writes = access.Limit{}, access.Limit{} })
	r := rand.New(rand.NewSource(6))
	wrongs := []func(name string, properties []string) string{
		func(string, []string) string { return `{"no such member":1}` },
		func(_ string, p []string) string { return fmt.Sprintf(`{%q:{"of":["another","type"]}}`, pick(r, p)) },
		func(_ string, p []string) string { return fmt.Sprintf(`{%q:`, pick(r, p)) },
		func(_ string, p []string) string { return fmt.Sprintf(`{%q:%s}`, pick(r, p), strings.Repeat("[", 40)) },
		func(string, []string) string { return `[{}]` },
		func(string, []string) string { return `{} trailing` },
		func(_ string, p []string) string {
			return fmt.Sprintf(`{%q:"%s"}`, pick(r, p), strings.Repeat("x", mostBytes))
		},
		func(string, []string) string { return "\x00\x01\x02" },
		func(_ string, p []string) string { return fmt.Sprintf(`{%q:1e999}`, pick(r, p)) },
		func(_ string, p []string) string { return strings.Repeat(`{"a":`, 2000) + "1" },
	}
	for i := range 200 {
		op := ops.All[r.Intn(len(ops.All))]
		in, err := op.Request()
		if err != nil {
			t.Fatal(err)
		}
		properties := []string{"text"}
		for name, p := range in.Properties {
			if p.Type != "object" {
				properties = append(properties, name)
			}
		}
		body := wrongs[i%len(wrongs)](op.Name, properties)
		got, text := s.ask(t, "POST", "/v1/"+op.Name, body)
		var p access.Problem
		if err := json.Unmarshal([]byte(text), &p); err != nil || got.StatusCode < 400 || got.StatusCode > 499 ||
			p.Detail == "" {
			t.Errorf("%s %.80s: %d %.200s", op.Name, body, got.StatusCode, text)
		}
	}
	s.unchanged(t)
}

func pick(r *rand.Rand, list []string) string { return list[r.Intn(len(list))] }

// A client that hangs up in the middle changes nothing and keeps no one else from
// being served.
func TestHangingUp(t *testing.T) {
	s := newRig(t)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(c, "POST /v1/capture HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: "+
				"application/json\r\nContent-Length: 100000\r\n\r\n{\"text\":\"half",
				strings.TrimPrefix(s.URL, "http://"), s.tokens.Agent)
			c.Close()
		})
	}
	wg.Wait()
	s.unchanged(t)
}

// Beyond what one client may do it is told how long to wait; others are not.
func TestLimits(t *testing.T) {
	now := time.Unix(0, 0)
	var mu sync.Mutex
	s := newRig(t, func(o *Options) {
		o.Writes, o.Reads = access.Limit{Rate: 1, Burst: 3}, access.Limit{Rate: 100, Burst: 100}
		o.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	write := func(agent string) *http.Response {
		r, _ := s.ask(t, "POST", "/v1/capture", `{"text":"x"}`, "Stemma-Agent: "+agent)
		return r
	}
	for range 3 {
		if r := write("one"); r.StatusCode != 200 {
			t.Fatalf("within the limit: %d", r.StatusCode)
		}
	}
	if r := write("one"); r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "1" {
		t.Errorf("beyond the limit: %d, Retry-After %q; want 429 and 1", r.StatusCode, r.Header.Get("Retry-After"))
	}
	if r := write("two"); r.StatusCode != 200 {
		t.Errorf("another client: %d", r.StatusCode)
	}
	if r, _ := s.ask(t, "POST", "/v1/stats", "", "Stemma-Agent: one"); r.StatusCode != 200 {
		t.Errorf("a read of one who wrote too much: %d", r.StatusCode)
	}
	mu.Lock()
	now = now.Add(time.Second)
	mu.Unlock()
	if r := write("one"); r.StatusCode != 200 {
		t.Errorf("who waited as told: %d", r.StatusCode)
	}
}
