package sqlstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// Whole sees what is wrong with the log and with signed bytes, and looks at nothing else.
func TestWhole(t *testing.T) {
	for _, tt := range []struct{ name, damage, says string }{
		{"nothing", "SELECT 1", ""},
		{"other bytes", "UPDATE payloads SET bytes = x'00' WHERE key = (SELECT min(key) FROM payloads)", "have another id"},
		{"no bytes", "DELETE FROM payloads WHERE key = (SELECT max(key) FROM payloads)", "nobody purged"},
		{"a record less", "DELETE FROM records WHERE key = (SELECT max(key) FROM records)", "the log has 3 records"},
		{"another tree", "UPDATE spaces SET tree = NULL, last = last - 1", ""},
		{"no index", "DELETE FROM segments", ""},
		{"no state", "DELETE FROM state", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, tempSQLite(t), Options{})
			appendAll(t, s, chain(t, 3))
			unguard(t, s)
			exec(t, s, tt.damage)
			done := 0
			err := s.Whole(t.Context(), func(n int) { done = n })
			if tt.says == "" && (err != nil || done < 3) {
				t.Errorf("Whole gives %v after %d records", err, done)
			}
			if tt.says != "" && (!errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("Whole gives %v, want %q in it", err, tt.says)
			}
		})
	}
}

// A tree that is of other ids is derived data, which can be made again.
func TestWholeLooksAtTheTree(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	appendAll(t, s, chain(t, 3))
	other := open(t, tempSQLite(t), Options{})
	a := storetest.NewOwner("another")
	for i := range 4 {
		appendAll(t, other, []*memory.Record{a.Raw(t, sentence(i))})
	}
	sp, err := other.Spaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := other.Tree(t.Context(), sp[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := tree.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.write.Begin(t.Context())
	if err == nil {
		err = s.write.Done(w.Exec(t.Context(), "UPDATE spaces SET tree = ?", raw))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Whole(t.Context(), nil); !errors.Is(err, store.ErrDerived) {
		t.Errorf("Whole gives %v, want derived damage", err)
	}
}

// A copy is of one moment, needs no file beside it, and has nothing of what was purged.
func TestCopyOfPages(t *testing.T) {
	path := tempSQLite(t)
	s := open(t, path, Options{})
	a := storetest.NewOwner("copied")
	gone := a.Raw(t, "the word Zwieback goes for good")
	appendAll(t, s, append(chain(t, 300), gone))
	if _, err := s.Append(t.Context(), store.Batch{
		Records: []*memory.Record{a.Mark(t, memory.Purge, gone)}, Purge: []memory.ID{gone.ID},
	}); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := Copy(t.Context(), path, to); err != nil {
		t.Fatal(err)
	}
	if hasMore(to) {
		t.Error("there is a log beside the copy")
	}
	raw, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "wieback") || raw[writeVersion] != 1 || raw[writeVersion+1] != 1 {
		t.Error("the copy has what was purged, or needs a log")
	}
	c := open(t, to, Options{ReadOnly: true})
	healthy(t, c)
}

// More records than are read at once, and more pages than are written at once, while others write.
func TestCopyOfManyPages(t *testing.T) {
	path := tempSQLite(t)
	s := open(t, path, Options{})
	a := storetest.NewOwner("many")
	for range 5 {
		var some []*memory.Record
		for i := range wholePage / 4 {
			some = append(some, a.Raw(t, sentence(i)))
		}
		appendAll(t, s, some)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{a.Raw(t, sentence(i))}}); err != nil {
				t.Error(err)
			}
		}
	}()
	for range 3 {
		to := filepath.Join(t.TempDir(), "copy.db")
		if err := Copy(t.Context(), path, to); err != nil {
			t.Fatal(err)
		}
		c := open(t, to, Options{ReadOnly: true})
		n := 0
		if err := c.Whole(t.Context(), func(done int) { n = done }); err != nil || n <= wholePage {
			t.Errorf("Whole gives %v after %d records", err, n)
		}
	}
	close(stop)
	<-done
}
