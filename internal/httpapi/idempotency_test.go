package httpapi

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// The same request under the same key is done once and answered the same, also
// where both are asked at once; another request under the key is refused.
func TestIdempotency(t *testing.T) {
	s := newRig(t, func(o *Options) { o.Reads, o.Writes = access.Limit{}, access.Limit{} })
	const many = 20
	got := make([]string, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { got[i] = s.write(t, "capture", `{"text":"once"}`, "Idempotency-Key: a") })
	}
	wg.Wait()
	for _, ref := range got {
		if ref != got[0] {
			t.Fatalf("under one key %s and %s were written", ref, got[0])
		}
	}
	r, text := s.ask(t, "POST", "/v1/capture", `{"text":"once"}`, "Idempotency-Key: a")
	if r.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the answer does not say that it was given before: %s", text)
	}
	if r, _ := s.ask(
		t, "POST", "/v1/capture", `{"text":"twice"}`, "Idempotency-Key: a",
	); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("another request under the key: %d, want 422", r.StatusCode)
	}
	for name, header := range map[string]string{
		"another key": "Idempotency-Key: b", "another caller": "Stemma-Agent: other",
		"none": "Idempotency-Key: ",
	} {
		headers := []string{"Idempotency-Key: a", header}
		if ref := s.write(t, "capture", `{"text":"once"}`, headers...); ref == got[0] {
			t.Errorf("%s: nothing was written", name)
		}
	}
	// what failed is answered the same too
	first, one := s.ask(t, "POST", "/v1/capture", `{"text":" "}`, "Idempotency-Key: c")
	second, two := s.ask(t, "POST", "/v1/capture", `{"text":" "}`, "Idempotency-Key: c")
	if first.StatusCode != 422 || second.StatusCode != 422 || one != two {
		t.Errorf("a failure is answered %s and then %s", one, two)
	}
}

// An answer that was given before something was purged, by whichever process, is not
// told again, and what was asked is not done again.
func TestNoAnswerFromBeforeAPurge(t *testing.T) {
	s := newRig(t, func(o *Options) { o.Reads, o.Writes = access.Limit{}, access.Limit{} })
	dir := filepath.Dir(s.path)
	ref := s.write(t, "capture", `{"text":"the gate opens with xyzzy-horse"}`, "Idempotency-Key: a")
	other, err := engine.Open(
		t.Context(), s.path,
		engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, "keys"), Origin: memory.OriginOwner},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Purge(t.Context(), api.PurgeRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, text := s.ask(t, "POST", "/v1/capture", `{"text":"the gate opens with xyzzy-horse"}`, "Idempotency-Key: a")
		if r.StatusCode != http.StatusConflict || strings.Contains(text, ref) ||
			!strings.Contains(text, "nothing is done again") {
			t.Errorf("after a purge: %d %s", r.StatusCode, text)
		}
	}
	if ref := s.write(
		t, "capture", `{"text":"another"}`, "Idempotency-Key: b",
	); ref != s.write(t, "capture", `{"text":"another"}`, "Idempotency-Key: b") {
		t.Error("answers from after a purge are not given again")
	}
	s.api.again.Lock()
	defer s.api.again.Unlock()
	for at := s.api.again.order.Front(); at != nil; at = at.Next() {
		if g := at.Value.(*given); g.answer != nil && strings.Contains(string(g.answer.body), "xyzzy") {
			t.Errorf("in memory: %s", g.answer.body)
		}
	}
}

// What is remembered is bounded in number, bytes and time, and what came to
// nothing is tried again.
func TestAnswersAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	s := answers{now: func() time.Time { return now }}
	ask := func(name string, n *answer) *answer {
		t.Helper()
		got, err := s.once(t.Context(), question(&http.Request{}, "op", name), nil, "", func() *answer { return n })
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	ok := func(size int) *answer { return &answer{status: 200, body: make([]byte, size)} }
	for i := range 3 * mostAnswers {
		ask(fmt.Sprint(i), ok(10))
	}
	if s.order.Len() != mostAnswers || len(s.known) != mostAnswers || s.bytes != 10*mostAnswers {
		t.Errorf("%d answers of %d bytes are kept, want %d", s.order.Len(), s.bytes, mostAnswers)
	}
	for i := range 20 {
		ask(fmt.Sprint("large", i), ok(mostRemember/8))
	}
	if s.bytes > mostRemember {
		t.Errorf("%d bytes are kept, want at most %d", s.bytes, mostRemember)
	}
	ask("failed", &answer{status: 503})
	if got := ask("failed", ok(1)); got.status != 200 {
		t.Errorf("what failed for a while is answered %d for ever", got.status)
	}
	now = now.Add(answersLast)
	ask("late", ok(1))
	if s.order.Len() != 1 || s.bytes != 1 {
		t.Errorf("after a day %d answers of %d bytes are kept", s.order.Len(), s.bytes)
	}
}
