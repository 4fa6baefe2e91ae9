package hosts

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Hooks that run for one event give it one name, and exactly one of them is the first.
func TestTwoHooksNameAnEventOnce(t *testing.T) {
	h := Happenings{filepath.Join(t.TempDir(), "seen")}
	const text = `{"session_id":"s","prompt":"go on"}`
	event := func(name, text string) *Event {
		e, err := ReadEvent(ClaudeCode, name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	now := time.Now()
	prompt := event("UserPromptSubmit", text)
	var lock sync.Mutex
	ids, firsts := make(map[string]int), 0
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			id, again, err := h.Name(prompt, prompt.Observed(""), now)
			lock.Lock()
			defer lock.Unlock()
			if ids[id]++; err != nil {
				t.Error(err)
			}
			if !again {
				firsts++
			}
		})
	}
	all.Wait()
	if len(ids) != 1 || firsts != 1 {
		t.Errorf("names %v, %d were first", ids, firsts)
	}
	var first string
	for id := range ids {
		first = id
	}
	for _, tt := range []struct {
		name, text string
		after      time.Duration
		same       bool
	}{
		{"UserPromptSubmit", text, twinsWithin - 50*time.Millisecond, true}, // in the next span; a file has a coarser clock
		{"UserPromptSubmit", text, 3 * twinsWithin, false},
		{"UserPromptSubmit", `{"session_id":"s","prompt":"stop"}`, 0, false},
		{"UserPromptSubmit", `{"session_id":"r","prompt":"go on"}`, 0, false},
		{"Stop", text, 0, false},
		{"UserPromptSubmit", `{"session_id":"s","prompt":"go on","timestamp":2}`, 0, false},
	} {
		e := event(tt.name, tt.text)
		id, again, err := h.Name(e, e.Observed(""), now.Add(tt.after))
		if err != nil || (id == first) != tt.same || again != tt.same {
			t.Errorf("%+v: %s and %s, %v, %v", tt, first, id, again, err)
		}
	}
	// what has no session cannot be told from the same said again
	bare := event("UserPromptSubmit", `{"prompt":"go on"}`)
	one, _, _ := h.Name(bare, bare.Observed(""), now)
	if two, again, err := h.Name(bare, bare.Observed(""), now); one == two || again || err != nil {
		t.Errorf("%s, %s, %v, %v", one, two, again, err)
	}
	if _, _, err := h.Name(event("Stop", `{"session_id":"z"}`), nil, now.Add(2*happeningsStay)); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(h.Dir); err != nil || len(left) > 1 {
		t.Errorf("%d files stay, %v", len(left), err)
	}
}
