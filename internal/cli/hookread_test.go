package cli

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// A host that never ends what it says holds no hook up.
func TestAHookDoesNotWaitForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		go out.Write([]byte(`{"prompt":"said"`))
		begin := time.Now()
		text, late := readEvent(in)
		if !late || string(text) != `{"prompt":"said"` || time.Since(begin) != readPatience {
			t.Errorf("%q, late %v, after %v", text, late, time.Since(begin))
		}
		out.Close()
	})
}

// A host that says too much can say all of it.
func TestAHookReadsToTheEnd(t *testing.T) {
	in := bytes.NewReader(make([]byte, hosts.MaxEvent+1<<20))
	text, late := readEvent(in)
	if late || len(text) != hosts.MaxEvent+1 || in.Len() != 0 {
		t.Errorf("%d bytes, late %v, %d unread", len(text), late, in.Len())
	}
}
