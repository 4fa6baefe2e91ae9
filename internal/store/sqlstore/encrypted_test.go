package sqlstore

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/convert"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// sealed makes the beginning of an encrypted store, which Like names.
func sealed(t testing.TB) string {
	t.Helper()
	key, head := newHead(t)
	raw, err := head.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	atrest.Hold(key)
	path := filepath.Join(t.TempDir(), "like.db")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func newHead(t testing.TB) (*atrest.Key, *atrest.Head) {
	t.Helper()
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	pass, err := atrest.NewPassphrase()
	if err != nil {
		t.Fatal(err)
	}
	recovery, err := atrest.NewRecovery()
	if err != nil {
		t.Fatal(err)
	}
	head, err := atrest.NewHead(key, []byte(pass), []byte(recovery))
	if err != nil {
		t.Fatal(err)
	}
	return key, head
}

func TestAnEncryptedStoreIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		return open(t, filepath.Join(t.TempDir(), "memory.db"), Options{Now: now, Like: sealed(t)})
	})
}

const planted = "zanzibarquokka"

// planters makes each time's records others.
var planters int

// holding reports which files below a directory hold planted words.
func holding(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(raw), []byte(planted)) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fillPlanted writes planted words into a store, and returns what it wrote.
func fillPlanted(t *testing.T, s *Store, n int) (ids []memory.ID) {
	t.Helper()
	planters++
	a := storetest.NewOwner(fmt.Sprint("planter ", planters))
	var all []*memory.Record
	for i := range n {
		r := a.Raw(t, fmt.Sprintf("the %s of number %d lives in a tree", planted, i))
		all, ids = append(all, r), append(ids, r.ID)
	}
	appendAll(t, s, all)
	return ids
}

func TestNoFileOfAnEncryptedStoreHoldsWords(t *testing.T) {
	for name, o := range map[string]Options{"plain": {}, "encrypted": {Like: sealed(t)}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			s := open(t, path, o)
			ids := fillPlanted(t, s, 300)
			if err := Copy(t.Context(), path, path+"-copy"); err != nil {
				t.Fatal(err)
			}
			found := holding(t, filepath.Dir(path)) // with the log
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			found = append(found, holding(t, filepath.Dir(path))...)
			if (len(found) > 0) != (o.Like == "") {
				t.Errorf("words stand in %v", found)
			}
			b := open(t, path+"-copy", Options{})
			if n := lost(t, b, ids); n > 0 {
				t.Errorf("the copy has lost %d of %d", n, len(ids))
			}
			var n int
			err := b.Sift(t.Context(), func(place string, text []byte, _ bool) error {
				if strings.HasPrefix(place, "the file") {
					n += bytes.Count(text, []byte(planted))
				}
				return nil
			})
			if err != nil || n < len(ids) {
				t.Errorf("a search of the file finds the words %d times, %v, want at least %d", n, err, len(ids))
			}
		})
	}
}

func TestAPageThatWasChangedIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, Options{Like: sealed(t)})
	ids := fillPlanted(t, s, 300)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := func(n int) []byte { return good[atrest.HeadSize+n*4136:][:4136] }
	for name, change := range map[string]func(b []byte){
		"a bit":                     func(b []byte) { b[atrest.HeadSize+5*4136+700] ^= 1 },
		"a page in another's place": func(b []byte) { copy(b[atrest.HeadSize+5*4136:], page(6)) },
	} {
		t.Run(name, func(t *testing.T) {
			bad := bytes.Clone(good)
			change(bad)
			at := filepath.Join(t.TempDir(), "memory.db")
			if err := os.WriteFile(at, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), at, Options{ReadOnly: true})
			if err == nil {
				for wrong := range s.Check(t.Context()) {
					err = wrong
				}
				if _, getErr := s.Get(t.Context(), ids...); err == nil {
					err = getErr
				}
				_ = s.Close()
			}
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrDerived) {
				t.Errorf("a changed page is %v, want damage", err)
			}
		})
	}
}

func TestEncryptedStoresAreSharedByProcesses(t *testing.T) {
	pass, err := atrest.NewPassphrase()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(childPass, pass)
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	encrypt(t, path, pass)
	s = open(t, path, Options{})
	var all sync.WaitGroup
	acks := make([][]memory.ID, 3)
	for i := range acks {
		all.Go(func() {
			var err error
			if acks[i], err = child(t.Context(), path, fmt.Sprint("writer", i), 100); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, ids := range acks {
		if n := lost(t, s, ids); n > 0 || len(ids) != 100 {
			t.Errorf("%d of %d were lost", n, len(ids))
		}
	}
	for wrong := range s.Check(t.Context()) {
		t.Error(wrong)
	}
}

// encrypt encrypts a store with a passphrase.
func encrypt(t *testing.T, path, pass string) *atrest.Head {
	t.Helper()
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	recovery, err := atrest.NewRecovery()
	if err != nil {
		t.Fatal(err)
	}
	head, err := atrest.NewHead(key, []byte(pass), []byte(recovery))
	if err != nil {
		t.Fatal(err)
	}
	atrest.Hold(key)
	if err := convert.File(t.Context(), path, key, head, time.Second); err != nil {
		t.Fatal(err)
	}
	return head
}

func TestConvertThereAndBack(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	s := open(t, path, Options{})
	ids := fillPlanted(t, s, 200)
	if err := convert.File(t.Context(), path, nil, nil, 50*time.Millisecond); !errors.Is(err, store.ErrBusy) {
		t.Errorf("to convert a store that is open fails with %v, want busy", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	pass, err := atrest.NewPassphrase()
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{true, false} {
		if on {
			encrypt(t, path, pass)
		} else if err := convert.File(t.Context(), path, nil, nil, 0); err != nil {
			t.Fatal(err)
		}
		if found := holding(t, dir); (len(found) > 0) == on {
			t.Errorf("encrypted %v: words stand in %v", on, found)
		}
		if convert.Left(path) {
			t.Errorf("encrypted %v: something was left", on)
		}
		s := open(t, path, Options{})
		if n := lost(t, s, ids); n > 0 {
			t.Errorf("encrypted %v: %d were lost", on, n)
		}
		ids = append(ids, fillPlanted(t, s, 5)...)
		for wrong := range s.Check(t.Context()) {
			t.Error(wrong)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The environment of a test binary that is to convert a store.
const (
	childPass    = "STEMMA_CHILD_PASSPHRASE"
	childConvert = "STEMMA_CHILD_CONVERT"
)

// TestAsConverter is no test: it is killed by the next one.
func TestAsConverter(t *testing.T) {
	path := os.Getenv(childConvert)
	if path == "" {
		return
	}
	err := Unlock(path, func(string) ([][]byte, error) { return [][]byte{[]byte(os.Getenv(childPass))}, nil })
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("begins")
	if key, _ := atrest.KeyOf(path); key != nil {
		if err := convert.File(t.Context(), path, nil, nil, time.Second); err != nil {
			t.Fatal(err)
		}
	} else {
		encrypt(t, path, os.Getenv(childPass))
	}
}

func TestAKilledConversionLeavesOneStore(t *testing.T) {
	pass, err := atrest.NewPassphrase()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	s := open(t, path, Options{})
	ids := fillPlanted(t, s, 3000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	passphrase := func(string) ([][]byte, error) { return [][]byte{[]byte(pass)}, nil }
	var whole, killed int
	for try := range 60 {
		cmd := osexec.Command(os.Args[0], "-test.run=^TestAsConverter$")
		cmd.Env = append(os.Environ(), childConvert+"="+path, childPass+"="+pass)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "begins"; {
		}
		<-time.After(time.Duration(try) * 700 * time.Microsecond)
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		d, err := Databases{Passphrases: passphrase}.Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("after try %d: %v", try, err)
		}
		s := d.(*Store)
		if n := lost(t, s, ids); n > 0 {
			t.Fatalf("after try %d: %d of %d were lost", try, n, len(ids))
		}
		ids = append(ids, fillPlanted(t, s, 1)...)
		if convert.Left(path) {
			t.Errorf("after try %d something was left", try)
		}
		if s.Key() != nil {
			if whole++; len(holding(t, dir)) > 0 {
				t.Errorf("after try %d words stand in %v", try, holding(t, dir))
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of 60 were killed; the store was encrypted after %d", killed, whole)
	if killed < 10 || whole == 0 {
		t.Errorf("%d were killed, %d were encrypted: the test shows nothing", killed, whole)
	}
}
