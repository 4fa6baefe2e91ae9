package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatStartsSomethingIsWatched(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a_test.go": `package a
import ("testing"; "sync"; "example.org/m/suitetest")
func TestItself(t *testing.T) { go func() {}() }
func TestAGroup(t *testing.T) { var w sync.WaitGroup; w.Go(func() {}); w.Wait() }
func TestThroughAnother(t *testing.T) { crowd() }
func crowd() { many() }
func TestOfATable(t *testing.T) { for _, f := range table { f() } }
var table = []func(){crowd}
func TestOfASuite(t *testing.T) { suitetest.Run(t) }
func TestALock(t *testing.T) { f := &fake{}; f.ask() }
type fake struct { lock sync.Mutex }
func TestAlone(t *testing.T) { suitetest.Name() }
func TestParallel(t *testing.T) { t.Parallel() }
func TestItsOwnName(t *testing.T) { TestItsOwnName(t) }`,
		"a/b_test.go":          "package a\nfunc many() { go many() }",
		"a/a.go":               "package a\nfunc Work() { go Work() }",
		"a/many_test.go":       "//go:build !race\n\npackage a\nfunc TestMany(t *testing.T) { go many() }",
		"suitetest/suite.go":   "package suitetest\nfunc Run(t any) { go Name() }\nfunc Name() {}",
		"a/testdata/x_test.go": "no Go",
		"other/go.mod":         "module other",
		"other/o_test.go":      "package other\nfunc TestOther(t any) { go TestOther(t) }",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	all, err := read(".")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"TestAGroup", "TestALock", "TestItself", "TestOfASuite", "TestOfATable", "TestThroughAnother"}
	if got := all.watched("a"); !slices.Equal(got, want) {
		t.Errorf("watched are %v, want %v", got, want)
	}
	if got := all.watched("other"); len(got) > 0 {
		t.Errorf("watched are %v of another module", got)
	}
}

// Where several things are done at once, some test does so.
func TestRoomsThatMustBeWatchedAre(t *testing.T) {
	t.Chdir("../..")
	all, err := read(".")
	if err != nil {
		t.Fatal(err)
	}
	for dir, least := range map[string]int{
		"internal/engine/lifecycle": 3, "internal/engine/exchange": 2, "internal/engine/recall": 1, "internal/engine/care": 2,
		"internal/store/sqlstore": 5, "internal/store/memstore": 1, "internal/store/door": 1,
		"internal/hub": 5, "internal/httpapi": 2, "internal/mcpserver": 3, "internal/serve": 3, "internal/peer": 2,
		"internal/keys": 5, "internal/journal": 2, "internal/vec": 2, "internal/model": 2,
	} {
		if n := len(all.watched(dir)); n < least {
			t.Errorf("%s: %d tests do several things at once, want %d at least", dir, n, least)
		}
	}
}
