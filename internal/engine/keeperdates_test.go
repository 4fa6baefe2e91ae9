package engine_test

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A keeper whose clock is ahead decides nothing for others, neither at once nor when the date comes, so that
// a dismissal leaves nothing behind. What a keeper decided in time stays decided.
func TestAKeeperDatesNoDecisionBeyondTheDismissal(t *testing.T) {
	t.Parallel()
	ctx, team := t.Context(), newTeam(t, 3)
	owner := team.in(0, memory.OriginOwner)
	now, later := add(t, owner, "belief", "the mill opens at 7"), add(t, owner, "belief", "the ferry leaves at 9")
	team.settle(t)
	team.keeper(t, 1)
	team.settle(t)
	rejects := func(ref string, ahead time.Duration) {
		t.Helper()
		e := team.all[1].as(memory.OriginOwner, func(c *engine.Config) {
			c.Space, c.Now = team.space, func() time.Time { return team.Now().Add(ahead) }
		})
		if _, err := e.Reject(ctx, api.DecideRequest{Refs: []string{ref}, Reason: "wrong"}); err != nil {
			t.Fatal(err)
		}
	}
	rejects(now, 0)
	rejects(later, 2*time.Hour)
	team.settle(t)
	shown := func(when string) {
		t.Helper()
		for _, i := range []int{0, 2} {
			got := currentIn(t, team.in(i, memory.OriginOwner))
			if _, is := got[now]; is {
				t.Errorf("%s, person %d: what the keeper rejected in time is current", when, i)
			}
			if _, is := got[later]; !is {
				t.Errorf("%s, person %d: what the keeper rejected with a date ahead is not current", when, i)
			}
		}
	}
	shown("while the keeper is one")
	if _, err := owner.DismissKeeper(ctx, team.space, team.all[1].principal()); err != nil {
		t.Fatal(err)
	}
	team.settle(t)
	shown("dismissed")
	team.ahead(3 * time.Hour)
	team.settle(t)
	shown("dismissed, and the date came")
}
