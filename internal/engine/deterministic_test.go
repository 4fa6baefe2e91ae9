//go:build !race

package engine_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/memory"
)

// counted is a source of bytes that is the same each time.
type counted struct{ n uint64 }

func (c *counted) Read(p []byte) (int, error) {
	for i := 0; i < len(p); {
		c.n++
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, c.n))
		i += copy(p[i:], sum[:])
	}
	return len(p), nil
}

// TestTheSameAgain runs one history many times with the same seed, clock, keys and
// nonces: the exports are the same to the byte.
func TestTheSameAgain(t *testing.T) {
	t.Parallel()
	runs := 250
	if os.Getenv("STEMMA_LONG") != "" {
		runs = 1000
	}
	keys := filepath.Join(t.TempDir(), "keys")
	e := open(t, "mem", engine.Config{KeyDir: keys, Origin: memory.OriginAgent}) // makes the keys
	capture(t, e, "the keys are made")
	var first []byte
	for run := range runs {
		at := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
		e := open(t, "mem", engine.Config{
			KeyDir: keys, Origin: memory.OriginAgent, Rand: new(counted), Seed: 11, LLM: sim.Generator{Seed: 11},
			Now: func() time.Time { at = at.Add(time.Second); return at },
		})
		for _, text := range []string{
			"Alice works at Acme", "Bob likes hiking", "Alice left Acme and joined StartupX", "Bob hates hiking",
		} {
			remember(t, e, text)
		}
		var out bytes.Buffer
		if _, err := e.Export(t.Context(), &out, api.ExportRequest{}); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
		}
		if !bytes.Equal(out.Bytes(), first) {
			t.Fatalf("run %d: %d bytes are not the %d of the first", run, out.Len(), len(first))
		}
	}
	if n := bytes.Count(first, []byte("\n")); n < 12 {
		t.Errorf("the history has %d records: too few to say anything", n)
	}
}
