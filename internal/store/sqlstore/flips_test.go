//go:build !race

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// flips is how many bits are flipped in a normal run, and in a long one.
func flips() int {
	if os.Getenv("STEMMA_LONG") != "" {
		return 20_000
	}
	return 300
}

var signature = regexp.MustCompile(`"Sig":"[^"]*"`)

// tooLong is how long one step of a look at a small damaged store may take, or ten times
// what it takes of a whole one, if that is more.
const tooLong = time.Second

// A stopwatch says how long each step of a look takes.
type stopwatch struct {
	began time.Time
	took  map[string]time.Duration
}

func newStopwatch() *stopwatch { return &stopwatch{time.Now(), make(map[string]time.Duration)} }

// done says that a step is over, and the next one begins.
func (w *stopwatch) done(step string) {
	now := time.Now()
	w.took[step], w.began = max(w.took[step], now.Sub(w.began)), now
}

// slower names a step that took longer than it may, "" where there is none.
func (w *stopwatch) slower(usual *stopwatch) string {
	for step, took := range w.took {
		if took > max(tooLong, 10*usual.took[step]) {
			return fmt.Sprintf("%s took %v", step, took)
		}
	}
	return ""
}

// Whatever bit of the file is flipped: reading, looking for damage and repair end soon, none
// panics, and after a repair that says it is done all answers are what they were.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	rs := various(t)
	path := tempSQLite(t)
	clock := func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }
	s := filled(t, path, Options{Now: clock})
	if os.Getenv("STEMMA_LONG") != "" {
		appendAll(t, s, chain(t, 330)) // with these it has about 400 records
		indexAll(t, s)
	}
	want, err := answers(t, s, rs)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// try looks at a file with these bytes.
	try := func(i int, bytes []byte) (what string, watch *stopwatch, err error) {
		name := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		if err := os.WriteFile(name, bytes, 0o600); err != nil {
			return "", nil, err
		}
		ctx, stop := context.WithTimeout(t.Context(), 30*tooLong)
		defer stop()
		watch = newStopwatch()
		what, err = look(
			ctx, t, name, Options{Now: clock}, want, watch,
			func(s *Store) (string, error) { return answers(t, s, rs) },
		)
		for _, end := range append([]string{""}, sidecars...) {
			_ = os.Remove(name + end)
		}
		return what, watch, err
	}
	_, usual, err := try(-1, whole)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	counts, slowest := make(map[string]int), newStopwatch()
	next := make(chan func())
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for do := range next {
				do()
			}
		})
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range flips() {
		bit := rng.IntN(len(whole) * 8)
		bytes := slices.Clone(whole)
		bytes[bit/8] ^= 1 << (bit % 8)
		if i%50 == 49 {
			bytes = bytes[:rng.IntN(len(bytes))] // it is cut off as well
		}
		next <- func() {
			what, watch, err := try(i, bytes)
			slow := ""
			for range 2 { // a busy machine is slow once, damage always
				if slow = watch.slower(usual); err != nil || slow == "" {
					break
				}
				what, watch, err = try(i, bytes)
			}
			if err != nil || slow != "" {
				t.Errorf("flip %d, bit %d of byte %d of page %d: %v %s",
					i, bit%8, bit/8%session.PageSize, bit/8/session.PageSize+1, err, slow)
			}
			mu.Lock()
			defer mu.Unlock()
			counts[what]++
			for step, took := range watch.took {
				slowest.took[step] = max(slowest.took[step], took)
			}
		}
	}
	close(next)
	work.Wait()
	t.Log(counts)
	t.Logf("usual %v", usual.took)
	t.Logf("slowest %v", slowest.took)
}

// look opens a damaged store, reads it, checks it, and repairs it.
func look(
	ctx context.Context, t *testing.T, name string, o Options, want string, watch *stopwatch,
	ask func(*Store) (string, error),
) (what string, err error) {
	s, err := Open(ctx, name, o)
	watch.done("open")
	if err != nil {
		return "not opened", nil
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before, failed := ask(s)
	watch.done("read")
	var all []error
	mendable := true
	for e := range s.Check(ctx) {
		all = append(all, e)
		mendable = mendable && errors.Is(e, store.ErrDerived)
	}
	watch.done("check")
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if len(all) == 0 && failed == nil && before == want {
		return "seen by nobody", nil // a bit that means nothing
	}
	alone := func(text string) string { return signature.ReplaceAllString(text, "") }
	if len(all) == 0 && failed == nil && alone(before) == alone(want) {
		return "a signature", nil // the engine looks at it
	}
	if len(all) == 0 {
		return "", fmt.Errorf("Check finds nothing; answers %v: %s", failed, difference(before, want))
	}
	did, err := s.Repair(ctx, nil)
	watch.done("repair")
	if err != nil {
		t.Logf("not repaired: %v; found %v", err, all[0])
		return "not repaired", nil
	}
	for e := range s.Check(ctx) {
		if errors.Is(e, store.ErrDerived) && mendable {
			return "", fmt.Errorf("repaired, Check finds %w, before %w", e, all[0])
		}
		return "signed bytes damaged", nil
	}
	watch.done("check")
	got, err := ask(s)
	watch.done("read")
	if len(did.Left) > 0 && err == nil && leftOut.ReplaceAllString(got, "") == leftOut.ReplaceAllString(want, "") {
		return "left out", nil
	}
	if err != nil || got != want {
		return "", fmt.Errorf("repaired, it answers %v: %s; found before: %v", err, difference(got, want), all[0])
	}
	return "repaired", nil
}
