package hub

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// The member who is furthest behind counts, also where it has not asked since; who left is forgotten.
func TestLagIsOfWhoeverIsFurthestBehind(t *testing.T) {
	now := time.UnixMilli(1_750_000_000_000)
	var m counts
	page := func(size int64, n int) peer.LogPage {
		return peer.LogPage{Head: peer.Head{Size: size}, Entries: make([]peer.Entry, n)}
	}
	m.read("ann", peer.LogRequest{Space: "s/main", After: 0}, page(10, 10), now)
	m.read("bob", peer.LogRequest{Space: "s/main", After: 2}, page(10, 3), now.Add(-time.Hour))
	lag := func(size int64, at time.Time) (int64, time.Duration) {
		return m.readers.lag([]store.Space{{Name: "s/main", Last: store.Seq(size)}}, at)
	}
	if n, since := lag(10, now); n != 5 || since != time.Hour {
		t.Errorf("bob lacks 5 since an hour: %d, %v", n, since)
	}
	m.read("bob", peer.LogRequest{Space: "s/main", After: 5}, page(10, 5), now)
	if n, since := lag(10, now); n != 0 || since != 0 {
		t.Errorf("both have everything: %d, %v", n, since)
	}
	if n, _ := lag(14, now.Add(time.Hour)); n != 4 {
		t.Errorf("4 came since: %d", n)
	}
	if n, _ := lag(14, now.Add(8*24*time.Hour)); n != 0 {
		t.Errorf("nobody asked for a week: %d", n)
	}
	if n := m.rewritten.Load(); n != 0 {
		t.Errorf("%d rewritten", n)
	}
	m.read("ann", peer.LogRequest{Space: "s/main", After: 14, Held: 14}, page(9, 0), now)
	if n := m.rewritten.Load(); n != 1 {
		t.Errorf("a log that is shorter than what was read of it: %d", n)
	}
}

// What a request reads is counted where it is served.
func TestAPullIsCountedAsRead(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	ann := p.joins("ann", "", "")
	ann.mustSync(t)
	totals, err := p.server.o.Store.Totals(t.Context())
	if err != nil || len(totals) == 0 {
		t.Fatal(totals, err)
	}
	if n, _ := p.server.counts.readers.lag(totals, p.now); n != 0 || len(p.server.counts.readers.at) == 0 {
		t.Errorf("ann lacks %d of %v", n, p.server.counts.readers.at)
	}
}
