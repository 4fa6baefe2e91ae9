package sqlstore

import (
	"context"
	"fmt"
	"iter"

	"github.com/stemma-memory/stemma/internal/store"
)

// mostOfList is how long a list may be that is remembered: those that every answer is made of,
// such as that of constraints, are short.
const mostOfList = 1000

// listAt returns a list as it was read before, or reads it.
func (s *Store) listAt(
	ctx context.Context, q store.Query, read iter.Seq2[*store.Item, error],
) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		m := s.moment(ctx)
		if m == nil || m.passing {
			read(yield)
			return
		}
		name := fmt.Sprintf("%+v", q)
		m.mu.Lock()
		all, known := m.lists[name]
		m.mu.Unlock()
		if known {
			for _, it := range all {
				own := *it // the caller may change it
				if !yield(&own, nil) {
					return
				}
			}
			return
		}
		given, ended := 0, true
		for it, err := range read {
			if given++; err != nil {
				given = mostOfList + 1
			}
			if given <= mostOfList {
				own := *it
				all = append(all, &own)
			}
			if !yield(it, err) {
				ended = given == q.Limit // no more was asked for
				break
			}
		}
		if !ended || given > mostOfList {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, it := range all {
			m.grows(sizeOf(it))
		}
		m.lists[name] = all
	}
}
