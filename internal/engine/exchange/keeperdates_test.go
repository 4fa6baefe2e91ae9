package exchange_test

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
	owner := team.In(0, memory.OriginOwner)
	now, later := add(t, owner, "belief", "the mill opens at 7"), add(t, owner, "belief", "the ferry leaves at 9")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	rejects := func(ref string, ahead time.Duration) {
		t.Helper()
		e := team.All[1].As(memory.OriginOwner, func(c *engine.Config) {
			c.Space, c.Now = team.Space, func() time.Time { return team.Now().Add(ahead) }
		})
		if _, err := e.Reject(ctx, api.DecideRequest{Refs: []string{ref}, Reason: "wrong"}); err != nil {
			t.Fatal(err)
		}
	}
	rejects(now, 0)
	rejects(later, 2*time.Hour)
	team.Settle(t)
	shown := func(when string) {
		t.Helper()
		for _, i := range []int{0, 2} {
			got := currentIn(t, team.In(i, memory.OriginOwner))
			if _, is := got[now]; is {
				t.Errorf("%s, person %d: what the keeper rejected in time is current", when, i)
			}
			if _, is := got[later]; !is {
				t.Errorf("%s, person %d: what the keeper rejected with a date ahead is not current", when, i)
			}
		}
	}
	shown("while the keeper is one")
	if _, err := owner.DismissKeeper(ctx, team.Space, team.All[1].Principal()); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	shown("dismissed")
	team.Ahead(3 * time.Hour)
	team.Settle(t)
	shown("dismissed, and the date came")
}
