//go:build !race

package mcpserver

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
)

// Two hundred memories that want to be instructions stay words: in no tool, resource
// or prompt does one change the shape of an answer, close a mark, or bring along a
// character that hides, reorders or controls.
func TestWordsStayWords(t *testing.T) {
	sent := new(bytes.Buffer)
	n := 0
	for _, steer := range steers {
		keys := filepath.Join(t.TempDir(), "keys")
		c := connectTee(t, Options{Session: "s", Agent: "a", Open: func(ctx context.Context) (*engine.Engine, error) {
			return engine.Open(ctx, "mem", engine.Config{KeyDir: keys})
		}}, sent)
		for _, wrap := range wraps {
			text := wrap(steer)
			if got, want := shapes(t, c, text), shapes(t, c, innocuous(text)); !reflect.DeepEqual(got, want) {
				t.Errorf("%q changes the shape of an answer:\n%v\n%v", text, got, want)
			}
			n++
		}
		together(t, c, steer)
	}
	if n != 200 {
		t.Errorf("%d payloads, want 200", n)
	}
	for i, c := range sent.Bytes() {
		if c < ' ' && c != '\n' || c == 0x7f {
			t.Fatalf("a raw byte %#x is sent: %q", c, sent.Bytes()[max(0, i-40):i+1])
		}
	}
}
