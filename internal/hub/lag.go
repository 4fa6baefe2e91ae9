package hub

import (
	"maps"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

const (
	// mostReaders bounds the accounts and spaces of which it is remembered how far they were read.
	mostReaders = 20_000
	// readsStill is how long an account that does not ask counts as one that is behind. Later it has left, or its
	// machine is off.
	readsStill = 7 * 24 * time.Hour
)

// readers is how far accounts have read logs. Each process knows of those that asked it.
type readers struct {
	mu sync.Mutex
	at map[reader]readTo
}

type reader struct{ account, space string }

type readTo struct {
	position int64
	when     time.Time
}

// read notes how far an account has read a log. Who asks for what is beyond its end knew another log.
func (m *counts) read(account string, in peer.LogRequest, page peer.LogPage, now time.Time) {
	if max(in.After, in.Held) > page.Head.Size {
		m.rewritten.Add(1)
	}
	r := &m.readers
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil {
		r.at = make(map[reader]readTo)
	}
	who := reader{account, in.Space}
	if _, known := r.at[who]; !known && len(r.at) >= mostReaders {
		return
	}
	r.at[who] = readTo{min(in.After, page.Head.Size) + int64(len(page.Entries)), now}
}

// lag returns how many records of one log the reader furthest behind lacks, and how long ago a
// reader that lacks something read last, the longest.
func (r *readers) lag(spaces []store.Space, now time.Time) (records int64, since time.Duration) {
	sizes := make(map[string]int64, len(spaces))
	for _, s := range spaces {
		sizes[s.Name] = int64(s.Last)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.at, func(_ reader, to readTo) bool { return now.Sub(to.when) > readsStill })
	for who, to := range r.at {
		if lacks := sizes[who.space] - to.position; lacks > 0 {
			records, since = max(records, lacks), max(since, now.Sub(to.when))
		}
	}
	return records, since
}
