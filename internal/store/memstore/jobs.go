package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

func (s *Store) job(key string) *store.Job {
	for _, j := range s.jobs {
		if j.Key == key {
			return j
		}
	}
	return nil
}

// heldJob returns a job that is still its holder's.
func (s *Store) heldJob(w store.Work) *store.Job {
	if j := s.job(w.Key); j != nil && j.Open() && j.Holder == w.Holder {
		return j
	}
	return nil
}

// addJobs keeps jobs that are new, in the order of their time, then their key.
func (s *Store) addJobs(jobs []store.Job) {
	for _, j := range jobs {
		if s.job(j.Key) == nil {
			s.jobs = append(s.jobs, &store.Job{
				Key: j.Key, Task: j.Task, Space: j.Space, Body: slices.Clone(j.Body), Made: milli(j.Made), Due: milli(j.Due),
				Tries: j.Tries, Holder: j.Holder, Until: milli(j.Until),
			})
		}
	}
	slices.SortFunc(s.jobs, func(a, b *store.Job) int { return cmp.Or(a.Made.Compare(b.Made), cmp.Compare(a.Key, b.Key)) })
}

func milli(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Truncate(time.Millisecond).UTC()
}

func (s *Store) finish(f *store.Finished, now time.Time) error {
	if f == nil {
		return nil
	}
	j := s.heldJob(f.Work)
	if j == nil {
		return store.ErrConflict
	}
	j.Over, j.Note, j.Holder, j.Until = milli(now), store.Noted(f.Note), "", time.Time{}
	return nil
}

// Jobs returns work that was left for later, the oldest first.
func (s *Store) Jobs(ctx context.Context, q store.JobQuery) ([]store.Job, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Job
	for _, j := range s.jobs {
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		if among(q.Tasks, j.Task) && among(q.Keys, j.Key) && (j.Open() || !q.Open) {
			out = append(out, *j)
		}
	}
	return out, ctx.Err()
}

func among(list []string, s string) bool { return len(list) == 0 || slices.Contains(list, s) }

// TakeJob returns one job to its holder alone.
func (s *Store) TakeJob(ctx context.Context, t store.Take) (*store.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	now := s.now()
	for _, j := range s.jobs {
		free := j.Holder == "" || !j.Until.After(now) || j.Holder == t.Holder
		if !j.Open() || !free || !among(t.Tasks, j.Task) || !among(t.Keys, j.Key) || !t.All && j.Due.After(now) {
			continue
		}
		if j.Holder != t.Holder {
			j.Tries++
		}
		j.Holder, j.Until = t.Holder, milli(t.Until)
		taken := *j
		return &taken, nil
	}
	return nil, nil
}

// PutBack ends a try.
func (s *Store) PutBack(ctx context.Context, p store.PutBack) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	j := s.heldJob(p.Work)
	if j == nil {
		return nil
	}
	j.Holder, j.Until, j.Due, j.Note = "", time.Time{}, milli(p.Due), store.Noted(p.Note)
	if p.GiveUp {
		j.Over, j.Gave = milli(s.now()), true
	}
	return nil
}

// ForgetJobs drops jobs that were over before a time.
func (s *Store) ForgetJobs(ctx context.Context, before time.Time) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	had := len(s.jobs)
	s.jobs = slices.DeleteFunc(s.jobs, func(j *store.Job) bool { return !j.Open() && j.Over.Before(milli(before)) })
	return had - len(s.jobs), nil
}

// Count adds to counters of a day.
func (s *Store) Count(ctx context.Context, day string, add map[string]int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.counts[day] == nil {
		s.counts[day] = make(map[string]int64)
	}
	for name, n := range add {
		s.counts[day][name] += n
	}
	return nil
}

// Counts returns the counters since a day, summed.
func (s *Store) Counts(ctx context.Context, since string) (map[string]int64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make(map[string]int64)
	for day, counts := range s.counts {
		if day >= since {
			for name, n := range counts {
				out[name] += n
			}
		}
	}
	return out, ctx.Err()
}
