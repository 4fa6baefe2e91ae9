package pack

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the packs in testdata anew")

// day is what a small project's memory holds about its database.
func day() Request {
	return Request{Query: "which database do we use", Level: Minimal, Entries: []Entry{
		{Ref: "note:77aa01bc", Section: "needs", Kind: "note", Type: "decision", Tier: "grounded", State: "needs_review",
			Text: "Connections are opened once and shared", Path: "src/stores/connection.ts",
			Why: "changed in a1b2c3d: pool of readers", Priority: 2},
		{Ref: "note:10fe3a55", Section: "needs", Kind: "note", Type: "constraint", Tier: "grounded", State: "stale",
			Text: "Migrations only add columns", Path: "src/stores/migrate.ts", Why: "the file is gone", Priority: 4},
		{Ref: "note:5c3d90aa", Section: "constraints", Kind: "note", Type: "constraint", Tier: "observed",
			Text: "Always run tests before committing", Why: "approved by you 2026-11-02"},
		{Ref: "belief:3f9a22c1", Section: "verified", Kind: "belief", Tier: "grounded", Score: .9,
			Text: "Use bun:sqlite for database", Path: "src/stores/connection.ts"},
		{Ref: "note:8be01234", Section: "verified", Kind: "note", Type: "known_fix", Tier: "observed", Score: .7,
			Text: "FTS5 needs special character escaping:\nquote every <term> of `MATCH`", Why: "3 episodes", Agent: true,
			Store: "project"},
		{Ref: "note:c0ffee00", Section: "unverified", Kind: "note", Type: "insight", Tier: "hypothesis", Score: .3,
			Text: "Consider using sqlite-vec for vectors", Store: "user"},
		{Ref: "note:c0ffee01", Section: "unverified", Kind: "note", Type: "insight", Tier: "inferred", Score: .2,
			Text: "数据库迁移前先备份", At: "2026-11-20"},
	}, Omitted: []Omission{
		{Section: "constraints", Reason: "not approved", Count: 2},
		{Section: "verified", Reason: "rejected", Count: 1},
	}}
}

func TestGolden(t *testing.T) {
	plain, fancy, tight, load := day(), day(), day(), Request{Layout: Load, Level: Minimal, Entries: []Entry{
		{Ref: "value:0a1b2c3d", Section: "values", Text: "Say what is known and how"},
		{Ref: "goal:1a1b2c3d", Section: "goals", Text: "Release part two", Why: "in progress"},
		{Ref: "note:5c3d90aa", Section: "constraints", Tier: "observed", Text: "Always run tests before committing"},
		{Ref: "episode:2a1b2c3d", Section: "episodes", Text: "The index was rebuilt after the outage", At: "2026-11-19"},
		{Ref: "belief:9a1b2c3d", Section: "conflicts", Text: "We use bun:sqlite / we use better-sqlite3"},
	}}
	fancy.Fancy, load.Fancy = true, true
	tight.Budget = 160
	tests := []struct {
		file   string
		req    Request
		format Format
	}{
		{"plain.txt", plain, Text},
		{"fancy.txt", fancy, Text},
		{"tight.txt", tight, Text},
		{"load.txt", load, Text},
		{"context.md", plain, Markdown},
		{"context.json", plain, JSON},
		{"tight.json", tight, JSON},
		{"load.json", load, JSON},
		{"nothing.txt", Request{Query: "nothing"}, Text},
	}
	for _, tt := range tests {
		name, got := filepath.Join("testdata", tt.file), build(t, tt.req).Render(tt.format)
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
