package llmtest

import (
	"math"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

func near(t *testing.T, e llm.Embedder, a, b string) float64 {
	t.Helper()
	v, err := e.Embed(t.Context(), llm.Document, a, b)
	if err != nil {
		t.Fatal(err)
	}
	var dot float64
	for i := range v[0] {
		dot += float64(v[0][i]) * float64(v[1][i])
	}
	return dot
}

func TestHashedBringsNearWhatSharesWords(t *testing.T) {
	e := Hashed(0, 7)
	if got := near(t, e, "the deploy failed", "The deploy FAILED!"); math.Abs(got-1) > 1e-6 {
		t.Errorf("case and punctuation: %v, want 1", got)
	}
	words := near(t, e, "the deploy failed on friday", "friday the deploy was red")
	forms := near(t, e, "planning deployments", "planned deployment")
	apart := near(t, e, "the deploy failed on friday", "cats sleep much")
	if words < .4 || forms < .25 || apart > .2 {
		t.Errorf("shared words %.2f, shared forms %.2f, nothing shared %.2f", words, forms, apart)
	}
}

func TestHashedIsTheSameEverywhere(t *testing.T) {
	v, err := Hashed(8, 3).Embed(t.Context(), llm.Query, "stemma", "...", "")
	if err != nil {
		t.Fatal(err)
	}
	if v[1] != nil || v[2] != nil {
		t.Errorf("texts without words have vectors: %v", v[1:])
	}
	signs := make([]int, len(v[0]))
	for i, x := range v[0] {
		signs[i] = int(math.Round(float64(x) * 100))
	}
	if want := []int{31, 0, 31, 0, 62, 57, 0, -31}; !slices.Equal(signs, want) {
		t.Errorf("vector of stemma in hundredths = %v, want %v", signs, want)
	}
	other, _ := Hashed(8, 4).Embed(t.Context(), llm.Query, "stemma")
	if slices.Equal(other[0], v[0]) {
		t.Error("two seeds give one vector")
	}
	if Hashed(8, 3).Model() == Hashed(8, 4).Model() || Hashed(8, 3).Model() == Hashed(9, 3).Model() {
		t.Error("two models have one name")
	}
}
