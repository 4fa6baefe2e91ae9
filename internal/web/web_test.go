package web_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/web"
)

// served is a store with a page before it.
type served struct {
	t testing.TB
	e *engine.Engine
	*httptest.Server
}

func serve(t testing.TB) *served {
	t.Helper()
	e, err := engine.Open(t.Context(), "mem", engine.Config{KeyDir: filepath.Join(t.TempDir(), "keys"), Origin: "owner"})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(web.Handler(web.Config{
		Engine: func(*http.Request) (*engine.Engine, error) { return e, nil },
	}))
	t.Cleanup(func() {
		s.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &served{t, e, s}
}

func (s *served) raw(text string) string {
	s.t.Helper()
	r, err := s.e.Capture(s.t.Context(), api.CaptureRequest{Text: text})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Ref
}

func (s *served) promote(text string, from ...string) string {
	s.t.Helper()
	r, err := s.e.Promote(s.t.Context(), api.PromoteRequest{From: from, Draft: api.Draft{Text: text}})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Ref
}

func (s *served) consolidate(text string, from ...string) string {
	s.t.Helper()
	r, err := s.e.Consolidate(s.t.Context(), api.ConsolidateRequest{From: from, Draft: api.Draft{Text: text}})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Ref
}

// get returns an answer and its body, as it came.
func (s *served) get(path string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.do(r)
}

func (s *served) post(path, body string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.do(r)
}

func (s *served) do(r *http.Request) (*http.Response, string) {
	s.t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res, string(body)
}

const wantPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' " +
	"data:; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// Every answer, also one that says no, forbids a browser all but what we serve.
func TestEveryAnswerIsGuarded(t *testing.T) {
	s := serve(t)
	for path, status := range map[string]int{
		"/": 200, "/search": 200, "/memory/belief:00": 200, "/review": 200, "/conflicts": 200, "/blast": 200,
		"/timeline": 200, "/people": 200, "/begin": 200,
		"/pack": 200, "/health": 200, "/plain": 200, "/nothing": 404, "/assets/nothing.js": 404, "/plain/x": 422,
		"/ui/graph": 405,
	} {
		res, _ := s.get(path)
		if res.StatusCode != status {
			t.Errorf("%s: %s, want %d", path, res.Status, status)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": wantPolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		} {
			if got := res.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

// Who mistypes an address sees the page, which says so, and not a line of a server.
func TestAnAddressOfNoPage(t *testing.T) {
	s := serve(t)
	res, body := s.get("/nothing", "Accept", "text/html,*/*")
	if res.StatusCode != 404 || !strings.Contains(body, `id="page"`) {
		t.Errorf("a browser is given %s: %.80s", res.Status, body)
	}
	for path, status := range map[string]int{
		"/assets/nothing.js": 404, "/ui/nothing": 404, "/ui/graph": 405, "/search": 200,
	} {
		res, body := s.get(path, "Accept", "text/html")
		if res.StatusCode != status || strings.Contains(body, `id="page"`) != (status == 200) {
			t.Errorf("%s: %s, want %d: %.80s", path, res.Status, status, body)
		}
	}
}

// The document names its parts by what is in them, and has nothing inline but data.
func TestBundle(t *testing.T) {
	s := serve(t)
	_, page := s.get("/")
	page = strings.Replace(page, `<script type="application/json" id="first">{`, "", 1)
	if inline := regexp.MustCompile(`<script(?:\s[^>]*)?>[^<]|<style|\son\w+=|\sstyle=`).FindString(page); inline != "" {
		t.Errorf("the document has %q", inline)
	}
	if away := regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*"`).FindString(page); away != "" {
		t.Errorf("the document asks for %s", away)
	}
	assets := regexp.MustCompile(`/assets/[\w-]+-[\w-]{8}\.(?:js|css)`).FindAllString(page, -1)
	if len(assets) != 4 {
		t.Fatalf("the document names %q, want a script, what it starts, one for browsers that are too old, and a sheet",
			assets)
	}
	total := 0
	for _, a := range assets {
		res, plain := s.get(a)
		if got := res.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s is kept %q", a, got)
		}
		res, packed := s.get(a, "Accept-Encoding", "gzip")
		if res.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s is not compressed", a)
		}
		total += len(packed)
		z, err := gzip.NewReader(strings.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || string(text) != plain {
			t.Errorf("%s is another when compressed: %v", a, err)
		}
	}
	if total > 60_000 {
		t.Errorf("the bundle has %d bytes, want at most 60,000", total)
	}
}

// A graph asks the engine and says where each record stands.
func TestGraph(t *testing.T) {
	s := serve(t)
	raw := s.raw("the cache was cold")
	episode := s.promote("measured it", raw)
	belief := s.consolidate("warm caches are faster", episode, raw)
	res, body := s.post("/ui/graph", `{"roots":[{"ref":"`+belief+`","back":5,"forward":1}]}`)
	var got struct {
		Roots []int
		Nodes []struct {
			Ref   string
			Layer int
			Y     float64
		}
		Arrows []struct {
			Newer, Older int
			Bends        [][2]float64
		}
		Layers int
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || res.StatusCode != 200 {
		t.Fatalf("%s %v: %s", res.Status, err, body)
	}
	layers := make(map[string]int)
	for _, n := range got.Nodes {
		layers[n.Ref] = n.Layer
	}
	if got.Layers != 3 || layers[raw] != 0 || layers[episode] != 1 || layers[belief] != 2 ||
		got.Nodes[got.Roots[0]].Ref != belief {
		t.Errorf("layers %v of %d, roots %v", layers, got.Layers, got.Roots)
	}
	bends := 0
	for _, a := range got.Arrows {
		bends += len(a.Bends)
	}
	if len(got.Arrows) != 3 || bends != 1 {
		t.Errorf("%d arrows with %d bends, want 3 with 1", len(got.Arrows), bends)
	}
}

// A tree that is too large to be read is folded where it is asked for so.
func TestFoldedGraph(t *testing.T) {
	s := serve(t)
	var raws []string
	for i := range 60 {
		raws = append(raws, s.raw(fmt.Sprintf("the cache was cold %d times", i)))
	}
	belief := s.consolidate("warm caches are faster", raws...)
	ask := func(more string) (d struct {
		All   int
		Nodes []struct {
			Ref, Words string
			Folded     int
		}
	}) {
		t.Helper()
		res, body := s.post("/ui/graph", `{"roots":[{"ref":"`+belief+`","back":3,"forward":2}]`+more+`}`)
		if err := json.Unmarshal([]byte(body), &d); err != nil || res.StatusCode != 200 {
			t.Fatalf("%s: %s", res.Status, body)
		}
		return d
	}
	if d := ask(""); len(d.Nodes) != 61 || d.All != 0 {
		t.Errorf("whole: %d nodes of %d", len(d.Nodes), d.All)
	}
	d := ask(`,"fold":36`)
	last := d.Nodes[len(d.Nodes)-1]
	if len(d.Nodes) != 10 || d.All != 61 || last.Folded != 52 || last.Words != "52 more: 52 raw" {
		t.Errorf("folded: %d nodes of %d, the last %+v", len(d.Nodes), d.All, last)
	}
	if d := ask(`,"fold":36,"open":["` + last.Ref + `"]`); len(d.Nodes) != 22 {
		t.Errorf("opened: %d nodes", len(d.Nodes))
	}
}

func TestBlast(t *testing.T) {
	s := serve(t)
	bad, good := s.raw("a rumour"), s.raw("a measurement")
	falls := s.promote("heard it", bad)
	other := s.promote("measured it", good)
	stays := s.consolidate("it is so", falls, other)
	type blast struct {
		Falls  int `json:"affected_count"`
		Stays  int `json:"survives_count"`
		Hidden int `json:"hidden_count"`
		Nodes  []struct{ Ref, Fate, Hidden string }
	}
	ask := func() (b blast) {
		t.Helper()
		if _, body := s.post("/ui/blast", `{"target":"`+bad+`"}`); json.Unmarshal([]byte(body), &b) != nil {
			t.Fatal(body)
		}
		return b
	}
	before := ask()
	fate := make(map[string]string)
	for _, n := range before.Nodes {
		fate[n.Ref] = n.Fate
	}
	if before.Falls != 1 || before.Stays != 1 || before.Hidden != 0 || fate[bad] != "root" || fate[falls] != "falls" ||
		fate[stays] != "stays" {
		t.Errorf("before: %+v", before)
	}
	if what, drawn := fate[other]; !drawn || what != "" {
		t.Errorf("what the survivor stands on is %q, drawn %v", what, drawn)
	}
	for refs, want := range map[string]string{
		`"` + bad + `"`: `{"falls":1}`, `"` + falls + `","` + other + `"`: `{"falls":1}`, `"` + stays + `"`: `{"falls":0}`,
		`"` + bad + `","` + good + `"`: `{"falls":3}`,
	} {
		if _, body := s.post("/ui/falling", `{"refs":[`+refs+`]}`); strings.TrimSpace(body) != want {
			t.Errorf("with %s together: %s, want %s", refs, body, want)
		}
	}
	if _, err := s.e.Quarantine(t.Context(), api.QuarantineRequest{Target: bad}); err != nil {
		t.Fatal(err)
	}
	if after := ask(); after.Hidden != 2 {
		t.Errorf("after: %+v", after)
	}
}

// Bad requests are answered in the protocol's own terms.
func TestBadRequests(t *testing.T) {
	s := serve(t)
	for _, tt := range []struct {
		path, body string
		status     int
	}{
		{"/ui/graph", `{`, 422},
		{"/ui/graph", ``, 422},
		{"/ui/graph", `{"nodes":1}`, 422},
		{"/ui/graph", `{"fold":36,"open":["x"]}`, 422},
		{"/ui/graph", `{"fold":"x"}`, 422},
		{"/ui/graph", `{"roots":[{"ref":"belief:000000000000"}]}`, 404},
		{"/ui/graph", `{"roots":[{"ref":"x"}]}`, 422},
		{"/ui/graph", `{"roots":"` + strings.Repeat("x", 2<<20) + `"}`, 422},
		{"/ui/blast", `{"target":"nothing"}`, 422},
		{"/ui/blast", `{"target":"raw:000000000000","limit":5001}`, 422},
		{"/ui/timeline", `{"as_of":"yore"}`, 422},
		{"/ui/found", `{"limit":-1}`, 422},
		{"/ui/found", `{"query":"x","kind":"nothing"}`, 422},
	} {
		res, body := s.post(tt.path, tt.body)
		var p struct {
			Status       int
			Kind, Detail string
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil || res.StatusCode != tt.status || p.Status != tt.status ||
			p.Kind == "" || p.Detail == "" {
			t.Errorf("%s %.40s: %s %s", tt.path, tt.body, res.Status, body)
		}
	}
}

// The page without a script shows the tree as nested lists, and words as words.
func TestPlain(t *testing.T) {
	s := serve(t)
	raw := s.raw("<script>alert(1)</script> \u202e\x1b[31m said it")
	belief := s.consolidate("</title><img src=x onerror=alert(1)>", s.promote("an episode", raw))
	_, page := s.get("/plain/" + belief)
	for _, want := range []string{
		"&lt;img src=x", "&lt;script&gt;alert(1)", `\u{202e}\u{1b}[31m`, "an episode",
		`href="/plain/` + raw + `"`, "/assets/",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if bad := regexp.MustCompile(`<(?:script|img)|[\x00-\x08\x0b-\x1f\x7f]|\x{202e}`).FindString(page); bad != "" {
		t.Errorf("the page has %q in it", bad)
	}
	_, list := s.get("/plain")
	if !strings.Contains(list, "an episode") {
		t.Error("the list has no episode")
	}
	if want := "<dt>trust</dt><dd>0."; !strings.Contains(page, want) {
		t.Errorf("the page has no %q", want)
	}
	if _, asked := s.get("/plain?q=%22%3E%3Cimg"); !strings.Contains(asked, `value="&#34;&gt;&lt;img"`) {
		t.Error("what is asked is not shown as words")
	}
	_, found := s.get("/plain?q=episode")
	if !strings.Contains(found, "an episode") || strings.Contains(found, "onerror=alert(1)>") {
		t.Error("the search does not find it")
	}
}

// The page without a script shows the marks that a search gives: what contradicts a memory, and what is unverified.
func TestPlainShowsMarks(t *testing.T) {
	s := serve(t)
	for _, text := range []string{"Ada lives in Turin", "Ada lives in Genoa"} {
		if _, err := s.e.Remember(t.Context(), api.RememberRequest{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	_, found := s.get("/plain?q=Where+does+Ada+live")
	if n := strings.Count(found, "contradicts belief:"); n != 2 {
		t.Errorf("%d of two results say what they contradict: %s", n, found)
	}
	refs := regexp.MustCompile(`/plain/(belief:[0-9a-f]{64})`).FindStringSubmatch(strings.ReplaceAll(found, "%3A", ":"))
	if refs == nil {
		t.Fatal("no belief is found")
	}
	if _, one := s.get("/plain/" + refs[1]); !strings.Contains(one, "contradicts belief:") {
		t.Error("the page of one does not say what it contradicts")
	}
}

func BenchmarkGraph(b *testing.B) {
	s := serve(b)
	var raws []string
	for range 200 {
		raws = append(raws, s.raw("words of a benchmark"))
	}
	top := s.consolidate("all of it", raws[:100]...)
	body := `{"roots":[{"ref":"` + top + `","back":-1,"forward":1}]}`
	for b.Loop() {
		if res, text := s.post("/ui/graph", body); res.StatusCode != 200 {
			b.Fatal(text)
		}
	}
}
