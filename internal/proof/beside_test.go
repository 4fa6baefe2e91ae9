//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package proof

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// No one puts the tail into the base while another reads both: who read the old base and then a tail
// that is empty would take records for lost.
func TestNothingIsMergedBetweenBaseAndTail(t *testing.T) {
	b, again := book(t)
	const more = 1000 // than the tail may hold
	for n := range more {
		add(t, b, Entry{ID: id(n)})
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	merged := make(chan error, 1)
	reader := again()
	err := reader.unmerged(func() error {
		go func() { merged <- b.Settle() }()
		select {
		case err := <-merged:
			t.Errorf("it was merged while another read it, %v", err)
			merged <- err
		case <-time.After(50 * time.Millisecond):
		}
		return reader.readAll()
	})
	if n, countErr := reader.Count(); err != nil || countErr != nil || n != more {
		t.Errorf("the reader has %d of %d records, %v, %v", n, more, err, countErr)
	}
	if err := <-merged; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, baseFile)); err != nil {
		t.Error("it is merged then:", err)
	}
	if n := must2(t)(reader.Sound(id(more - 1))); !n {
		t.Error("the reader has lost a record")
	}
}
