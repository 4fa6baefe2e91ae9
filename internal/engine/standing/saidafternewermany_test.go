//go:build !race

package standing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What is said again after something newer is a new assertion, and the newest of the pair; said once more it is none.
func TestSaidAgainAfterSomethingNewer(t *testing.T) {
	t.Parallel()
	tried, folded, behind, twice := 0, 0, 0, 0
	for _, thing := range spokenOf {
		p := newPeople(t)
		for _, f := range sayings {
			a, b := f.values[0], f.values[1]
			first := fmt.Sprintf(f.first, a, thing)
			then := fmt.Sprintf(f.first, b, thing)
			if f.later != "" {
				then = fmt.Sprintf(f.later, b, thing)
			}
			one := remember(t, p.Agent, first)
			remember(t, p.Agent, then)
			third := remember(t, p.Agent, first)
			tried++
			if len(one.Memories) != 1 || len(third.Memories) != 1 {
				folded++
				t.Logf("%q after %q made %d memories", first, then, len(third.Memories))
				continue
			}
			if got := search(t, p.Agent, api.SearchRequest{Query: first}); len(got.Results) == 0 ||
				got.Results[0].Ref != third.Memories[0].Ref {
				behind++
				t.Logf("%q said again is not first: %v", first, order(got))
			}
			if fourth := remember(t, p.Agent, first); len(fourth.Memories) != 0 {
				twice++
				t.Logf("%q said twice more made %d memories", first, len(fourth.Memories))
			}
		}
	}
	t.Logf("%d sentences said again after something newer: %d folded, %d not first; %d made a memory once more",
		tried, folded, behind, twice)
	if folded+behind+twice > 0 {
		t.Error("some were taken for what was said before")
	}
}

// Where nothing newer stands against it, a sentence said again makes no second memory, whatever else was said since.
func TestSaidAgainWithNothingNewer(t *testing.T) {
	t.Parallel()
	made, tried := 0, 0
	for _, thing := range spokenOf {
		p := newPeople(t)
		var said []string
		for _, f := range sayings {
			said = append(said, fmt.Sprintf(f.first, f.values[0], thing))
		}
		for _, s := range said {
			remember(t, p.Agent, s)
		}
		for _, s := range said {
			tried++
			if r := remember(t, p.Agent, strings.ToLower(s[:1])+s[1:]+"."); len(r.Memories) != 0 {
				made++
				t.Logf("%q made another memory", s)
			}
		}
	}
	t.Logf("%d sentences said again with nothing newer: %d made a second memory", tried, made)
	if made > 0 {
		t.Error("some made a second memory")
	}
}
