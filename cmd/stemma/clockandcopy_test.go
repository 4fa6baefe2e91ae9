package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// The clock jumps before every operation that writes, by a day, ten years, or back:
// nothing that was acknowledged is lost, and the store is whole.
func TestTheClockJumps(t *testing.T) {
	jumps := []time.Duration{
		0, -24 * time.Hour, 10 * 365 * 24 * time.Hour, -5 * time.Minute, time.Hour, -10 * 365 * 24 * time.Hour,
		time.Millisecond,
	}
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	dir := t.TempDir()
	h, err := openHandAt(t.Context(), dir, "jumper", now)
	if err != nil {
		t.Fatal(err)
	}
	o, chance := newObserver(), rand.New(rand.NewPCG(5, 5))
	h.said = func(op string, reply []byte) {
		o.hold(op, string(reply))
		ahead.Store(int64(jumps[chance.IntN(len(jumps))])) // within an operation that does several, too
	}
	for range long("STEMMA_JUMPS", 1, 10) {
		names := writing()
		chance.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, op := range names {
			// who decides at a time before what is decided about may be refused, in a line
			if err := h.try(op); err != nil && !errors.Is(err, api.ErrConflict) {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
	if err := h.close(); err != nil {
		t.Error(err)
	}
	l, err := homeAt(dir).look(t.Context(), o.refs)
	if err != nil || len(l.lost) > 0 || len(l.problems) > 0 {
		t.Errorf("%v\nlost: %s\nproblems: %s", err, clip(l.lost), clip(l.problems))
	}
	t.Logf("%d acknowledged", len(o.refs))
}

// The file of a store is copied while others write to it, as a careless backup does: the
// copy opens, or it is said in a line why not, and what is whole of it is recovered.
func TestCopiedWhileItIsWritten(t *testing.T) {
	h, o := newHome(t), newObserver()
	writer := h.command("operate", h.dir, "copied", "1", "0")
	end := o.begin(t, writer, func() {})
	defer func() {
		_ = writer.Process.Kill()
		_ = end()
	}()
	opened, whole, refused, recovered := 0, 0, 0, 0
	for n := range long("STEMMA_COPIES", 6, 200) {
		copied := homeAt(t.TempDir())
		for _, name := range []string{"memory.db", "memory.db-wal"}[:1+n%2] {
			b, err := os.ReadFile(filepath.Join(h.dir, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(copied.dir, name), b, 0o600)
			}
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		config := handConfig(copied.dir, memory.OriginOwner)
		config.KeyDir = filepath.Join(h.dir, "stemma", "keys")
		began := time.Now()
		err := func() error {
			e, err := engine.Open(t.Context(), copied.store(), config)
			if err != nil {
				return err
			}
			opened++
			d, err := e.Doctor(t.Context(), api.DoctorRequest{Repair: true})
			if err = errors.Join(err, e.Close()); err == nil && len(d.Problems) > 0 {
				err = fmt.Errorf("%s", d.Problems[0].What)
			}
			return err
		}()
		if err == nil {
			whole++
		} else {
			refused++
			if strings.Contains(strings.TrimSpace(err.Error()), "\n") {
				t.Errorf("copy %d: more than a line: %v", n, err)
			}
		}
		got, err := engine.RecoverFile(
			t.Context(), config,
			engine.RecoverFileRequest{From: copied.store(), To: filepath.Join(copied.dir, "new.db")}, nil,
		)
		if err != nil || got.Records == 0 {
			t.Errorf("copy %d: recovered %d records, %v", n, got.Records, err)
		}
		recovered += got.Records
		if took := time.Since(began); took > time.Minute {
			t.Errorf("copy %d: it took %v", n, took)
		}
	}
	t.Logf("%d opened, %d whole, %d refused or damaged; %d records recovered of all", opened, whole, refused, recovered)
}
