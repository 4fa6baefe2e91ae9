package exchange_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Of several who name remotes at once, each is heard.
func TestRemotesAddedAtOnce(t *testing.T) {
	t.Parallel()
	p := newPeople(t, func(c *engine.Config) { c.Remotes = filepath.Join(t.TempDir(), "remotes.json") })
	capture(t, p.Agent, "a store that is there")
	const each, writers = 8, 4
	var work sync.WaitGroup
	for w := range writers {
		e := p.As("owner")
		work.Go(func() {
			for n := range each {
				in := api.RemoteRequest{Name: fmt.Sprintf("r%d-%d", w, n), Address: "/nowhere"}
				if _, err := e.RemoteAdd(t.Context(), in); err != nil {
					t.Error(err)
				}
				if n%2 == 1 {
					if _, err := e.RemoteRemove(t.Context(), api.RemoteRequest{Name: in.Name}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	work.Wait()
	r, err := p.Owner.Remotes(t.Context(), api.RemoteRequest{})
	if err != nil || len(r.Remotes) != writers*each/2 {
		t.Errorf("%d remotes are named, %v, want %d", len(r.Remotes), err, writers*each/2)
	}
}
