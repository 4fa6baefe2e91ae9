package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// rig is a server with a store of its own, and its agents' token.
type rig struct {
	path string // of the store
	*httptest.Server
	tokens access.Tokens
	engine *engine.Engine
	api    *API
	done   chan struct{}
}

func newRig(t *testing.T, change ...func(*Options)) *rig {
	t.Helper()
	dir := t.TempDir()
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}, Dir: dir},
	)
	if err != nil {
		t.Fatal(err)
	}
	s := &rig{engine: e, path: filepath.Join(dir, "memory.db"), done: make(chan struct{})}
	if s.tokens, err = access.Keep(filepath.Join(dir, "server")); err != nil {
		t.Fatal(err)
	}
	o := Options{Done: s.done, Info: Info{"test"}, Engine: func(r *http.Request) (*engine.Engine, error) {
		who, _ := access.CallerOf(r.Context())
		return e.As(
			engine.Caller{Origin: who.Origin, Agent: who.Agent, Platform: who.Platform, Session: who.Session, Space: who.Space},
		)
	}}
	for _, c := range change {
		c(&o)
	}
	s.api = New(o)
	inside := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(inside.Listener.Addr().String(), ":")
	guard, err := access.New(access.Options{Tokens: s.tokens, Port: port})
	if err != nil {
		t.Fatal(err)
	}
	inside.Config.Handler = guard.Ask(s.api.Handler())
	inside.Start()
	s.Server = inside
	t.Cleanup(func() {
		close(s.done)
		s.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask sends a request as an agent; headers are "Name: text".
func (s *rig) ask(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.tokens.Agent)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, text, _ := strings.Cut(h, ": ")
		r.Header.Set(name, text)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// write does a write that must succeed, and gives its ref.
func (s *rig) write(t *testing.T, op, body string, headers ...string) string {
	t.Helper()
	r, text := s.ask(t, "POST", "/v1/"+op, body, headers...)
	var reply api.WriteReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil || r.StatusCode != 200 {
		t.Fatalf("%s: %d %s", op, r.StatusCode, text)
	}
	return reply.Ref
}

// filled is a rig whose store holds a belief on an episode on a raw.
func filled(t *testing.T, change ...func(*Options)) (s *rig, raw, belief string) {
	t.Helper()
	s = newRig(t, change...)
	raw = s.write(t, "capture", `{"text":"words of a test & <more>"}`)
	episode := s.write(t, "promote", fmt.Sprintf(`{"from":[%q],"kind":"episode","text":"an episode"}`, raw))
	belief = s.write(t, "consolidate", fmt.Sprintf(`{"from":[%q],"kind":"belief","text":"a belief about words"}`, episode))
	return s, raw, belief
}

// reading are requests that read, for the operations that have one.
func reading(raw, belief string) map[string]string {
	ref := func(r string) string { return fmt.Sprintf(`{"ref":%q}`, r) }
	return map[string]string{
		"jobs": `{"limit":5}`, "conflicts": `{}`, "suggestions": `{"kind":"belief"}`, "entities": ``,
		"show": ref(belief), "list": `{"kind":"belief"}`,
		"search": `{"query":"words"}`, "trace": ref(belief), "evidence": ref(belief), "provenance": ref(belief),
		"derived": ref(raw),
		"sources": ref(belief), "from_raw": ref(raw), "raw_sources": ref(belief), "history": ref(belief),
		"uncertain":          `{"threshold":0.9}`,
		"decisions":          `{"limit":5}`,
		"confidence_history": ref(belief), "emotion_summary": `{}`, "identity": `{}`,
		"taint": fmt.Sprintf(`{"target":%q}`, raw), "trust": ref(belief),
		"explain": ref(belief), "forget_list": `{}`, "review": `{}`, "check": `{"all":true}`,
		"context": `{"query":"words"}`, "load": `{}`, "recent": `{}`,
		"receipts": `{}`, "anchor_line": ref(belief), "prove": ref(belief), "keys": `{}`, "key_show": `{}`,
		"key_export_public": `{}`, "stats": ``, "doctor": `{}`,
		"playbook_find": `{"situation":"words"}`, "status": `{}`, "forget_candidates": `{}`, "audit": `{}`,
	}
}

// Over HTTP an operation says what it says in the library, under each of its
// names.
func TestOperations(t *testing.T) {
	s, raw, belief := filled(t)
	n := 0
	for name, request := range reading(raw, belief) {
		op, ok := ops.Find(name)
		if !ok {
			t.Fatalf("there is no operation %s", name)
		}
		agent, err := s.engine.As(engine.Caller{})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := op.Do(t.Context(), agent, []byte(request))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(reply); err != nil {
			t.Fatal(err)
		}
		for _, called := range append([]string{name}, op.Aliases...) {
			r, got := s.ask(t, "POST", "/v1/"+called, request)
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/json" || !sameJSON(t, got, want.String()) {
				t.Errorf("%s over HTTP: %d\n%s\nwant\n%s", called, r.StatusCode, got, want.String())
			}
			n++
		}
	}
	if n < 40 {
		t.Errorf("%d names were tried", n)
	}
}

// sameJSON compares replies but for what the clock says and how long it took.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%v in %s", err, a)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return reflect.DeepEqual(timeless(x), timeless(y))
}

func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			switch k {
			case "elapsed", "elapsed_ns", "took_ms", "last_used", "times_used", "bytes":
				delete(v, k)
			default:
				v[k] = timeless(x)
			}
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

// A pack is given as a model reads it to who asks for that.
func TestPacksAsText(t *testing.T) {
	s, _, _ := filled(t)
	for accept, want := range map[string]string{
		"text/plain": "text/plain; charset=utf-8", "text/markdown": "text/markdown; charset=utf-8",
		"*/*": "application/json",
	} {
		r, body := s.ask(t, "POST", "/v1/context", `{"query":"words"}`, "Accept: "+accept)
		if got := r.Header.Get("Content-Type"); got != want || !strings.Contains(body, "a belief about words") {
			t.Errorf("a pack as %s comes as %s:\n%s", accept, got, body)
		}
	}
}

// What a caller says of itself stands in what it writes, in the space it names.
func TestVoices(t *testing.T) {
	s := newRig(t)
	ref := s.write(
		t, "capture", `{"text":"said on tuesday"}`, "Stemma-Session: tuesday", "Stemma-Agent: one",
		"Stemma-Space: work",
	)
	_, text := s.ask(t, "POST", "/v1/show", fmt.Sprintf(`{"ref":%q}`, ref), "Stemma-Space: work")
	var shown api.ShowReply
	if err := json.Unmarshal([]byte(text), &shown); err != nil || shown.Session != "tuesday" || shown.Origin != "agent" {
		t.Errorf("it shows as %s", text)
	}
	if _, text := s.ask(t, "POST", "/v1/list", `{"kind":"raw"}`); strings.Contains(text, ref) {
		t.Error("what is in one space is listed in another")
	}
	owner := s.write(t, "capture", `{"text":"said by the owner"}`, "Authorization: Bearer "+s.tokens.Owner)
	if _, text = s.ask(
		t, "POST", "/v1/show", fmt.Sprintf(`{"ref":%q}`, owner),
	); !strings.Contains(text, `"origin":"owner"`) {
		t.Errorf("what the owner's token writes shows as %s", text)
	}
}
