package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// tookAgain is how often a store says the same again: the hub may have been restored from a backup.
const tookAgain = 12 * time.Hour

// tookWait is how long an exchange waits for the hub to note it.
const tookWait = 5 * time.Second

// tookNoteName is where a store remembers what it told a hub of how far it is.
func tookNoteName(name string) string { return "took/" + name }

// tookNote is what it told of each space.
type tookNote map[string]struct {
	At   time.Time
	Took peer.Took
}

// tellTook tells a hub how far this store took its logs, by what is stored now: a purge that was taken
// in is carried out in the transaction that stores it. So the hub can tell the keepers of a space
// which machines erased what was purged. An exchange does not fail for it.
func (e *Exchange) tellTook(ctx context.Context, to peer.Taking, report peer.Report, o peer.Options) error {
	name := tookNoteName(o.Peer)
	raw, err := e.First().Note(ctx, name)
	if err != nil {
		return core.Classify(err)
	}
	var was tookNote
	if json.Unmarshal(raw, &was) != nil || o.Accept {
		was = nil // a hub that was restored knows nothing of what it was told since its backup
	}
	coming, all, err := e.stillToCome(ctx)
	if err != nil || !all {
		return err // what cannot be named would count as erased
	}
	said, now := tookNote{}, e.C.Now()
	var tell []peer.Took
	for _, s := range report.Spaces {
		kept, err := e.First().Note(ctx, peer.PlacesOf+o.Peer+"/"+s.Space)
		if err != nil {
			return core.Classify(err)
		}
		p, err := peer.PlaceOf(kept)
		if err != nil || kept == nil {
			continue // the exchange reports it
		}
		took, err := peer.TookOf(s.Space, p, o.Filter)
		if err != nil {
			continue
		}
		for _, mark := range coming { // taken, and the words are still here
			if mark.Header.Space == s.Space && !slices.Contains(took.Waits, mark.ID) {
				took.Waits = append(took.Waits, mark.ID)
			}
		}
		last := was[s.Space]
		if since := now.Sub(last.At); since >= 0 && since < tookAgain && same(last.Took, took) {
			said[s.Space] = last
			continue
		}
		if len(tell) < peer.MostTaken {
			tell = append(tell, took)
		}
	}
	if len(tell) == 0 {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, tookWait)
	noted, err := to.Took(within, peer.Taken{Store: o.Store, Spaces: tell})
	cancel()
	if errors.Is(err, peer.ErrAbsent) {
		noted.Spaces, err = tell, nil // a hub of an earlier version: it is not asked with each exchange
	}
	if err != nil {
		return err
	}
	for _, took := range tell { // also one that the hub did not note: it is told again later
		if slices.ContainsFunc(noted.Spaces, func(n peer.Took) bool { return n.Space == took.Space }) {
			one := said[took.Space]
			one.At, one.Took = now, took
			said[took.Space] = one
		}
	}
	out, err := json.Marshal(said)
	if err == nil {
		err = e.First().SwapNote(ctx, name, raw, out)
	}
	if errors.Is(err, store.ErrConflict) {
		return nil // another sync of this store said it
	}
	return core.Classify(err)
}

// same reports whether two words say the same.
func same(a, b peer.Took) bool {
	x, err := json.Marshal(a)
	y, other := json.Marshal(b)
	return err == nil && other == nil && string(x) == string(y)
}
