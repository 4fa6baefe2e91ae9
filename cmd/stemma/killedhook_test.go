package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// Hooks that are killed anywhere, while others write: what one saw that ended by
// itself is there, and nothing is there twice.
func TestKilledHooks(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "memory.db")
	env := append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "STEMMA_STORE="+store)
	command := func(args ...string) *exec.Cmd {
		c := exec.Command("stemma", args...)
		c.Dir, c.Env = dir, env
		return c
	}
	if out, err := command("raw", "the first words").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	const runs = 80
	ended, killed := map[string]bool{}, 0
	for n := range runs {
		said := fmt.Sprintf("prompt-%d-", n)
		c := command("hook", "run", "claude-code", "UserPromptSubmit")
		c.Stdin = strings.NewReader(
			fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"UserPromptSubmit","prompt":"%s"}`, n, said),
		)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		other := command("raw", fmt.Sprintf("beside %d", n)) // may hold the store
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		select {
		case err := <-done:
			if ended[said] = true; err != nil {
				t.Errorf("hook %d ends with %v", n, err)
			}
		case <-time.After(time.Duration(chance.IntN(60_000)) * time.Microsecond):
			_ = c.Process.Kill()
			if err := <-done; err == nil {
				ended[said] = true // it was faster
			} else {
				killed++
			}
		}
		if err := other.Wait(); err != nil {
			t.Errorf("the one beside hook %d ends with %v", n, err)
		}
	}
	if err := hook(command, runs); err != nil { // takes in what waits
		t.Fatal(err)
	}
	if killed == 0 || len(ended) == 0 {
		t.Logf("%d were killed and %d ended: this machine is too fast or too slow to show much", killed, len(ended))
	}
	e, err := engine.Open(t.Context(), store, engine.Config{Databases: sqlstore.Databases{}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	list, err := e.List(t.Context(), api.ListRequest{Kind: "raw", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, m := range list.Memories {
		times[m.Headline]++
	}
	for n := range runs {
		said := fmt.Sprintf("prompt-%d-", n)
		if got := times[said]; got > 1 || got == 0 && ended[said] {
			t.Errorf("what hook %d saw is there %d times; it ended by itself: %v", n, got, ended[said])
		}
	}
	t.Logf("%d hooks ended, %d were killed", len(ended), killed)
}
