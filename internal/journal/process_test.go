package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	childPath = "STEMMA_TEST_JOURNAL"
	childName = "STEMMA_TEST_JOURNAL_NAME"

	processes = 4
	writers   = 4 // goroutines of each, two to a File
	each      = 150
	bound     = 40_000
)

// numbered is a line that shows when anything is missing from it.
type numbered struct {
	Writer string `json:"writer"`
	N      int    `json:"n"`
	Text   string `json:"text"`
}

func text(n int) string { return strings.Repeat(fmt.Sprint(n%10), n*37%5000) }

// appendMany is one process of TestManyAppendAtOnce.
func appendMany(path, name string) error {
	files := [writers / 2]*File{}
	for i := range files {
		files[i] = Open(path, bound)
	}
	errs := [writers]error{}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				v := numbered{fmt.Sprint(name, "-", w), n, text(n)}
				if err := files[w/2].Append(fmt.Sprint(name, "-", w, "-", n), v); err != nil {
					errs[w] = errors.Join(errs[w], err)
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs[:]...)
}

func TestAsChild(t *testing.T) {
	path := os.Getenv(childPath)
	if path == "" {
		return // by itself there is nothing to do
	}
	if err := appendMany(path, os.Getenv(childName)); err != nil {
		t.Fatal(err)
	}
}

func TestManyAppendAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "r")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for p := range processes {
		all.Go(func() {
			child := exec.CommandContext(t.Context(), self, "-test.run=^TestAsChild$")
			child.Env = append(os.Environ(), childPath+"="+path, fmt.Sprint(childName, "=p", p))
			if out, err := child.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", p, err, out)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	t.Cleanup(func() { <-done })
	f, looks, seen := Open(path, bound), 0, 0
	for running := true; running; looks++ {
		select {
		case <-done:
			running = false // and one look more
		default:
		}
		// the newer first: a rename between the two counts bytes twice, not never
		if got := size(t, path) + size(t, path+olderSuffix); got > bound && plainFlags != 0 {
			t.Fatalf("%d bytes, want at most %d", got, bound)
		}
		last := map[string]int{}
		for line, err := range f.All() {
			if err != nil {
				t.Fatal(err)
			}
			var v numbered
			if err := json.Unmarshal(line.JSON, &v); err != nil || v.Text != text(v.N) ||
				line.ID != fmt.Sprint(v.Writer, "-", v.N) {
				t.Fatalf("line %s is not as it was written: %v", line.ID, err)
			}
			if n, ok := last[v.Writer]; ok && v.N >= n {
				t.Fatalf("%s: line %d comes after %d, want newest first and each once", v.Writer, v.N, n)
			}
			last[v.Writer] = v.N
			seen++
		}
		if !running && f.Passed() != 0 {
			t.Errorf("%d lines are torn", f.Passed())
		}
	}
	if size(t, path+olderSuffix) < bound/4 || seen == 0 {
		t.Errorf("%d looks saw %d lines: too little was written to prove anything", looks, seen)
	}
}

func TestNothingIsLostWhileThereIsRoom(t *testing.T) {
	f := Open(filepath.Join(t.TempDir(), "r"), 1<<20)
	var all sync.WaitGroup
	for w := range 8 {
		g := f
		if w%2 == 0 {
			g = Open(f.path, f.most)
		}
		all.Go(func() {
			for n := range 50 {
				if err := g.Append(fmt.Sprint(w, "-", n), receipt{text(n)[:n]}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, passed := ids(t, f)
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != 400 || passed != 0 {
		t.Errorf("%d lines, %d passed over, want 400 and 0", n, passed)
	}
}

func TestAHeldLockDelaysOthersOnlyBriefly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, 400)
	f.patience = 10 * firstWait
	unlock, locked, err := TryLock(path + lockSuffix)
	if err != nil || !locked {
		t.Fatalf("lock: %t, %v", locked, err)
	}
	defer unlock()
	if plainFlags == 0 {
		return // there are no locks
	}
	add(t, f, "r1", receipt{strings.Repeat("x", 60)})
	add(t, f, "r2", receipt{strings.Repeat("x", 60)})
	if err := f.Append("r3", receipt{strings.Repeat("x", 60)}); !errors.Is(err, ErrBusy) {
		t.Errorf("Append with no room and no lock = %v, want ErrBusy", err)
	}
	if got, _ := ids(t, f); !slices.Equal(got, []string{"r2", "r1"}) {
		t.Errorf("read %q, want r2 and r1", got)
	}
}

func BenchmarkAppend(b *testing.B) {
	f := Open(filepath.Join(b.TempDir(), "r"), 8<<20)
	v := receipt{strings.Repeat("x", 2000)}
	for b.Loop() {
		if err := f.Append("r1", v); err != nil {
			b.Fatal(err)
		}
	}
}
