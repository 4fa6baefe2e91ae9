package owned_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/owned"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// clock returns a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func store(t *testing.T, dir, name string) owned.Place {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := owned.Where(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func entry(p owned.Place, name string) owned.Entry {
	return owned.Entry{
		Place: p, Store: name, Heads: []owned.Head{{Space: "a/main", Size: 3, Root: []byte("root")}},
		Adopted: start, How: owned.Made,
	}
}

func put(t *testing.T, l *owned.List, e owned.Entry) {
	t.Helper()
	if err := l.Put(e); err != nil {
		t.Fatal(err)
	}
}

func TestAStoreIsKnownByItsPathAndFile(t *testing.T) {
	c, data, dir := &clock{start}, t.TempDir(), t.TempDir()
	p := store(t, dir, "memory.db")
	l := owned.Load(data, c.now)
	if _, is := l.At(p); is {
		t.Error("an empty list knows a store")
	}
	put(t, l, entry(p, "s1"))
	if info, err := os.Stat(filepath.Join(data, owned.File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list: %v, %v, want mode 600", info.Mode(), err)
	}
	again := owned.Load(data, c.now)
	if e, is := again.At(p); !is || e.Store != "s1" || again.Problem() != "" {
		t.Errorf("At(%v) = %v, %v, %q, want the entry", p, e, is, again.Problem())
	}
	if !again.FirstRun().Equal(start) {
		t.Errorf("FirstRun = %v, want %v", again.FirstRun(), start)
	}
	other := p
	other.Inode++
	if _, is := again.At(other); is {
		t.Error("another file at the same path is taken for the store")
	}
	other = p
	other.Path += "2"
	if _, is := again.At(other); is {
		t.Error("another path is taken for the store")
	}
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(p.Path, link); err != nil {
		t.Fatal(err)
	}
	if got, err := owned.Where(link); err != nil || got != p {
		t.Errorf("Where(link) = %v, %v, want %v", got, err, p)
	}
	if _, err := owned.Where(filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Where of nothing: %v, want fs.ErrNotExist", err)
	}
	if found, err := again.Drop(p.Path); !found || err != nil {
		t.Errorf("Drop = %v, %v", found, err)
	}
	if _, is := owned.Load(data, c.now).At(p); is {
		t.Error("a store that was taken out is still on the list")
	}
}

func TestAListOfAnotherHandCountsForNothing(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(data string) error
		says   string
	}{
		{"edited", func(data string) error {
			path := filepath.Join(data, owned.File)
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.Replace(string(text), "memory.db", "sneaky.db", 1)), 0o600)
		}, "changed by another hand"},
		{"another's", func(data string) error {
			other, err := os.MkdirTemp(data, "other")
			if err != nil {
				return err
			}
			l := owned.Load(other, func() time.Time { return start })
			if err := l.Put(entry(owned.Place{Path: "/x", Inode: 1}, "s9")); err != nil {
				return err
			}
			return os.Rename(filepath.Join(other, owned.File), filepath.Join(data, owned.File))
		}, "changed by another hand"},
		{
			"cut off", func(data string) error { return os.Truncate(filepath.Join(data, owned.File), 40) },
			"changed by another hand",
		},
		{
			"no secret", func(data string) error { return os.Remove(filepath.Join(data, "seal")) },
			"secret in your data directory",
		},
		{
			"an open secret", func(data string) error { return os.Chmod(filepath.Join(data, "seal"), 0o644) },
			"secret in your data directory",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, data := &clock{start}, t.TempDir()
			p := store(t, t.TempDir(), "memory.db")
			put(t, owned.Load(data, c.now), entry(p, "s1"))
			if err := tt.damage(data); err != nil {
				t.Fatal(err)
			}
			l := owned.Load(data, c.now)
			if _, is := l.At(p); is || len(l.All()) > 0 || len(l.Known("s1")) > 0 {
				t.Error("its entries count")
			}
			if !strings.Contains(l.Problem(), tt.says) || strings.Contains(l.Problem(), "\n") {
				t.Errorf("Problem = %q, want %q in one line", l.Problem(), tt.says)
			}
			if tt.name == "an open secret" {
				if err := l.Put(entry(p, "s1")); err == nil {
					t.Error("a list is marked with a secret that others can read")
				}
				return
			}
			put(t, l, entry(p, "s1")) // adopted again
			l = owned.Load(data, c.now)
			if _, is := l.At(p); !is || l.Problem() != "" || !l.FirstRun().IsZero() {
				t.Errorf(
					"adopted again: %v, %q, first run %v; want the entry, no problem, no first run", is,
					l.Problem(), l.FirstRun(),
				)
			}
		})
	}
}

func TestAStoreInTheMakingIsKnownForAWhile(t *testing.T) {
	c, data, dir := &clock{start}, t.TempDir(), t.TempDir()
	l := owned.Load(data, c.now)
	if err := l.Begin(filepath.Join(dir, "memory.db")); err != nil {
		t.Fatal(err)
	}
	p := store(t, dir, "memory.db")
	l = owned.Load(data, c.now)
	if _, is := l.At(p); !is {
		t.Error("another program does not know the store that is made")
	}
	if l.Had(p.Path) || len(l.All()) > 0 {
		t.Error("a store in the making is listed as made")
	}
	c.at = start.Add(time.Hour)
	if _, is := l.At(p); is {
		t.Error("a path counts for ever, whatever lies there")
	}
}

func TestAMovedStoreLeavesItsOldEntry(t *testing.T) {
	c, data, dir := &clock{start}, t.TempDir(), t.TempDir()
	p, q := store(t, dir, "one.db"), store(t, dir, "two.db")
	l := owned.Load(data, c.now)
	put(t, l, entry(p, "s1"))
	put(t, l, entry(q, "s1")) // a copy: both are there
	if got := len(l.All()); got != 2 {
		t.Fatalf("%d entries, want 2", got)
	}
	if err := os.Rename(p.Path, p.Path+".moved"); err != nil {
		t.Fatal(err)
	}
	moved, err := owned.Where(p.Path + ".moved")
	if err != nil {
		t.Fatal(err)
	}
	put(t, l, entry(moved, "s1"))
	if got := len(l.All()); got != 2 {
		t.Errorf("%d entries after a move, want 2", got)
	}
	none := entry(owned.Place{Path: filepath.Join(dir, "empty.db"), Inode: 7}, "s2")
	none.Heads = nil
	put(t, l, none)
	if len(l.Known("s1")) != 2 || len(l.Known("s2")) != 0 || len(l.Known("")) != 0 {
		t.Error("Known: want the stores with logs, by their names")
	}
}

func TestManyProgramsWriteOneList(t *testing.T) {
	c, data, dir := &clock{start}, t.TempDir(), t.TempDir()
	var all sync.WaitGroup
	const many = 12
	for i := range many {
		p := store(t, dir, string(rune('a'+i))+".db")
		all.Go(func() {
			if err := owned.Load(data, c.now).Put(entry(p, p.Path)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := len(owned.Load(data, c.now).All()); got != many {
		t.Errorf("%d entries, want %d", got, many)
	}
}

func BenchmarkAt(b *testing.B) {
	data, dir := b.TempDir(), b.TempDir()
	l := owned.Load(data, time.Now)
	path := filepath.Join(dir, "memory.db")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		b.Fatal(err)
	}
	p, _ := owned.Where(path)
	for i := range 30 {
		q := p
		q.Path += string(rune('a' + i))
		_ = l.Put(entry(q, "s"))
	}
	_ = l.Put(entry(p, "s1"))
	for b.Loop() {
		l := owned.Load(data, time.Now)
		p, _ := owned.Where(path)
		if _, is := l.At(p); !is {
			b.Fatal("not known")
		}
	}
}
