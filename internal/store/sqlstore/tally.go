package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// Most records are raw: they are what is left of a log when the others are counted,
// for which there is an index. Few states hide anything.
const (
	tallyOthers = "SELECT kind, count(*) FROM records WHERE kind > 1 AND key >= ? AND key < ? GROUP BY kind"
	tallyHidden = `SELECT r.kind, count(*) FROM state s CROSS JOIN records r WHERE r.key = s.key AND s.flags & 63 <> 0
		AND s.key >= ? AND s.key < ? GROUP BY r.kind`
)

// Tally counts the memories of some spaces that are shown by default, by kind.
func (s *Store) Tally(ctx context.Context, spaces []string) (map[memory.Kind]int, error) {
	all, err := s.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.Kind]int)
	for _, sp := range all {
		if len(spaces) > 0 && !slices.Contains(spaces, sp.Name) {
			continue
		}
		no, err := s.names.number(ctx, s.read, spaceList, sp.Name)
		if err != nil {
			return nil, s.failed("count", err)
		}
		raws := int(sp.Last)
		err = s.tally(ctx, tallyOthers, no, func(kind memory.Kind, n int) {
			raws -= n
			out[kind] += n
		})
		out[memory.KindRaw] += raws
		if err == nil {
			err = s.tally(ctx, tallyHidden, no, func(kind memory.Kind, n int) { out[kind] -= n })
		}
		if err != nil {
			return nil, s.failed("count", err)
		}
	}
	for kind := range out {
		if !kind.IsMemory() {
			delete(out, kind)
		}
	}
	return out, ctx.Err()
}

func (s *Store) tally(ctx context.Context, query string, space int, add func(memory.Kind, int)) error {
	type count struct{ kind, n int }
	var counts []count
	err := s.read.each(ctx, func(rows *sql.Rows) error {
		var c count
		err := rows.Scan(&c.kind, &c.n)
		counts = append(counts, c)
		return err
	}, query, firstKey(space), firstKey(space+1))
	if err != nil {
		return err
	}
	for _, c := range counts {
		kind, err := s.names.kind(ctx, s.read, c.kind)
		if err != nil {
			return err
		}
		add(kind, c.n)
	}
	return nil
}
