package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// left is work that one write leaves.
func (p *place) left(key, task string, due time.Duration) store.Job {
	return store.Job{
		Key: key, Task: task, Space: "s", Body: []byte(`{"of":"` + key + `"}`), Made: p.clock(),
		Due: p.clock().Add(due),
	}
}

func (p *place) take(t store.Take) *store.Job {
	p.Helper()
	if t.Until.IsZero() {
		t.Until = p.clock().Add(time.Minute)
	}
	j, err := p.TakeJob(p.Context(), t)
	if err != nil {
		p.Fatalf("TakeJob(%+v): %v", t, err)
	}
	return j
}

func (p *place) wantJobs(what string, q store.JobQuery, want ...string) {
	p.Helper()
	jobs, err := p.Jobs(p.Context(), q)
	var got []string
	for _, j := range jobs {
		got = append(got, j.Key)
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		p.Errorf("%s: jobs %v, %v, want %v", what, got, err, want)
	}
}

// testJobs asks that work is kept with the records that leave it, given to one at a
// time, and done once.
func testJobs(p *place) {
	ann := NewOwner("ann")
	a, b := ann.Raw(p, "a"), ann.Raw(p, "b")
	ctx := p.Context()
	leave := func(rs []*memory.Record, jobs ...store.Job) error {
		_, err := p.Append(ctx, store.Batch{Records: rs, Jobs: jobs})
		return err
	}
	if err := leave(
		[]*memory.Record{a}, p.left("one", "read", 0), p.left("later", "read", time.Hour),
		p.left("one", "other", 0),
	); err != nil {
		p.Fatal(err)
	}
	if err := leave([]*memory.Record{a}, p.left("two", "read", 0)); err != nil { // sent twice
		p.Fatal(err)
	}
	if err := leave([]*memory.Record{ann.Raw(p, "again")}, p.left("one", "other", 0)); err != nil {
		p.Fatal(err)
	}
	p.wantJobs("after the writes", store.JobQuery{}, "later", "one", "two")
	refused := errors.New("refused")
	if _, err := p.Append(ctx, store.Batch{Records: []*memory.Record{b}, Jobs: []store.Job{p.left("lost", "read", 0)},
		Check: func(*memory.Record) error { return refused }}); !errors.Is(err, refused) {
		p.Errorf("a refused batch gives %v", err)
	}
	p.set(p.clock().Add(time.Second))
	if err := leave(nil, p.left("alone", "write", 0)); err != nil {
		p.Fatal(err)
	}
	p.wantJobs("without records", store.JobQuery{Open: true}, "later", "one", "two", "alone")
	if j := p.take(store.Take{Holder: "w0", Keys: []string{"two"}}); j == nil ||
		p.PutBack(ctx, store.PutBack{Work: store.Work{Key: "two", Holder: "w0"}, GiveUp: true}) != nil {
		p.Errorf("taken by its key: %+v", j)
	}
	p.wantJobs("of a task", store.JobQuery{Tasks: []string{"write", "x", "y"}}, "alone")
	p.wantJobs("by keys", store.JobQuery{Keys: []string{"one", "later"}, Limit: 1}, "later")

	j := p.take(store.Take{Holder: "w1"})
	if j == nil || j.Key != "one" || j.Task != "read" || j.Space != "s" || string(j.Body) != `{"of":"one"}` ||
		j.Tries != 1 || j.Holder != "w1" {
		p.Fatalf("taken %+v, want the oldest that is due", j)
	}
	if j := p.take(store.Take{Holder: "w2", Tasks: []string{"read"}}); j != nil {
		p.Errorf("taken %+v, which is not due or another's", j)
	}
	if j := p.take(store.Take{Holder: "w2", Tasks: []string{"read"}, All: true}); j == nil || j.Key != "later" {
		p.Errorf("taken %+v, want the one that is not due", j)
	}
	finish := func(key, holder string, rs ...*memory.Record) error {
		_, err := p.Append(
			ctx,
			store.Batch{Records: rs, Finished: &store.Finished{Work: store.Work{Key: key, Holder: holder}, Note: "done"}},
		)
		return err
	}
	if err := finish("one", "w2", b); !errors.Is(err, store.ErrConflict) {
		p.Errorf("the outcome of another's job gives %v", err)
	}
	if items, err := p.Get(ctx, b.ID); err != nil || items[0] != nil {
		p.Errorf("the outcome of another's job is kept: %v, %v", items, err)
	}
	p.set(p.clock().Add(2 * time.Minute)) // w1 was too slow
	if j = p.take(store.Take{Holder: "w2", Keys: []string{"one"}}); j == nil || j.Tries != 2 {
		p.Fatalf("what was held for too long is not given: %+v", j)
	}
	if j := p.take(store.Take{Holder: "w2", Keys: []string{"one"}, Until: p.clock().Add(time.Hour)}); j == nil ||
		j.Tries != 2 {
		p.Errorf("held for longer: %+v", j)
	}
	p.set(p.clock().Add(2 * time.Minute))
	if j := p.take(store.Take{Holder: "w4", Keys: []string{"one"}}); j != nil {
		p.Errorf("taken from who holds it for longer: %+v", j)
	}
	if err := finish("one", "w1", b); !errors.Is(err, store.ErrConflict) {
		p.Errorf("the outcome of who was too slow gives %v", err)
	}
	if err := finish("one", "w2", b); err != nil {
		p.Errorf("the outcome gives %v", err)
	}
	if err := finish("one", "w2", b); err != nil {
		p.Errorf("the outcome sent twice gives %v", err)
	}
	if err := finish("one", "w2"); !errors.Is(err, store.ErrConflict) {
		p.Errorf("a second outcome gives %v", err)
	}
	if err := finish("unheard of", "w2"); !errors.Is(err, store.ErrConflict) {
		p.Errorf("the outcome of no job gives %v", err)
	}
	p.wantJobs("when one is done", store.JobQuery{Open: true}, "later", "alone")
	if done, err := p.Jobs(ctx, store.JobQuery{Keys: []string{"one"}}); err != nil || done[0].Open() ||
		done[0].Note != "done" || done[0].Gave || !done[0].Over.Equal(p.clock()) {
		p.Errorf("done: %+v, %v", done, err)
	}
	p.giveUp()
}

// giveUp goes on where one job is held by no one and one waits.
func (p *place) giveUp() {
	ctx := p.Context()
	j := p.take(store.Take{Holder: "w3", Tasks: []string{"write"}})
	again := p.clock().Add(time.Hour)
	for _, holder := range []string{"w9", "w3", "w3"} { // not the holder, and twice
		if err := p.PutBack(
			ctx,
			store.PutBack{Work: store.Work{Key: j.Key, Holder: holder}, Due: again, Note: strings.Repeat("é", 1000)},
		); err != nil {
			p.Fatal(err)
		}
	}
	if got, err := p.Jobs(ctx, store.JobQuery{Keys: []string{"alone"}}); err != nil || got[0].Holder != "" ||
		!got[0].Due.Equal(again) || got[0].Tries != 1 || len(got[0].Note) > 1000 || !got[0].Open() {
		p.Errorf("put back: %+v, %v", got, err)
	}
	if j := p.take(store.Take{Holder: "w3", Tasks: []string{"write"}}); j != nil {
		p.Errorf("taken before it is due: %+v", j)
	}
	p.set(again)
	j = p.take(store.Take{Holder: "w3", Tasks: []string{"write"}})
	if err := p.PutBack(
		ctx, store.PutBack{Work: store.Work{Key: j.Key, Holder: "w3"}, GiveUp: true, Note: "no use"},
	); err != nil {
		p.Fatal(err)
	}
	if got, err := p.Jobs(ctx, store.JobQuery{Keys: []string{"alone"}}); err != nil || !got[0].Gave || got[0].Open() ||
		got[0].Tries != 2 {
		p.Errorf("given up: %+v, %v", got, err)
	}
	if n, err := p.ForgetJobs(ctx, p.clock()); n != 2 || err != nil {
		p.Errorf("ForgetJobs before now = %d, %v, want the two that were over before", n, err)
	}
	p.wantJobs("after forgetting", store.JobQuery{}, "later", "alone")
}

// testManyHands asks that of many who take work at once each gets another piece, and
// that each piece is done once.
func testManyHands(p *place) {
	ann := NewOwner("ann")
	const pieces = 40
	var jobs []store.Job
	outcome := make(map[string]*memory.Record)
	for i := range pieces {
		j := p.left(fmt.Sprintf("job %02d", i), "read", 0)
		jobs = append(jobs, j)
		outcome[j.Key] = ann.Raw(p, "outcome of "+j.Key)
	}
	if _, err := p.Append(p.Context(), store.Batch{Jobs: jobs}); err != nil {
		p.Fatal(err)
	}
	var mu sync.Mutex
	taken := make(map[string]int)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			holder := fmt.Sprint("hand ", w)
			for {
				j, err := p.TakeJob(p.Context(), store.Take{Holder: holder, Until: p.clock().Add(time.Hour)})
				if err != nil {
					p.Errorf("TakeJob: %v", err)
				}
				if j == nil {
					return
				}
				mu.Lock()
				taken[j.Key]++
				mu.Unlock()
				n, err := p.Append(p.Context(), store.Batch{
					Records: []*memory.Record{outcome[j.Key]}, Finished: &store.Finished{Work: store.Work{Key: j.Key, Holder: holder}},
				})
				if n != 1 || err != nil {
					p.Errorf("the outcome of %s = %d, %v", j.Key, n, err)
				}
			}
		})
	}
	wg.Wait()
	for _, j := range jobs {
		if taken[j.Key] != 1 {
			p.Errorf("%s was taken %d times", j.Key, taken[j.Key])
		}
	}
	p.wantJobs("when all are done", store.JobQuery{Open: true})
	if got := p.stats().Records; got != pieces {
		p.Errorf("%d outcomes, want %d", got, pieces)
	}
}

// testCounts asks for sums by day.
func testCounts(p *place) {
	ctx := p.Context()
	for day, add := range map[string]map[string]int64{
		"2026-11-19": {"tokens": 5}, "2026-11-20": {
			"tokens": 1 << 40, "calls": 1,
		}, "2026-11-21": {"calls": 2, "it's": -1}, "2026-11-22": {},
	} {
		for range 2 {
			if err := p.Count(ctx, day, add); err != nil {
				p.Fatal(err)
			}
		}
	}
	for since, want := range map[string]map[string]int64{
		"2026-11-20": {"tokens": 1 << 41, "calls": 6, "it's": -2}, "2026-11-21": {"calls": 4, "it's": -2}, "2027": {},
	} {
		if got, err := p.Counts(ctx, since); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			p.Errorf("Counts since %s = %v, %v, want %v", since, got, err, want)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, call := range map[string]func() error{
		"Jobs":       func() error { _, err := p.Jobs(cancelled, store.JobQuery{}); return err },
		"TakeJob":    func() error { _, err := p.TakeJob(cancelled, store.Take{Holder: "w"}); return err },
		"PutBack":    func() error { return p.PutBack(cancelled, store.PutBack{}) },
		"ForgetJobs": func() error { _, err := p.ForgetJobs(cancelled, p.clock()); return err },
		"Count":      func() error { return p.Count(cancelled, "2026-11-21", map[string]int64{"calls": 1}) },
		"Counts":     func() error { _, err := p.Counts(cancelled, ""); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			p.Errorf("%s when cancelled gives %v", name, err)
		}
	}
}
