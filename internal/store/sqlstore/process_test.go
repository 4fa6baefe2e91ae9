package sqlstore

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// The environment of a test binary that is to append to a store and say so:
// which store, under what name, and how often.
const (
	childStore = "STEMMA_CHILD_STORE"
	childName  = "STEMMA_CHILD_NAME"
	childCount = "STEMMA_CHILD_COUNT"
)

// TestAsChild is no test: it is what the other processes of these tests run.
func TestAsChild(t *testing.T) {
	path := os.Getenv(childStore)
	if path == "" {
		return // by itself there is nothing to do
	}
	n, err := strconv.Atoi(os.Getenv(childCount))
	if err != nil {
		t.Fatal(err)
	}
	if pass := os.Getenv(childPass); pass != "" {
		if err := Unlock(path, func(string) ([][]byte, error) { return [][]byte{[]byte(pass)}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path, Options{})
	a := storetest.NewOwner(os.Getenv(childName))
	a.Space = storetest.NewOwner("shared").Space // all write to one log
	for i := range n {
		r := a.Raw(t, sentence(i))
		if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("ack", r.ID)
	}
}

// child starts a process that appends, until ctx ends, and gives what it said
// was kept.
func child(ctx context.Context, path, name string, n int) ([]memory.ID, error) {
	return childUntil(ctx, path, name, n, func() {})
}

// childUntil is child with word of its first record.
func childUntil(ctx context.Context, path, name string, n int, began func()) (acks []memory.ID, err error) {
	cmd := osexec.CommandContext(ctx, os.Args[0], "-test.run=^TestAsChild$", "-test.v")
	cmd.Env = append(os.Environ(), childStore+"="+path, childName+"="+name, fmt.Sprintf("%s=%d", childCount, n))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		digits, ok := strings.CutPrefix(lines.Text(), "ack ")
		if id, err := memory.ParseID(digits); ok && err == nil {
			if acks = append(acks, id); len(acks) == 1 {
				began()
			}
			continue
		}
		said = append(said, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return acks, fmt.Errorf("%w: %s", err, strings.Join(said, "\n"))
	}
	return acks, nil
}

// lost counts those of ids that a store does not have.
func lost(tb testing.TB, s *Store, ids []memory.ID) int {
	tb.Helper()
	items, err := s.Get(tb.Context(), ids...)
	if err != nil {
		tb.Fatal(err)
	}
	n := 0
	for _, it := range items {
		if it == nil {
			n++
		}
	}
	return n
}

func TestFourProcesses(t *testing.T) {
	for name, spec := range map[string]func(testing.TB) string{"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres} {
		t.Run(name, func(t *testing.T) {
			const processes = 4
			each := 100
			if os.Getenv("STEMMA_LONG") != "" {
				each = 1000
			}
			path := spec(t)
			var all sync.WaitGroup
			acks := make([][]memory.ID, processes)
			for i := range processes {
				all.Go(func() {
					var err error
					if acks[i], err = child(t.Context(), path, fmt.Sprint("writer", i), each); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			s := open(t, path, Options{})
			for i := range acks {
				if n := lost(t, s, acks[i]); len(acks[i]) != each || n > 0 {
					t.Errorf("process %d kept %d records and %d of them are lost, want %d and none", i, len(acks[i]), n, each)
				}
			}
			if n := count(t, s); n != processes*each {
				t.Errorf("%d records are kept, want %d", n, processes*each)
			}
			healthy(t, s)
		})
	}
}

func TestKilled(t *testing.T) {
	kills := 20
	if os.Getenv("STEMMA_LONG") != "" {
		kills = 200
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	path := tempSQLite(t)
	total, unacked := 0, 0
	for i := range kills {
		const most = 100 * time.Millisecond // from its first record on, however long a busy machine takes to begin
		ctx, cancel := context.WithCancel(t.Context())
		if i%4 == 0 {
			time.AfterFunc(time.Duration(rnd.Int64N(int64(most))), cancel) // some while they begin
		}
		acks, _ := childUntil(ctx, path, fmt.Sprint("victim", i), 1<<20, func() {
			time.AfterFunc(time.Duration(rnd.Int64N(int64(most))), cancel)
		}) // killed: that is its error
		cancel()
		if len(acks) == 0 {
			continue // killed before it wrote; there may be no store yet
		}
		s := open(t, path, Options{})
		if n := lost(t, s, acks); n > 0 {
			t.Errorf("kill %d: %d of %d acknowledged records are lost", i, n, len(acks))
		}
		total += len(acks)
		unacked = count(t, s) - total
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path, Options{})
	healthy(t, s)
	t.Logf("%d kills, %d acknowledged, %d kept and not acknowledged", kills, total, unacked)
	if total == 0 {
		t.Error("no process lived long enough to write")
	}
}
