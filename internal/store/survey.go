package store

import (
	"context"
	"iter"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Surveyed is a memory and how often it was read here, without its signatures.
type Surveyed struct {
	*Item
	Usage
}

// A Surveyor is a store that can return every memory at once.
type Surveyor interface {
	Survey(ctx context.Context, before time.Time) iter.Seq2[Surveyed, error]
}

// surveyPage is how many readings are asked for at once.
const surveyPage = 4096

// Survey returns every memory of a store, hidden ones too, with how often each was
// read: at once where the store can, from its lists otherwise. It is for those who
// must look at all of them. Raws that were written or came after a time may be left out, and
// all memories where all were; zero leaves out none.
func Survey(ctx context.Context, s Store, before time.Time) iter.Seq2[Surveyed, error] {
	if quick, ok := Plain(s).(Surveyor); ok {
		return quick.Survey(ctx, before)
	}
	return func(yield func(Surveyed, error) bool) {
		var page []*Item
		give := func() bool {
			ids := make([]memory.ID, len(page))
			for i, it := range page {
				ids[i] = it.Ref.ID
			}
			used, err := s.Used(ctx, ids...)
			if err != nil {
				yield(Surveyed{}, err)
				return false
			}
			for i, it := range page {
				if !yield(Surveyed{it, used[i]}, nil) {
					return false
				}
			}
			page = nil
			return true
		}
		for it, err := range s.List(ctx, Query{Hidden: true}) {
			if err != nil {
				yield(Surveyed{}, err)
				return
			}
			if page = append(page, it); len(page) == surveyPage && !give() {
				return
			}
		}
		give()
	}
}
