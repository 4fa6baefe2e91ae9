//go:build !race

package recall_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Any text is a query: 2,000 of them, with STEMMA_LONG 20,000, give no error, and those of the same
// words give the same, whatever stands around these.
func TestAnyTextIsAQuery(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		each := map[string]int{"sqlite": 2000, "postgres": 1500, "mem": 500}[filepath.Base(t.Name())] / fewer
		if os.Getenv("STEMMA_LONG") != "" && each == 2000 {
			each = 20_000
		}
		rng := rand.New(rand.NewPCG(36, 63))
		q := questioner{Rand: rng}
		for i := range 70 { // most of them in the index, the last few waiting
			text := fmt.Sprintf("%s %s %d", asked[i%len(asked)], strings.Repeat("other words ", rng.IntN(4)), i)
			if i%4 == 0 {
				add(t, e, "belief", text+" "+q.of(asked))
			} else {
				capture(t, e, text)
			}
		}
		before, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil {
			t.Fatal(err)
		}
		var known sync.Map // what a plain query gives
		give := func(query string) []string {
			r, err := e.Search(t.Context(), api.SearchRequest{Query: query, Limit: 15, All: true})
			if err != nil {
				t.Errorf("search %q: %v", query, err)
			}
			return refs(r)
		}
		plainly := func(query string) []string {
			if r, is := known.Load(query); is {
				return r.([]string)
			}
			r := give(query)
			if len(r) == 0 {
				t.Errorf("search %q finds nothing", query)
			}
			known.Store(query, r)
			return r
		}
		var wait sync.WaitGroup
		const hands = 2
		for hand := range uint64(hands) {
			wait.Go(func() {
				q := questioner{Rand: rand.New(rand.NewPCG(62, hand))}
				for range each / hands / 2 {
					plain, hostile := q.pair()
					if got, want := give(hostile), plainly(plain); !slices.Equal(got, want) {
						t.Errorf("search %q gives %v, want %v as %q", hostile, shortened(got), shortened(want), plain)
					}
					give(q.any())
					if t.Failed() {
						return
					}
				}
			})
		}
		wait.Wait()
		for _, s := range []string{"river ", "\x00", "(", `"`, "鱼", "a", "\xff", "word%d ", "a_b.c-d "} {
			give(strings.Repeat(s, 100_000/len(s)))
		}
		if got, want := give(strings.Repeat(`("river" AND `, 8000)), plainly("river"); !slices.Equal(got, want) {
			t.Errorf("river in 8,000 brackets gives %v, want %v", shortened(got), shortened(want))
		}
		after, err := e.Stats(t.Context(), api.Nothing{})
		if err != nil || after.Records != before.Records {
			t.Errorf("%d records, %v, want %d: queries changed them", after.Records, err, before.Records)
		}
	})
}
