package rank_test

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/memory"
)

// What is near too many questions depends on what the others have, of which a question has so many near it.
func TestNearMany(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		questions, times, others int
		want                     bool
	}{
		{"one in fifty is not too many", 500, 10, 1500, false},
		{"more than one in fifty is", 500, 11, 1500, true},
		{"so is the least that is more", 499, 10, 1500, true},
		{"three times the others is not too many", 500, 42, 100, false},
		{"more than that is", 500, 48, 100, true},
		{"where few are near anything each is near many", 500, 400, 7, false},
		{"but one that has three times as much", 500, 500, 13, true},
		{"few questions say nothing", 49, 49, 150, false},
		{"fifty do", 50, 50, 150, true},
	} {
		one, same, last := memory.ID{1}, memory.ID{2}, memory.ID{3}
		nearest := make([][]rank.Candidate, tt.questions)
		other := 0
		for i := range nearest {
			for n := range 3 {
				c := rank.Candidate{Cosine: 0.9 - 0.1*float64(n)}
				if i < tt.times && n == i%3 { // a copy is as near, and takes no place from others
					nearest[i] = append(nearest[i], rank.Candidate{ID: same, Cosine: c.Cosine})
					c.ID = one
				} else {
					c.ID = memory.ID{4, byte(other), byte(other >> 8)}
					other = (other + 1) % tt.others
				}
				nearest[i] = append(nearest[i], c)
			}
			nearest[i] = append(nearest[i], rank.Candidate{ID: last, Cosine: 0.1}) // the fourth of each
		}
		got := rank.NearMany(nearest)
		if is := slices.Equal(got, []memory.ID{one, same}); is != tt.want || !tt.want && len(got) > 0 {
			t.Errorf("%s: got %v, want the record and its copy %v", tt.name, got, tt.want)
		}
	}
}

// A long text is near as many questions as its passages together; each of them counts for itself.
func TestNearManyCountsPassages(t *testing.T) {
	for _, passages := range []int{1, 6} {
		long := memory.ID{1}
		nearest := make([][]rank.Candidate, 200)
		for i := range nearest {
			for n := range 3 {
				c := rank.Candidate{ID: memory.ID{2, byte((3*i + n) % 30)}, Cosine: 0.9 - 0.1*float64(n)}
				if n == 0 {
					c.ID, c.Passage = long, i%passages
				}
				nearest[i] = append(nearest[i], c)
			}
		}
		if got, want := rank.NearMany(nearest), passages == 1; slices.Equal(got, []memory.ID{long}) != want {
			t.Errorf("%d passages: near too many are %v, want it %t", passages, got, want)
		}
	}
}

// They are in the order of their ids, however many copies there are.
func TestNearManyIsInOrder(t *testing.T) {
	nearest := make([][]rank.Candidate, 50)
	var want []memory.ID
	for i := range 30 {
		want = append(want, memory.ID{1, byte(i)})
	}
	for i := range nearest {
		for _, id := range slices.Backward(want) {
			nearest[i] = append(nearest[i], rank.Candidate{ID: id, Cosine: 0.5})
		}
		nearest[i] = append(nearest[i], rank.Candidate{ID: memory.ID{2, byte(i)}, Cosine: 0.4})
	}
	if got := rank.NearMany(nearest); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A question may have few that are near it, or none.
func TestNearManyOfFew(t *testing.T) {
	one := memory.ID{1}
	nearest := make([][]rank.Candidate, 100)
	for i := range 50 {
		nearest[i] = []rank.Candidate{{ID: one, Cosine: 0.5}, {ID: memory.ID{2, byte(i)}, Cosine: 0.4}}
	}
	if got := rank.NearMany(nearest); !slices.Equal(got, []memory.ID{one}) {
		t.Errorf("got %v, want %v", got, one)
	}
}

// A record that is near 60 questions has three times what six others have, each near 10 of them, and more where one of
// those is near 9.
func TestNearManyAtTheBound(t *testing.T) {
	one := memory.ID{1}
	nearest := make([][]rank.Candidate, 60)
	for i := range nearest {
		nearest[i] = []rank.Candidate{{ID: one, Cosine: 0.5}, {ID: memory.ID{2, byte(i % 6)}, Cosine: 0.4}}
	}
	if got := rank.NearMany(nearest); len(got) > 0 {
		t.Errorf("three times the others is too many: %v", got)
	}
	nearest[0] = nearest[0][:1]
	if got := rank.NearMany(nearest); !slices.Equal(got, []memory.ID{one}) {
		t.Errorf("more than three times the others: %v", got)
	}
}
