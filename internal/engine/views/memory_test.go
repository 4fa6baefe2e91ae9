package views

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// The type of a body is its member "type", of every kind.
func TestTypeOf(t *testing.T) {
	for _, k := range slices.Concat(memory.Memories(), memory.Claims()) {
		for _, text := range []string{`{}`, `{"type":"fact"}`} {
			b := k.Form().New()
			if err := json.Unmarshal([]byte(text), b); err != nil {
				t.Fatal(k, err)
			}
			want, _ := content(b)["type"].(string)
			if got := typeOf(b); got != want {
				t.Errorf("the type of a %s with %s is %q, want %q", k, text, got, want)
			}
		}
	}
}
