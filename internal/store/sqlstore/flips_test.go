package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// flips is how many bits are flipped in a normal run, and in a long one.
func flips() int {
	if os.Getenv("STEMMA_LONG") != "" {
		return 20_000
	}
	return 300
}

var signature = regexp.MustCompile(`"Sig":"[^"]*"`)

// patient is how long one look at a small damaged store may take.
const patient = 30 * time.Second

// Whatever bit of the file is flipped: reading, looking for damage and repair end, none
// panics, and after a repair that says it is done all answers are what they were.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	rs := various(t)
	path := tempSQLite(t)
	clock := func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }
	s := filled(t, path, Options{Now: clock})
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
	rng := rand.New(rand.NewPCG(7, 7))
	dir := t.TempDir()
	counts := make(map[string]int)
	for i := range flips() {
		bit := rng.IntN(len(whole) * 8)
		bytes := append([]byte(nil), whole...)
		bytes[bit/8] ^= 1 << (bit % 8)
		if i%50 == 49 {
			bytes = bytes[:rng.IntN(len(bytes))] // it is cut off as well
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		if err := os.WriteFile(name, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), patient)
		began := time.Now()
		what, err := look(ctx, t, name, Options{Now: clock}, want, func(s *Store) (string, error) { return answers(t, s, rs) })
		stop()
		if err != nil {
			t.Errorf("flip %d, bit %d of byte %d of page %d: %v", i, bit%8, bit/8%pageSize, bit/8/pageSize+1, err)
		}
		if took := time.Since(began); took > patient {
			t.Errorf("flip %d, bit %d of page %d: it took %v", i, bit, bit/8/pageSize+1, took)
		}
		counts[what]++
		for _, end := range append([]string{""}, besideFile...) {
			_ = os.Remove(name + end)
		}
	}
	t.Log(counts)
}

// look opens a damaged store, reads it, checks it, and repairs it.
func look(
	ctx context.Context, t *testing.T, name string, o Options, want string, ask func(*Store) (string, error),
) (what string, err error) {
	s, err := Open(ctx, name, o)
	if err != nil {
		return "not opened", nil
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before, failed := ask(s)
	var all []error
	mendable := true
	for e := range s.Check(ctx) {
		all = append(all, e)
		mendable = mendable && errors.Is(e, store.ErrDerived)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if len(all) == 0 && failed == nil && before == want {
		return "seen by nobody", nil // a bit that means nothing
	}
	alone := func(text string) string { return cameAt.ReplaceAllString(signature.ReplaceAllString(text, ""), "") }
	if len(all) == 0 && failed == nil && alone(before) == alone(want) {
		return "a signature, or when it came", nil // the engine looks at the first; nothing else says the second
	}
	if len(all) == 0 {
		return "", fmt.Errorf("Check finds nothing; answers %v: %s", failed, difference(before, want))
	}
	if _, err := s.Repair(ctx, nil); err != nil {
		t.Logf("not repaired: %v; found %v", err, all[0])
		return "not repaired", nil
	}
	for e := range s.Check(ctx) {
		if errors.Is(e, store.ErrDerived) && mendable {
			return "", fmt.Errorf("repaired, Check finds %w, before %w", e, all[0])
		}
		return "signed bytes damaged", nil
	}
	got, err := ask(s)
	if err != nil || got != want {
		return "", fmt.Errorf("repaired, it answers %v: %s; found before: %v", err, difference(got, want), all[0])
	}
	return "repaired", nil
}
