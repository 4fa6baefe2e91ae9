//go:build !race

package exchange_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// Four people decide, sync and hand their space over in a random order. In the end it has one
// owner and each memory one state in all stores.
func TestHandoversInAnyOrderLeaveOneState(t *testing.T) {
	t.Parallel()
	seeds := uint64(1)
	if os.Getenv("STEMMA_LONG") != "" {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			const n = 4
			ctx, random := t.Context(), rand.New(rand.NewPCG(seed, 7))
			team := newTeam(t, n)
			var refs []string
			for i := range 8 {
				refs = append(refs, add(t, team.In(i%n, memory.OriginOwner), "belief", fmt.Sprintf("gate %d is %d wide", i, seed)))
			}
			team.Settle(t)
			handed, decided := 0, 0
			for range 120 {
				i, ref := random.IntN(n), refs[random.IntN(len(refs))]
				e := team.In(i, memory.OriginOwner)
				var err error
				switch in := (api.DecideRequest{Refs: []string{ref}}); random.IntN(6) {
				case 0:
					_, err = e.Reject(ctx, in)
				case 1:
					_, err = e.Revise(ctx, api.ReviseRequest{
						Ref: ref, Draft: api.Draft{Text: fmt.Sprintf("gate %s is wider, says %d", ref[7:16], decided)},
					})
				case 2:
					if j := random.IntN(n); random.IntN(3) > 0 {
						_, err = e.AppointKeeper(ctx, team.Space, team.All[j].Principal())
					} else {
						_, err = e.DismissKeeper(ctx, team.Space, team.All[j].Principal())
					}
				case 3:
					for i := range n { // who owns it, as they know
						if err = team.HandOver(t, i, random.IntN(n), memory.OriginOwner); err == nil {
							handed++
							break
						}
					}
				default:
					syncs(t, team.All[i], team.All[random.IntN(n)])
				}
				if err == nil {
					decided++
				} else if !errors.Is(err, api.ErrForbidden) && !errors.Is(err, api.ErrConflict) {
					t.Fatal(err)
				}
			}
			if handed < 2 || decided < 20 {
				t.Fatalf("%d handovers, %d decisions: the test shows nothing", handed, decided)
			}
			team.Settle(t)
			var want []string
			for i, p := range team.All {
				got := []string{"owner " + team.Owner(t, i)}
				for _, ref := range refs {
					m := show(t, team.In(i, memory.OriginOwner), ref)
					got = append(got, fmt.Sprintf("%s %s", ref[:16], m.Hidden))
				}
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("store %d:\n%s\nwant\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
				if doctor, audit := problems(t, p.Owner); doctor+notMissing(audit) != "" {
					t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
				}
			}
		})
	}
}
