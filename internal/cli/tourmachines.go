package cli

import (
	"os"
	"path/filepath"
	"slices"
)

// machines lets a second store work on the same belief while apart, and brings both
// together over a folder.
func (t *tour) machines(s *story, belief string) error {
	t.say("12. On many machines: a second store, of the same person's laptop. All that both can see is a folder. " +
		"Where memory goes, only a person says; here the tour is that person.")
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
	t.say("Both put the belief better while they are apart. Then they meet: nobody's words are lost, and the fork is " +
		"shown on either side.")
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
	t.say("One person says how it stands, on one machine. That is a record like any other, and it travels.")
	if _, err := t.step("resolve", belief, "--merge", s.merged); err != nil {
		return err
	}
	for _, step := range [][]string{{"sync"}, there("sync"), there("search", s.question, "--limit", "1")} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	t.say("Words stay at home unless you say otherwise; the laptop knows them by their ids. 'stemma hub' is the same " +
		"for a team.")
	return nil
}
