package httpapi

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
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
	if r, _ := s.ask(t, "POST", "/v1/capture", `{"text":"twice"}`, "Idempotency-Key: a"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("another request under the key: %d, want 422", r.StatusCode)
	}
	for name, header := range map[string]string{"another key": "Idempotency-Key: b", "another caller": "Stemma-Agent: other", "none": "Idempotency-Key: "} {
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

// What is remembered is bounded in number, bytes and time, and what came to
// nothing is tried again.
func TestAnswersAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	s := answers{now: func() time.Time { return now }}
	ask := func(name string, n *answer) *answer {
		t.Helper()
		got, err := s.once(t.Context(), question(&http.Request{}, "op", name), nil, func() *answer { return n })
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
