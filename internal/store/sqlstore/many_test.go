//go:build !race

package sqlstore

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// TestNearestHarmed asks that codes that are not those of the store are made
// again, and that where they cannot be, everything is found all the same.
func TestNearestHarmed(t *testing.T) {
	other := tempSQLite(t)
	stranger := open(t, other, Options{})
	ann := storetest.NewOwner("stranger")
	strange := make([]*memory.Record, 200)
	for i := range strange {
		strange[i] = ann.Raw(t, fmt.Sprint("strange ", i))
	}
	appendAll(t, stranger, strange)
	putVectors(t, stranger, "m", strange, 1000)
	// as if chance had given both the same numbers
	const alike = "UPDATE vectors SET ord = rowid, sum = NULL; UPDATE models SET last = 200"
	exec(t, stranger, alike)
	wantFirst(t, stranger, "m", append(make([]*memory.Record, 1000), strange...), 1007)

	for name, tt := range map[string]struct {
		harm func(t *testing.T, path string)
		kept bool // it stays as it is
	}{
		"none":      {harm: func(*testing.T, string) {}},
		"deleted":   {harm: func(t *testing.T, path string) { must(t, os.Remove(path)) }},
		"emptied":   {harm: func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		"truncated": {harm: func(t *testing.T, path string) { must(t, os.Truncate(path, 1000)) }},
		"foreign": {harm: func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("?", 9999)), session.FilePerm))
		}},
		"a stranger's": {harm: func(t *testing.T, path string) {
			bytes, err := os.ReadFile(sidecar(t, other))
			must(t, errors.Join(err, os.WriteFile(path, bytes, session.FilePerm)))
		}},
		"a directory": {
			kept: true,
			harm: func(t *testing.T, path string) {
				must(t, errors.Join(os.Remove(path), os.Mkdir(path, session.DirPerm)))
			},
		},
		"deleted, and none can be made": {kept: true, harm: func(t *testing.T, path string) {
			must(t, errors.Join(os.Remove(path), os.Remove(path+".lock")))
			must(t, os.Mkdir(path+".lock", session.DirPerm))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			path := tempSQLite(t)
			first, err := Open(t.Context(), path, Options{})
			must(t, err)
			rs := putAll(t, first, "m", 200)
			exec(t, first, alike)
			wantFirst(t, first, "m", rs, 7)
			must(t, first.Close())
			codes := sidecar(t, path)
			tt.harm(t, codes)
			s := open(t, path, Options{})
			wantFirst(t, s, "m", rs, 7)
			if hits := near(t, s, store.Near{Model: "m", Vec: points()[7], Limit: 1000}); len(hits) != 200 {
				t.Errorf("%d vectors are found, want 200", len(hits))
			}
			more := raws(t, 400)
			appendAll(t, s, more[200:])
			putVectors(t, s, "m", more[200:], 200)
			wantFirst(t, s, "m", more, 333)
			if _, filed := s.copies.Codes(1); filed == tt.kept {
				t.Errorf("the codes are in a file: %v, want %v", filed, !tt.kept)
			}
		})
	}
}

// TestNearestBackup brings back a database from a copy made before the codes
// that are beside it.
func TestNearestBackup(t *testing.T) {
	path := tempSQLite(t)
	use := func(do func(s *Store)) {
		s, err := Open(t.Context(), path, Options{})
		must(t, err)
		do(s)
		must(t, s.Close())
	}
	rs := raws(t, 300)
	use(func(s *Store) { appendAll(t, s, rs); putVectors(t, s, "m", rs[:100], 0) })
	checkpoint(t, path)
	backup, err := os.ReadFile(path)
	must(t, err)
	bringBack := func() {
		for _, end := range []string{"-wal", "-shm"} {
			if err := os.Remove(path + end); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		must(t, os.WriteFile(path, backup, session.FilePerm))
	}
	for range 5 { // what numbers are given is left to chance
		use(func(s *Store) {
			putVectors(t, s, "m", rs[100:200], 1000) // fewer than will come after
			near(t, s, store.Near{Model: "m", Vec: points()[0]})
		})
		bringBack()
		use(func(s *Store) {
			putVectors(t, s, "m", rs[100:200], 100)
			putVectors(t, s, "m", rs[200:250], 200)
			for i := range 250 {
				wantFirst(t, s, "m", rs, i)
			}
			if hits := near(t, s, store.Near{Model: "m", Vec: points()[1001], Limit: 300}); len(hits) != 250 {
				t.Errorf("%d vectors are found, want 250", len(hits))
			}
		})
		bringBack()
	}
}

// TestCheckVectors makes damage to vectors and to their codes.
func TestCheckVectors(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		damage     func(t *testing.T, s *Store, path string)
	}{
		{"a stray vector", "belong to no record", func(t *testing.T, s *Store, _ string) {
			exec(t, s, "UPDATE vectors SET key = 7 WHERE ord = (SELECT max(ord) FROM vectors)")
		}},
		{"another length", "not of 32 numbers", func(t *testing.T, s *Store, _ string) {
			exec(t, s, "UPDATE vectors SET vec = x'00000000' WHERE ord = (SELECT max(ord) FROM vectors)")
		}},
		{"other codes", "delete", func(t *testing.T, _ *Store, path string) {
			codes := sidecar(t, path)
			b, err := os.ReadFile(codes)
			must(t, err)
			b[len(b)/2] ^= 1 // in the first of two parts: the last is read whenever the file is opened
			must(t, os.WriteFile(codes, b, session.FilePerm))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := tempSQLite(t)
			s := open(t, path, Options{})
			rs := putAll(t, s, "m", 300)
			healthy(t, s)
			near(t, s, store.Near{Model: "m", Vec: points()[0]})
			putVectors(t, s, "m", rs[:nearest.WorthWriting], 300)
			near(t, s, store.Near{Model: "m", Vec: points()[0]})
			healthy(t, s)
			tt.damage(t, s, path)
			var all []string
			for err := range s.Check(t.Context()) {
				all = append(all, err.Error())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, tt.says) {
				t.Errorf("Check gives %q, want %q in it", got, tt.says)
			}
		})
	}
}

// TestNearestRare asks for what is rare among what is near.
func TestNearestRare(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	ann := storetest.NewOwner("ann")
	const count = 3000
	rs := make([]*memory.Record, count)
	var hide []*memory.Record
	byNear := make([]int, count) // places by how near they are to point 0
	for i := range byNear {
		byNear[i] = i
	}
	dot := func(i int) float64 { return float64(vec.Cosine(points()[i], points()[0])) }
	slices.SortFunc(byNear, func(a, b int) int { return cmp.Compare(dot(b), dot(a)) })
	place := make([]int, count)
	for p, i := range byNear {
		place[i] = p
	}
	for i := range rs {
		rs[i] = ann.Raw(t, fmt.Sprint("record ", i))
		if place[i] >= count-20 {
			rs[i] = ann.Belief(t, fmt.Sprint("belief ", i)) // the farthest
		} else if place[i] < 1000 && place[i]%10 != 0 {
			hide = append(hide, rs[i])
		}
	}
	appendAll(t, s, rs)
	for part := range slices.Chunk(hide, 50) {
		appendAll(t, s, []*memory.Record{ann.Mark(t, memory.Forget, part...)})
	}
	putVectors(t, s, "m", rs, 0)
	anything := func(int) bool { return true }
	shown := func(place int) bool { return place >= 1000 || place%10 == 0 }
	beliefs := func(place int) bool { return place >= count-20 }
	for _, tt := range []struct {
		what string
		n    store.Near
		keep func(place int) bool
	}{
		{"shown ones", store.Near{Limit: 10}, shown},
		{"more shown ones", store.Near{Limit: 150}, shown},
		{"hidden ones", store.Near{Limit: 10, Hidden: true}, anything},
		{"a rare kind", store.Near{Limit: 10, Kinds: []memory.Kind{memory.KindBelief}}, beliefs},
		{"all of a rare kind", store.Near{Limit: 500, Kinds: []memory.Kind{memory.KindBelief}}, beliefs},
		{"a kind that is mostly hidden", store.Near{Limit: 5, Kinds: []memory.Kind{memory.KindRaw}}, shown},
		{"everything", store.Near{Limit: 5000}, shown},
	} {
		var want []int
		for place, i := range byNear {
			if tt.keep(place) && len(want) < tt.n.Limit {
				want = append(want, i)
			}
		}
		tt.n.Model, tt.n.Vec = "m", points()[0]
		hits := near(t, s, tt.n)
		if len(hits) != len(want) {
			t.Errorf("%s: %d found, want %d", tt.what, len(hits), len(want))
			continue
		}
		for i, h := range hits {
			if math.Abs(h.Score-dot(want[i])) > 1e-5 {
				t.Errorf("%s: place %d scores %v, want %v", tt.what, i, h.Score, dot(want[i]))
				break
			}
		}
	}
}

// Whatever bit of a count of readings, of a time of arrival, of a vector or of what is noted
// of its model is flipped, doctor sees it.
func TestFlippedSums(t *testing.T) {
	s, _ := summed(t, tempSQLite(t))
	before := len(slices.Collect(s.Check(t.Context()))) // the triggers are away
	for _, at := range []struct{ table, where, columns string }{
		{"usage", "times = 6", "times last sum key"},
		{"records", "key = (SELECT min(key) FROM records)", "came sum"},
		{"vectors", "ord = (SELECT min(ord) FROM vectors)", "sum ord model key"},
		{"spaces", "no = 1", "came"},
		{"models", "no = 1", "dims"},
	} {
		for _, column := range strings.Fields(at.columns) {
			var row, was int64
			query := fmt.Sprintf("SELECT rowid, %s FROM %s WHERE %s", column, at.table, at.where)
			if _, err := s.read.One(t.Context(), []any{&row, &was}, query); err != nil {
				t.Fatal(err)
			}
			set := func(value, row int64) {
				exec(t, s, fmt.Sprintf("UPDATE %s SET %s = %d WHERE rowid = %d", at.table, column, value, row))
			}
			for bit := range 64 {
				is := was ^ 1<<bit
				if at.table == "vectors" && column == "key" && bit == 1 {
					continue // another has it
				}
				set(is, row)
				if len(slices.Collect(s.Check(t.Context()))) <= before {
					t.Errorf("bit %d of %s.%s: Check finds nothing", bit, at.table, column)
				}
				if column == "key" && at.table == "usage" { // it is the rowid
					set(was, is)
				} else {
					set(was, row)
				}
			}
		}
	}
	for bit := range 64 {
		const at = "SELECT hex(vec) FROM vectors WHERE ord = (SELECT min(ord) FROM vectors)"
		var was string
		if _, err := s.read.One(t.Context(), []any{&was}, at); err != nil {
			t.Fatal(err)
		}
		b, err := hex.DecodeString(was)
		if err != nil {
			t.Fatal(err)
		}
		b[bit/8] ^= 1 << (bit % 8)
		set := func(vec string) {
			exec(t, s, "UPDATE vectors SET vec = x'"+vec+"' WHERE ord = (SELECT min(ord) FROM vectors)")
		}
		set(hex.EncodeToString(b))
		if len(slices.Collect(s.Check(t.Context()))) <= before {
			t.Errorf("bit %d of a vector: Check finds nothing", bit)
		}
		set(was)
	}
	if n := len(slices.Collect(s.Check(t.Context()))); n != before {
		t.Errorf("flipped back, Check finds %d, want %d", n, before)
	}
}

// What is made of nothing that is held is read as if it were not there where it is not what
// was written; Check names it, and Repair leaves it out and says so.
func TestRepairLeavesOut(t *testing.T) {
	for _, tt := range []struct{ name, sql, says, left, lost string }{
		{"more readings", "UPDATE usage SET times = times + 4096", "2 counts of readings", "2 counts of readings", "used"},
		{
			"a reading at another time", "UPDATE usage SET last = last + 1 WHERE times = 6",
			"1 counts of readings", "1 counts of readings", "used",
		},
		{
			"a sum of another", "UPDATE usage SET sum = sum + 1 WHERE times = 6", "1 counts of readings",
			"1 counts of readings", "used",
		},
		{"another vector", "UPDATE vectors SET vec = OTHER WHERE ord = (SELECT min(ord) FROM vectors)",
			"1 vectors of model model", "1 vectors were damaged", "near"},
		{"another number of a vector", "UPDATE vectors SET ord = ord + 1 WHERE ord = (SELECT min(ord) FROM vectors)",
			"1 vectors of model model", "1 vectors were damaged", "near"},
		{
			"another model", "UPDATE models SET name = 'mobel'", "3 vectors of model mobel",
			"3 vectors were damaged", "all near",
		},
		{"no numbers", "UPDATE models SET dims = 0", "have 2 numbers", "", ""},
		{"other numbers", "UPDATE models SET dims = 3", "not of 3 numbers", "", ""},
		{"a last number far too small", "UPDATE models SET last = 1", "the last is noted", "", ""},
		{"came at another time", "UPDATE records SET came = came + 4096 WHERE key = (SELECT min(key) FROM records)",
			"when it came", "1 records have lost the time", "came"},
		{"no time", "UPDATE records SET came = NULL WHERE key = (SELECT min(key) FROM records)",
			"when it came", "1 records have lost the time", "came"},
		{
			"a space to which records come far too late", "UPDATE spaces SET came = came + 1099511627776",
			"last record came", "", "",
		},
		{"a space to which records come far too early", "UPDATE spaces SET came = 5", "last record came", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, spec string) {
				s, rs := summed(t, spec)
				other := "x'0000803f00000040'"
				if s.d == session.Postgres {
					other = `'\x0000803f00000040'`
				}
				exec(t, s, strings.ReplaceAll(tt.sql, "OTHER", other))
				var all []string
				for err := range s.Check(t.Context()) {
					all = append(all, err.Error())
					if !errors.Is(err, store.ErrDerived) {
						t.Errorf("Check gives %v, which is not to be repaired", err)
					}
				}
				if !strings.Contains(strings.Join(all, "\n"), tt.says) {
					t.Errorf("Check gives %q, want %q", all, tt.says)
				}
				if tt.lost != "" {
					lostAlone(t, s, rs, tt.lost)
				}
				if err := s.Touch(t.Context(), time.UnixMilli(1), rs[0].ID); err != nil {
					t.Fatal(err)
				}
				if tt.lost == "used" {
					lostAlone(t, s, rs, tt.lost) // one more does not make it look right
				}
				did, err := s.Repair(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if left := strings.Join(did.Left, "\n"); tt.left == "" && left != "" || !strings.Contains(left, tt.left) {
					t.Errorf("Repair leaves %q, want %q", left, tt.left)
				}
				healthy(t, s)
				lostAlone(t, s, rs, tt.lost)
				at, err := s.Cursor(t.Context(), store.EmbedCursor+"model main")
				if err != nil || (at == 0) != strings.HasSuffix(tt.lost, "near") {
					t.Errorf("whoever makes vectors begins after %d, %v", at, err)
				}
				more := raws(t, 4)[3:]
				appendAll(t, s, more)
				healthy(t, s)
				if it, err := s.Get(t.Context(), more[0].ID); err != nil || time.Since(it[0].Came).Abs() > time.Hour {
					t.Errorf("what is new came at %v, %v", it[0].Came, err)
				}
			})
		})
	}
}

// TestPgvector asks the database itself for what is near, with the same answers.
func TestPgvector(t *testing.T) {
	var s *Store
	storetest.RunNearest(t, func(t *testing.T, now func() time.Time) store.Store {
		s = open(t, tempPgvector(t), Options{Now: now})
		return s
	})
	if s.copies.Extension() != "public" || s.copies.Coded() > 0 {
		t.Errorf(
			"pgvector is in the schema %q and codes were made for %d models, want public and none",
			s.copies.Extension(), s.copies.Coded(),
		)
	}
	var kept, copied int
	for query, n := range map[string]*int{
		"SELECT count(*) FROM vectors":                    &kept,
		"SELECT count(*) FROM near WHERE ord IS NOT NULL": &copied,
	} {
		if _, err := s.read.One(t.Context(), []any{n}, query); err != nil {
			t.Fatal(err)
		}
	}
	if kept == 0 || copied != kept {
		t.Errorf("%d of %d vectors are copied", copied, kept)
	}
}

// TestPgvectorLater asks that vectors kept before the extension was there, and
// those of a store that may not write, are found.
func TestPgvectorLater(t *testing.T) {
	address := tempPgvector(t)
	first := open(t, address, Options{})
	first.copies.WithoutExtension() // there was none
	rs := putAll(t, first, "m", nearest.Page+10)
	wantFirst(t, first, "m", rs, 7)
	if first.copies.Coded() == 0 {
		t.Error("without pgvector no codes are made")
	}
	readOnly := open(t, address, Options{ReadOnly: true})
	wantFirst(t, readOnly, "m", rs, 8) // it can make no copy
	if readOnly.copies.Coded() != 1 {
		t.Error("a store that cannot copy makes no codes")
	}
	second := open(t, address, Options{})
	wantFirst(t, second, "m", rs, 9)
	wantFirst(t, second, "m", rs, nearest.Page+9)
	if second.copies.Coded() > 0 {
		t.Error("with pgvector codes are made")
	}
}

// What is made of records can be lost, each part of it: reading ends, with an answer or
// an error, Check names it, and Repair gives the answers that were given before.
func TestRepair(t *testing.T) {
	rs := various(t)
	path := tempSQLite(t)
	clock := func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }
	s := filled(t, path, Options{Now: clock})
	healthy(t, s)
	want, err := answers(t, s, rs)
	if err != nil {
		t.Fatal(err)
	}
	unguard(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range damages {
		t.Run(tt.name, func(t *testing.T) {
			path := tempSQLite(t)
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{Now: clock})
			exec(t, s, tt.sql)
			if _, err := answers(t, s, rs); err != nil {
				t.Errorf("damaged, it answers %v", err)
			}
			if says := s.Damaged(); says != "" { // it was met, so the fallback answers from here on
				got, err := answers(t, s, rs)
				want := want
				if tt.name == "no row of the log" {
					got, want = cameAt.ReplaceAllString(got, ""), cameAt.ReplaceAllString(want, "")
				}
				if err != nil || got != want {
					t.Errorf("damaged, it answers %v\n%s", err, difference(got, want))
				}
				t.Log(says)
			}
			named := slices.Collect(s.Check(t.Context()))
			if len(named) == 0 {
				t.Error("Check finds nothing")
			}
			if testing.Verbose() {
				t.Log(named[0])
			}
			did, err := s.Repair(t.Context(), nil)
			if err != nil {
				t.Fatalf("Repair gives %v", err)
			}
			t.Logf("%+v", did)
			healthy(t, s)
			got, err := answers(t, s, rs)
			want := want
			if tt.name == "no row of the log" { // when it came nothing else says
				got, want = cameAt.ReplaceAllString(got, ""), cameAt.ReplaceAllString(want, "")
				if len(did.Left) != 1 {
					t.Errorf("Repair says %q, want that a time was lost", did.Left)
				}
			}
			if err != nil || got != want {
				t.Errorf("repaired, it answers %v\n%s", err, difference(got, want))
			}
			if used, err := s.Used(t.Context(), rs[1].ID); err != nil || used[0].Times != 1 {
				t.Errorf("Used gives %v, %v, want one reading", used, err)
			}
		})
	}
}

// A row of the log whose key has another bit is far from all others. Nothing goes step
// by step through the places between, of which there are more than a life is long.
func TestRepairPassesOverAHoleInTheLog(t *testing.T) {
	t.Parallel()
	s := filled(t, tempSQLite(t), Options{})
	unguard(t, s)
	exec(t, s, "UPDATE records SET key = key + 274877906944 WHERE key NOT IN (SELECT key FROM payloads)")
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	did, err := s.Repair(ctx, nil)
	if err != nil || len(did.Left) == 0 {
		t.Errorf("%+v, %v, want an end, and that records are lost", did, err)
	}
	found, err := s.Match(ctx, store.Match{Terms: []string{"bridg"}, Limit: 100})
	if err != nil || len(found) == 0 {
		t.Errorf("%d found, %v", len(found), err)
	}
}

func TestSQLiteOfManyCases(t *testing.T) { storetest.RunMany(t, emptySQLite) }

func TestPostgresOfManyCases(t *testing.T) {
	storetest.EmptyPostgres(t)
	storetest.RunMany(t, emptyPostgres)
}
