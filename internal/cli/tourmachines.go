package cli

import (
	"os"
	"path/filepath"
	"slices"
)

// machines lets a second store work on the same belief while apart, and brings both
// together over a folder.
func (t *tour) machines(s *story, belief string) error {
	t.say("12. On many machines: your laptop has a second store. Both stores use one shared folder. " +
		"Only a person can add a remote. Here, the tour is that person.")
	laptop := []string{"--store", filepath.Join(t.dir, "laptop.db")}
	there := func(args ...string) []string { return append(slices.Clone(laptop), args...) }
	carried := filepath.Join(t.dir, "carried")
	if err := os.MkdirAll(carried, 0o700); err != nil {
		return err
	}
	t.person = true
	defer func() { t.person = false }()
	for _, step := range [][]string{
		{"remote", "add", "carried", carried}, {"sync"}, there("init", "--user"),
		there("remote", "add", "carried", carried), there("sync"),
	} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	t.say("Both machines revise the belief while they are offline. Then they sync. No words are lost, and both stores " +
		"show the two revisions.")
	if _, err := t.step("belief", "revise", belief, s.here); err != nil {
		return err
	}
	if _, err := t.step(there("belief", "revise", belief, s.there)...); err != nil {
		return err
	}
	for _, step := range [][]string{{"sync"}, there("sync"), {"sync"}, {"history", belief}} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	t.say("You merge the two revisions on one machine. The merge is a record, and sync carries it to the other.")
	if _, err := t.step("resolve", belief, "--merge", s.merged); err != nil {
		return err
	}
	for _, step := range [][]string{{"sync"}, there("sync"), there("search", s.question, "--limit", "1")} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	t.say("Captures stay on their machine unless you share them. The laptop knows only their IDs. For a team, " +
		"see 'stemma hub'.")
	return nil
}
