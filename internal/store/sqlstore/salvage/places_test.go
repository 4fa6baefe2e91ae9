package salvage

import (
	"maps"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A record whose row of the log is damaged stays where it is among those of its space.
func TestSalvageKeepsPlaces(t *testing.T) {
	a, b := session.FirstKey(1), session.FirstKey(2)
	v := &salvaging{came: map[int64]int64{a + 2: 20, a + 3: 30, b + 1: 25}}
	v.arriveBeside([]int64{a + 1, a + 2, a + 3, a + 4, b + 1, b + 2, session.FirstKey(3) + 1})
	want := map[int64]int64{a + 1: 20, a + 2: 20, a + 3: 30, a + 4: 30, b + 1: 25, b + 2: 25}
	if !maps.Equal(v.came, want) {
		t.Errorf("the arrivals are %v, want %v", v.came, want)
	}
}
