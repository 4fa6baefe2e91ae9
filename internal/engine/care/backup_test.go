package care_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/memory"
)

// Backups are made of a store that others write to, and each is one moment of it:
// what stood in it before is there whole, what is there verifies, and what it
// became later begins with what the backup is.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	rounds := 4
	if os.Getenv("STEMMA_LONG") != "" && fewer == 1 {
		rounds = 50
	}
	dir, ctx := t.TempDir(), t.Context()
	path := filepath.Join(dir, "memory.db")
	c := engine.Config{Databases: enginetest.Databases, KeyDir: filepath.Join(dir, "keys"), Origin: memory.OriginOwner}
	e := open(t, path, c)
	capture(t, e, "the first words")

	stop := make(chan struct{})
	var writers sync.WaitGroup
	end := sync.OnceFunc(func() { close(stop); writers.Wait() })
	t.Cleanup(end)
	// what may be written in a round is bounded: every round reads all that there is
	// three times, and its time grows with what all before it wrote
	const aRound = 40
	turns := make(chan struct{}, 2*aRound)
	for w := range 2 {
		beside := open(t, path, c)
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-turns:
				}
				if _, err := beside.Capture(ctx, api.CaptureRequest{Text: fmt.Sprintf("writer %d, words %d", w, i)}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	to, home := filepath.Join(dir, "kept.db"), ""
	for round := range rounds {
		for len(turns) < aRound {
			turns <- struct{}{}
		}
		before := capture(t, e, fmt.Sprintf("before backup %d", round))
		b, err := e.Backup(ctx, to)
		if err != nil {
			t.Fatal(err)
		}
		if b.Replaced != (round > 0) {
			t.Errorf("backup %d: it replaced one: %v", round, b.Replaced)
		}
		home = filepath.Join(dir, fmt.Sprint("home", round), "memory.db")
		r, err := engine.Restore(ctx, home, engine.Config{Databases: enginetest.Databases}, api.RestoreRequest{From: to})
		if err != nil || !r.Restored || r.Records != b.Records || r.Spaces[0].Root != b.Spaces[0].Root {
			t.Fatalf("restore %d: %v: %+v of %+v", round, err, r, b)
		}
		again := open(t, home, c)
		if _, err := again.Show(ctx, api.RefRequest{Ref: before}); err != nil {
			t.Errorf("backup %d has not what was written before it: %v", round, err)
		}
		d, err := again.Doctor(ctx, api.DoctorRequest{})
		if err != nil || len(d.Problems) > 0 {
			t.Errorf("backup %d: %v, %v", round, err, d.Problems)
		}
		check, err := e.CheckLog(ctx, api.CheckLogRequest{Held: b.Spaces[0].Note})
		if err != nil || check.Status != engine.LogOK {
			t.Errorf("backup %d is no beginning of the log: %v, %+v", round, err, check)
		}
	}
	end()
	left, err := filepath.Glob(filepath.Join(dir, ".stemma-copy-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// What a restore would lose is counted, and it is done over a store only by its
// owner, and only while no one else has it open.
func TestRestoreSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	path, to := filepath.Join(dir, "memory.db"), filepath.Join(dir, "kept.db")
	c := engine.Config{Databases: enginetest.Databases, KeyDir: filepath.Join(dir, "keys"), Origin: memory.OriginOwner}
	e, err := engine.Open(ctx, path, c)
	if err != nil {
		t.Fatal(err)
	}
	add(t, e, "note", "in the backup")
	if _, err := e.Backup(ctx, to); err != nil {
		t.Fatal(err)
	}
	late := add(t, e, "belief", "after the backup")
	in := api.RestoreRequest{From: to, DryRun: true}
	r, err := engine.Restore(ctx, path, c, in)
	if err != nil || r.Lost != 1 || r.Kinds["belief"] != 1 || r.Spaces[0].Status != intake.LogBehind || r.Restored {
		t.Errorf("what would be lost: %v, %+v", err, r)
	}
	in.DryRun = false
	if _, err := engine.Restore(ctx, path, c, in); !errors.Is(err, api.ErrConflict) {
		t.Errorf("over a store without being told to: %v", err)
	}
	in.Force = true
	if _, err := engine.Restore(
		ctx, path, engine.Config{Databases: enginetest.Databases}, in,
	); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("by an agent: %v", err)
	}
	if _, err := engine.Restore(ctx, path, c, in); !errors.Is(err, api.ErrUnavailable) {
		t.Errorf("while somebody has it open: %v", err)
	}
	if _, err := e.Show(ctx, api.RefRequest{Ref: late}); err != nil {
		t.Errorf("after a restore that was refused: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r, err = engine.Restore(ctx, path, c, in)
	if err != nil || !r.Restored || r.Lost != 1 {
		t.Fatalf("restore: %v, %+v", err, r)
	}
	now, aside := open(t, path, c), open(t, r.Aside, c)
	if _, err := now.Show(ctx, api.RefRequest{Ref: late}); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("in the restored store: %v", err)
	}
	if _, err := aside.Show(ctx, api.RefRequest{Ref: late}); err != nil {
		t.Errorf("in the store that was put aside: %v", err)
	}

	// the restored store goes another way: the backup of the old one is not
	// replaced by what has not its records
	if _, err := aside.Backup(ctx, to); err != nil {
		t.Fatal(err)
	}
	add(t, now, "note", "after the restore")
	if _, err := now.Backup(ctx, to); !errors.Is(err, api.ErrConflict) {
		t.Errorf("over a backup that has more: %v", err)
	}
	if r, err = engine.Restore(ctx, path, c, api.RestoreRequest{From: to, DryRun: true}); err != nil ||
		r.Spaces[0].Status != intake.LogRewritten || r.Lost != 1 {
		t.Errorf("two histories: %v, %+v", err, r)
	}
}

// One who restores again at once puts each store that was there aside under a name of
// its own.
func TestRestoreTwiceAtOnce(t *testing.T) {
	t.Parallel()
	dir, ctx, now := t.TempDir(), t.Context(), time.Now()
	path, to := filepath.Join(dir, "memory.db"), filepath.Join(dir, "kept.db")
	c := engine.Config{
		Databases: enginetest.Databases,
		KeyDir:    filepath.Join(dir, "keys"), Origin: memory.OriginOwner, Now: func() time.Time { return now },
	}
	e, err := engine.Open(ctx, path, c)
	if err != nil {
		t.Fatal(err)
	}
	add(t, e, "note", "in the backup")
	if _, err := e.Backup(ctx, to); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	asides := make(map[string]bool)
	for range 3 {
		r, err := engine.Restore(ctx, path, c, api.RestoreRequest{From: to, Force: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(r.Aside); err != nil || asides[r.Aside] {
			t.Errorf("put aside as %s: %v; before: %v", r.Aside, err, asides)
		}
		asides[r.Aside] = true
	}
}
