package exchange_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
)

// Whoever reads changes from one cursor to the next sees every record once, also
// of spaces that began meanwhile.
func TestChanges(t *testing.T) {
	e, err := engine.Open(
		t.Context(), filepath.Join(t.TempDir(), "memory.db"), engine.Config{Databases: enginetest.Databases, Space: "*"},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	written := make(map[string]int)
	write := func(space string, n int) {
		t.Helper()
		voice, err := e.As(engine.Caller{Space: space})
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			w, err := voice.Capture(t.Context(), api.CaptureRequest{Text: "words in " + space})
			if err != nil {
				t.Fatal(err)
			}
			written[w.Ref] = 0
		}
	}
	write("one", 1)
	start, err := e.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clear(written) // what was there before is not asked for
	at := start
	read := func() {
		t.Helper()
		for {
			list, err := e.Changes(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				return
			}
			for _, c := range list {
				if _, ours := written[c.Ref]; ours {
					written[c.Ref]++
				}
				at = c.Cursor
			}
		}
	}
	write("one", 250)
	read()
	write("two", 3)
	write("one", 2)
	read()
	for ref, times := range written {
		if times != 1 {
			t.Errorf("%s was told %d times, want once", ref, times)
		}
	}
	if len(written) != 255 {
		t.Errorf("%d records were written, want 255", len(written))
	}
	for _, bad := range []string{
		"x", "-", "0123456789ab-0", "0123456789ab-x", "0123456789ab", "0123456789ab-1.", "0123456789zz-1",
	} {
		if _, err := e.Changes(t.Context(), bad); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("a cursor %q: %v, want invalid", bad, err)
		}
	}
}
