package llm

import (
	"context"
	"slices"
	"testing"
)

func TestPrefixed(t *testing.T) {
	inner := &asked{}
	e := Prefixed(inner, "query: ", "passage: ")
	for _, purpose := range []Purpose{Document, Query} {
		if _, err := e.Embed(t.Context(), purpose, "a", "b"); err != nil {
			t.Fatal(err)
		}
	}
	want := [][]string{{"passage: a", "passage: b"}, {"query: a", "query: b"}}
	if !slices.EqualFunc(inner.calls, want, slices.Equal) {
		t.Errorf("asked %q, want %q", inner.calls, want)
	}
	if e.Model() == inner.Model() || e.Model() == Prefixed(inner, "query:", " passage: ").Model() {
		t.Errorf("other prefixes, the same model: %s", e.Model())
	}
	if Prefixed(inner, "", "") != Embedder(inner) {
		t.Error("no prefixes still wrap")
	}
}

// asked is an Embedder that keeps what it was asked for.
type asked struct{ calls [][]string }

func (*asked) Model() string { return "asked" }

func (a *asked) Embed(_ context.Context, _ Purpose, texts ...string) ([][]float32, error) {
	a.calls = append(a.calls, texts)
	return nil, nil
}
