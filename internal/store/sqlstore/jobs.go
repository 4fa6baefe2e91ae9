package sqlstore

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

const jobColumns = "key, task, space, body, made, due, tries, holder, until, ended, gave, note"

// mostTaken is how many jobs are looked at, at once, for one that is free.
const mostTaken = 64

// milli returns a time in its stored form; 0 is none.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMilli(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return memory.At(time.UnixMilli(n)).Time()
}

// leave keeps the jobs of the batch whose keys are not there yet.
func (a *appending) leave() error {
	p := session.Pile{
		Into: "INSERT INTO jobs (key, task, space, body, made, due, tries, holder, until) VALUES ",
		Row:  "(?,?,?,?,?,?,?,?,?)",
		Tail: " ON CONFLICT (key) DO NOTHING",
	}
	seen := make(map[string]bool)
	for _, j := range a.batch.Jobs {
		if !seen[j.Key] {
			seen[j.Key] = true
			p.Add(j.Key, j.Task, j.Space, slices.Clone(j.Body), milli(j.Made), milli(j.Due), j.Tries, j.Holder,
				milli(j.Until))
		}
	}
	return p.Flush(a.ctx, a.on)
}

// finish ends the job that the batch is the outcome of; false is that it is over, or
// another's.
func (a *appending) finish() (bool, error) {
	f := a.batch.Finished
	if f == nil {
		return true, nil
	}
	var key string
	return a.on.One(a.ctx, []any{&key}, `UPDATE jobs SET ended = ?, note = ?, holder = '', until = 0
		WHERE key = ? AND holder = ? AND ended = 0 RETURNING key`, milli(a.now), store.Noted(f.Note), f.Key, f.Holder)
}

func scanJob(rows *sql.Rows) (j store.Job, err error) {
	var made, due, until, over int64
	var gave int
	err = rows.Scan(&j.Key, &j.Task, &j.Space, &j.Body, &made, &due, &j.Tries, &j.Holder, &until, &over, &gave, &j.Note)
	j.Made, j.Due, j.Until, j.Over, j.Gave = fromMilli(made), fromMilli(due), fromMilli(until), fromMilli(over), gave != 0
	return j, err
}

// jobsOf returns jobs, at most so many; 0 is all.
func jobsOf(
	ctx context.Context, on *session.Session, q store.JobQuery, where string, args ...any,
) ([]store.Job, error) {
	query := "SELECT " + jobColumns + " FROM jobs WHERE " + where
	if len(q.Tasks) > 0 {
		more, list := session.SpreadFor(" AND task IN (…)", q.Tasks, text)
		query, args = query+more, append(args, list...)
	}
	if len(q.Keys) > 0 {
		more, list := session.SpreadFor(" AND key IN (…)", q.Keys, text)
		query, args = query+more, append(args, list...)
	}
	limit := int64(math.MaxInt32)
	if q.Limit > 0 {
		limit = int64(q.Limit)
	}
	var out []store.Job
	err := on.Each(ctx, func(rows *sql.Rows) error {
		j, err := scanJob(rows)
		out = append(out, j)
		return err
	}, query+" ORDER BY made, key LIMIT ?", append(args, limit)...)
	return out, err
}

func text(s string) any { return s }

// Jobs returns work that was left for later, the oldest first.
func (s *Store) Jobs(ctx context.Context, q store.JobQuery) ([]store.Job, error) {
	where := "1 = 1"
	if q.Open {
		where = "ended = 0"
	}
	out, err := jobsOf(ctx, s.read, q, where)
	return out, s.Failed("read the jobs of", err)
}

// TakeJob returns one job to its holder alone.
func (s *Store) TakeJob(ctx context.Context, t store.Take) (taken *store.Job, err error) {
	err = s.Change(ctx, "take a job of", func(ctx context.Context, w *session.Session) error {
		now := milli(s.now())
		latest := now
		if t.All {
			latest = 1 << 62
		}
		const free = "ended = 0 AND (holder = '' OR until <= ? OR holder = ?) AND due <= ?"
		found, err := jobsOf(
			ctx, w, store.JobQuery{Tasks: t.Tasks, Keys: t.Keys, Limit: mostTaken}, free, now, t.Holder, latest,
		)
		if err != nil {
			return err
		}
		for _, j := range found {
			j.Holder, j.Until = t.Holder, fromMilli(milli(t.Until))
			ours, err := w.One(ctx, []any{&j.Tries}, `UPDATE jobs SET tries = tries + CASE WHEN holder = ? THEN 0 ELSE 1 END,
				holder = ?, until = ? WHERE key = ? AND `+free+` RETURNING tries`, t.Holder, t.Holder, milli(t.Until), j.Key,
				now, t.Holder, latest)
			if err != nil {
				return err
			}
			if ours {
				taken = &j
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// PutBack ends a try.
func (s *Store) PutBack(ctx context.Context, p store.PutBack) error {
	return s.Change(ctx, "put a job back in", func(ctx context.Context, w *session.Session) error {
		ended, gave := int64(0), 0
		if p.GiveUp {
			ended, gave = milli(s.now()), 1
		}
		return w.Exec(ctx, "UPDATE jobs SET holder = '', until = 0, due = ?, note = ?, ended = ?, gave = ? WHERE key "+
			"= ? AND holder = ? AND ended = 0",
			milli(p.Due), store.Noted(p.Note), ended, gave, p.Key, p.Holder)
	})
}

// ForgetJobs drops jobs that were over before a time.
func (s *Store) ForgetJobs(ctx context.Context, before time.Time) (n int, err error) {
	err = s.Change(ctx, "drop jobs of", func(ctx context.Context, w *session.Session) error {
		n = 0
		return w.Each(
			ctx, func(rows *sql.Rows) error { n++; return nil },
			"DELETE FROM jobs WHERE ended > 0 AND ended < ? RETURNING key", milli(before),
		)
	})
	return n, err
}

// Count adds to counters of a day.
func (s *Store) Count(ctx context.Context, day string, add map[string]int64) error {
	if len(add) == 0 {
		return ctx.Err()
	}
	return s.Change(ctx, "count in", func(ctx context.Context, w *session.Session) error {
		p := session.Pile{
			Into: "INSERT INTO counts (day, name, n) VALUES ", Row: "(?,?,?)",
			Tail: " ON CONFLICT (day, name) DO UPDATE SET n = counts.n + excluded.n",
		}
		for _, name := range sortedKeys(add) { // two that lock several take them in the same order
			p.Add(day, name, add[name])
		}
		return p.Flush(ctx, w)
	})
}

func sortedKeys(m map[string]int64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Counts returns the counters since a day, summed.
func (s *Store) Counts(ctx context.Context, since string) (map[string]int64, error) {
	out := make(map[string]int64)
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var name string
		var n int64
		err := rows.Scan(&name, &n)
		out[name] = n
		return err
	}, "SELECT name, CAST(sum(n) AS BIGINT) FROM counts WHERE day >= ? GROUP BY name", since)
	return out, s.Failed("read the counters of", err)
}
