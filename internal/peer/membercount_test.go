package peer

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// A few kilobytes, packed, may unfold to millions of empty members, each of which takes
// far more memory than it has bytes. Neither a hub nor a caller reads that.
func TestCrowdedIsNotRead(t *testing.T) {
	const many = 20 << 20
	for what, into := range map[string]any{
		"lines": new(Push), "entries": new(LogPage), "spaces": new(Welcome), "ids": new(Wanted),
		"refused": new(Acks),
	} {
		raw := []byte(`{"` + what + `":[` + strings.Repeat("{},", many/3) + `{}]}`)
		if what == "ids" {
			raw = []byte(`{"ids":[` + strings.Repeat("null,", many/5) + `null]}`)
		}
		before := testing.AllocsPerRun(1, func() {
			if err := Decode(raw, into); err == nil || !strings.Contains(err.Error(), "at once") {
				t.Errorf("%s: %d empty members give %.80v", what, many, err)
			}
		})
		if before > 1000 {
			t.Errorf("%s: reading them takes %.0f allocations", what, before)
		}
	}
	// as many as anybody may need
	ids := make([]memory.ID, 100_000)
	for i := range ids {
		ids[i] = memory.ID{byte(i), byte(i >> 8), byte(i >> 16), 1}
	}
	raw, err := Encode(KeyList{ids})
	if err != nil {
		t.Fatal(err)
	}
	var back KeyList
	if err := Decode(raw, &back); err != nil || len(back.IDs) != len(ids) {
		t.Errorf("%d ids are read as %d, %v", len(ids), len(back.IDs), err)
	}
	if err := Decode([]byte(`{"space":"`+strings.Repeat(`,[{\"`, 300_000)+`","ids":[]}`), new(Offer)); err != nil {
		t.Errorf("what stands in a string counts: %v", err)
	}
}
