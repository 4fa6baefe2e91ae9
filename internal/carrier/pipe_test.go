package carrier

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// A shell that greets whoever comes puts a line before the first answer. All answers
// after it would be those to the question before: that a peer wants none of what is
// offered would be read out of its welcome, and what was offered never go.
func TestPipeThatGreets(t *testing.T) {
	askR, askW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	tellR, tellW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(tellW, "Welcome to desk, Ada!\n")
		_ = Serve(t.Context(), askR, tellW, hub(t))
	}()
	p := NewPipe(tellR, askW)
	for range 3 { // an exchange asks again, since the line may only have been bad
		if _, err := p.Hello(t.Context(), peer.Hello{Version: peer.Version}); err == nil ||
			!strings.Contains(err.Error(), "Welcome to desk") {
			t.Errorf("a peer that greets gives %v, want what it said", err)
		}
	}
	w, err := p.Offer(t.Context(), peer.Offer{Space: "x", IDs: []memory.ID{{1}}})
	if err == nil {
		t.Errorf("an offer to it is answered with %v, and nobody was asked", w)
	}
	_ = askW.Close()
	_ = tellR.Close()
}

// Whoever talks on without end, or does not go, is hung up on all the same.
func TestHangUpOnTheEndless(t *testing.T) {
	for _, says := range []string{"while :; do echo y; done", "sleep 10 & exec sleep 3600"} {
		program := filepath.Join(t.TempDir(), "ssh")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+says+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, hangUp, err := SSH(t.Context(), "ssh://desk", program, true, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := hangUp(); err != nil {
			t.Errorf("hanging up gives %v", err)
		}
	}
}
