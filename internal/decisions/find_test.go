package decisions

import (
	"strings"
	"testing"
)

// commits makes commits of messages, newest first, that all touch store.go. "@FILE " before a
// message names another file. The hashes are forty a, b, c, ….
func commits(messages ...string) []Commit {
	var list []Commit
	for i, m := range messages {
		c := Commit{Hash: strings.Repeat(string("abcdef"[i]), 40), Author: "Ben", Message: m, Files: []string{"store.go"}}
		if file, rest, ok := strings.Cut(m, " "); ok && strings.HasPrefix(file, "@") {
			c.Files, c.Message = []string{file[1:]}, rest
		}
		list = append(list, c)
	}
	return list
}

const (
	useJSON     = "Use a JSON file for orders\n\nOne file is easier to back up than a database."
	revertJSON  = "Revert \"Use a JSON file for orders\"\n\nTwo writers lose orders, because each writes the whole file."
	replaceJSON = "Replace the JSON file with SQLite\n\nTwo writers lost orders in it."
	dropPython  = "Drop support for Python 3.7\n\nIt is too slow for the new parser."
)

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name          string
		commits       []Commit
		how           How
		first, second string // subjects; "" for none
	}{
		{"a revert and what it reverts", commits("List orders by day", revertJSON, "Add a page", useJSON), Reverts,
			"Use a JSON file for orders", `Revert "Use a JSON file for orders"`},
		{"a revert by its hash", commits("Undo the file of orders\n\nThis reverts commit ccccccc.\n", "Add a page", useJSON),
			Reverts, "Use a JSON file for orders", "Undo the file of orders"},
		{"a replacement", commits(replaceJSON, "Add a page", useJSON), Replaces,
			"Use a JSON file for orders", "Replace the JSON file with SQLite"},
		{"a replacement in another file", commits("@other.go "+replaceJSON, useJSON), Near,
			"Replace the JSON file with SQLite", ""},
		{"a fix that names the hash", commits("Keep orders of two writers apart\n\nFixes: cccccccccccc (\"Use a JSON "+
			"file for orders\")",
			"Add a page", useJSON), Fixes, "Use a JSON file for orders", "Keep orders of two writers apart"},
		{"a decision alone, and its neighbour", commits("Add a page of orders", dropPython), Near,
			"Drop support for Python 3.7", "Add a page of orders"},
		{"one commit", commits(dropPython), Near, "Drop support for Python 3.7", ""},
		{"a revert with a reason before one without", commits(`Revert "Cache the session in memory"`, revertJSON,
			"Cache the session in memory", useJSON), Reverts, "Use a JSON file for orders", `Revert "Use a JSON file for ` +
			`orders"`},
		{"a revert that was reverted", commits(`Revert "Revert "Use a JSON file for orders""`, revertJSON, useJSON,
			dropPython),
			Reverts, `Revert "Use a JSON file for orders"`, `Revert "Revert "Use a JSON file for orders""`},
		{"a revert that was taken back", commits(`Reapply "Use a JSON file for orders"`, revertJSON, useJSON), Near, "", ""},
		{"a decision that a robot reverted", commits(`Revert "Drop support for Python 3.7" [skip ci] bump`, dropPython),
			Near, "", ""},
		{"a revert of what was not read", commits(revertJSON, "Add a page of orders"), Near,
			`Revert "Use a JSON file for orders"`, "Add a page of orders"},
		{"no decision", commits("Add a page", "work", "Fix the build", "Merge branch 'x'"), Near, "", ""},
		{"nothing", nil, Near, "", ""},
		{"a robot's revert", commits(`Revert "build(deps): bump lib from 1 to 2"`, "build(deps): bump lib from 1 to 2"),
			Near, "", ""},
		{"a subject too long to quote", commits("Replace the JSON file with " + strings.Repeat("very ", 20) + "large SQLite"),
			Near, "", ""},
		{"a subject that a terminal would act on", commits("Replace the JSON file with \x1b]0;SQLite\a"), Near, "", ""},
		{"words that are no text", commits("Replace the JSON file with \xff"), Near, "", ""},
		{"a subject like an option", commits("--replace the JSON file with SQLite instead of that"), Near, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Find(tt.commits)
			first, second := "", ""
			if ok {
				first = f.Decision.Subject
			}
			if f.Second != nil {
				second = f.Second.Subject
			}
			if f.How != tt.how || first != tt.first || second != tt.second {
				t.Errorf("Find = %d %q, %q, want %d %q, %q", f.How, first, second, tt.how, tt.first, tt.second)
			}
		})
	}
}

// The files come with code first, and with what the subject speaks of before other code.
func TestFindFiles(t *testing.T) {
	c := commits("Replace the parser with a table, because it is faster")
	c[0].Files = []string{".github/ci.yml", "README.md", "lexer.go", "parser.go", "parser_test.go"}
	f, _ := Find(c)
	if got, want := strings.Join(f.Files, " "), "parser.go lexer.go parser_test.go README.md .github/ci.yml"; got != want {
		t.Errorf("files = %s, want %s", got, want)
	}
}

// A belief has the words of its commit, the reason among them where there is room.
func TestWords(t *testing.T) {
	s := Said{Subject: "Drop Python 3.7", Reason: "It is too slow."}
	for most, want := range map[int]string{30: "Drop Python 3.7: It is too slow.", 29: "Drop Python 3.7"} {
		if got := s.Words(most); got != want {
			t.Errorf("Words(%d) = %q, want %q", most, got, want)
		}
	}
	s.Subject = "Drop Python 3.7!"
	if got, want := s.Words(99), "Drop Python 3.7! It is too slow."; got != want {
		t.Errorf("Words = %q, want %q", got, want)
	}
}

func TestQueries(t *testing.T) {
	s := Said{Subject: "feat(store): drop `JSON`, (and) \"files\" of all sorts (#12)", Reason: "They are slow."}
	want := []string{"drop JSON and files of", "They are slow", "drop JSON and They are slow"}
	if got := s.Queries(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("Queries = %q, want %q", got, want)
	}
	if got := (Said{Subject: "!!!"}).Queries(); len(got) != 1 || got[0] == "" {
		t.Errorf("Queries of marks = %q", got)
	}
}

// An older decision counts less, until it counts for nothing.
func TestADecisionLongAgo(t *testing.T) {
	for _, tt := range []struct {
		after int
		want  bool
	}{{0, true}, {199, true}, {200, false}} {
		list := make([]Commit, tt.after, tt.after+1)
		for i := range list {
			list[i] = Commit{Hash: strings.Repeat("b", 40), Message: "Add a page", Files: []string{"page.go"}}
		}
		old := Commit{Hash: strings.Repeat("a", 40), Message: "Drop support for Python 3.7", Files: []string{"README.md"}}
		if _, ok := Find(append(list, old)); ok != tt.want {
			t.Errorf("behind %d others it is found: %v", tt.after, ok)
		}
	}
}
