package sqlstore

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// TestColumns asks that rows which go to PostgreSQL as columns are what they are when
// they go as rows: with and without a session, signatures, aliases and a state.
func TestColumns(t *testing.T) {
	spec := storetest.EmptyPostgres(t)
	a, other := storetest.NewOwner("writes in columns"), storetest.NewOwner("signs too")
	var all []*memory.Record
	var unknown []*memory.Record
	for i := range 40 {
		r := a.Raw(t, fmt.Sprint("raw ", i), func(h *memory.Header) {
			if i%3 == 0 {
				h.Session = fmt.Sprint("session ", i)
			}
			if i%4 == 0 {
				h.Alias = []string{fmt.Sprint("alias ", i)}
			}
		})
		sig := memory.Signature{Key: other.Key, Sig: []byte("another's")}
		switch i % 5 {
		case 0:
			r.Sigs = append(r.Sigs, sig)
		case 1:
			r.Sigs = nil
		}
		if all = append(all, r); i%4 == 1 {
			r := a.Raw(t, fmt.Sprint("never came ", i))
			unknown = append(unknown, r)
		}
	}
	for i := range 12 {
		b := a.Belief(t, fmt.Sprint("belief ", i), all[i], all[i+20])
		all = append(all, b, a.Revise(t, fmt.Sprint("revision ", i), b), a.Mark(t, memory.Forget, all[i+1]))
	}
	for _, r := range unknown {
		all = append(all, a.Mark(t, memory.Forget, r))
	}
	tables := []string{"records", "payloads", "signatures", "edges", "dangling", "aliases", "state"}
	dump := func(spec string, batch int) map[string]string {
		s := open(t, spec, Options{Now: func() time.Time { return storetest.Start.Add(time.Hour) }})
		for part := range slices.Chunk(all, batch) {
			appendAll(t, s, part)
		}
		out := make(map[string]string)
		for _, table := range tables {
			var rows []string
			err := s.read.Each(t.Context(), func(r *sql.Rows) error {
				var row string
				err := r.Scan(&row)
				rows = append(rows, row)
				return err
			}, "SELECT row_to_json(x)::text FROM "+table+" x ORDER BY 1")
			if err != nil || len(rows) == 0 {
				t.Fatalf("%s: %d rows, %v", table, len(rows), err)
			}
			out[table] = strings.Join(rows, "\n")
		}
		return out
	}
	columns, rows := dump(spec, len(all)), dump(storetest.EmptyPostgres(t), 1)
	for _, table := range tables {
		if columns[table] != rows[table] {
			t.Errorf("%s: as columns\n%s\nas rows\n%s", table, columns[table], rows[table])
		}
	}
}
