package llmtest

import (
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

func TestSimFailsFirst(t *testing.T) {
	g := Sim(1, llm.ErrUnavailable, nil, llm.ErrDeclined)
	q := llm.Question{Task: llm.Emotion, Parts: []llm.Part{{Name: "text", Text: "I was so frustrated, then relieved"}}}
	for i, want := range []error{llm.ErrUnavailable, nil, llm.ErrDeclined, nil} {
		a, err := g.Generate(t.Context(), q)
		if !errors.Is(err, want) || (a.Text == "") != (want != nil) {
			t.Errorf("call %d: %q, %v, want %v", i+1, a.Text, err, want)
		}
	}
}

func TestSimIsTheSameForASeed(t *testing.T) {
	q := llm.Question{Task: llm.Detect, Parts: []llm.Part{
		{Name: "new", Text: "Alice left Acme"}, {Name: "candidate 1", Text: "Alice works at Acme"},
	}}
	one, err := Sim(7).Generate(t.Context(), q)
	two, _ := Sim(7).Generate(t.Context(), q)
	if err != nil || one != two || one.Text == "" {
		t.Errorf("%+v and %+v, %v", one, two, err)
	}
}
