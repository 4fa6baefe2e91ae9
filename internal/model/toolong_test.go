package model_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/llm"
)

// short is an embedder that takes texts of so many bytes at most.
type short struct{ most, calls int }

func (s *short) Model() string { return "short" }

type tooLong struct{ error }

func (tooLong) TooLong() bool { return true }
func (tooLong) Unwrap() error { return llm.ErrRefused }

func (s *short) Embed(_ context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	s.calls++
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if len(t) > s.most {
			return nil, tooLong{llm.ErrRefused}
		}
		out[i] = []float32{1, float32(len(t))}
	}
	return out, nil
}

// A text that is too long for the model is cut, and keeps no other text of its batch from its vector.
func TestTextsThatAreTooLong(t *testing.T) {
	s := &short{most: 1200}
	texts := []string{"a", "b", strings.Repeat("long ", 1200), "c", "d"}
	got, err := model.Checked(s).Embed(t.Context(), llm.Document, texts...)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, v := range got {
		if v == nil {
			t.Errorf("text %d has no vector", i)
		}
	}
	if s.calls > 12 {
		t.Errorf("asked %d times", s.calls)
	}
	if _, err := model.Checked(&short{most: 100}).Embed(t.Context(), llm.Document, texts[2]); err == nil {
		t.Error("a model that takes next to nothing gives no error")
	}
}
