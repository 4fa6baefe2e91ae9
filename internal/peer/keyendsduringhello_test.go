package peer

import (
	"context"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// between is a store in which something happens once after the tree of a space was asked for.
type between struct {
	store.Store
	space string
	do    func()
}

func (b *between) Tree(ctx context.Context, space string) (ledger.Frontier, error) {
	f, err := b.Store.Tree(ctx, space)
	if do := b.do; do != nil && space == b.space {
		b.do = nil
		do()
	}
	return f, err
}

// What a key wrote while a hub said what its logs are, and the end of that key, come in the
// order in which they came to the hub: the end does not overtake what the caller was told
// that he has already.
func TestEndOfAKeyDuringHello(t *testing.T) {
	t.Parallel()
	ann := newPerson(t, "ann")
	bot := ann.agent(t, "bot")
	alpha := ann.key.DID() + "/alpha" // before main
	hub, to := newSite(t, "hub"), newSite(t, "to")
	hub.add(t, append(bot.identity, bot.belief(t, alpha, "first"))...)
	last := bot.belief(t, alpha, "last")
	end := ann.make(t, ann.home(), &memory.Key{Op: memory.OpRevoke, Key: bot.key.DID(), Reason: memory.Superseded})
	two := &between{Store: hub.named, space: alpha}
	remote := NewHub(named{two, "hub"}, hub.key, nil).For(Caller{Account: "all", Any: true})
	to.mustSync(t, remote)
	two.do = func() { hub.add(t, last, end) }
	for range 3 {
		to.now = to.now.Add(time.Hour)
		to.mustSync(t, remote)
	}
	ring, err := to.Keyring(t.Context())
	if err != nil || ring.Fault(last) != state.Sound {
		t.Errorf("what was written before the key ended is %q, %v", ring.Fault(last), err)
	}
	if ring.Revoked(bot.key.DID(), ring.Principal(ann.key.DID())) == nil {
		t.Error("the key is not ended")
	}
}
