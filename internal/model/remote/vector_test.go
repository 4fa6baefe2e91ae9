package remote

import (
	"encoding/json"
	"slices"
	"testing"
)

// A Vector takes what encoding/json takes for a list of numbers, but no null, and gives the same.
func FuzzVector(f *testing.F) {
	for _, seed := range []string{
		`[]`, `[1, -2.5e3,0]`, `[null]`, `null`, `["1"]`, `[[1]]`, `[1e39]`, `{}`, `[ 1 ]`, `[-]`, `[1 2]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got Vector
		err := json.Unmarshal(text, &got)
		var want []*float32
		if json.Unmarshal(text, &want) != nil || want == nil || slices.Contains(want, nil) {
			if err == nil {
				t.Errorf("%s: got %v, want an error", text, got)
			}
			return
		}
		if err != nil || !slices.EqualFunc(got, want, func(a float32, b *float32) bool { return a == *b }) {
			t.Errorf("%s: got %v, error %v", text, got, err)
		}
	})
}
