package bench

import (
	"bytes"
	"encoding/json"
	"testing"
)

// The same number gives the same lines, of which one in 30 is a memory that rests on what was
// written before it.
func TestTalk(t *testing.T) {
	var one, two bytes.Buffer
	if err := Talk(&one, 3000); err != nil {
		t.Fatal(err)
	}
	if err := Talk(&two, 3000); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two runs differ")
	}
	known, kinds := make(map[string]bool), make(map[string]int)
	for lines := json.NewDecoder(&one); lines.More(); {
		var l line
		if err := lines.Decode(&l); err != nil {
			t.Fatal(err)
		}
		for _, from := range l.From {
			if !known[from] {
				t.Errorf("%s comes from %s, which is not before it", l.ID, from)
			}
		}
		known[l.ID] = true
		kinds[l.Kind]++
	}
	if len(known) != 3000 || kinds["episode"] != 50 || kinds["note"] != 25 || kinds["belief"] != 25 {
		t.Errorf("%d records: %v", len(known), kinds)
	}
}
