package importers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/datasets"
)

// BenchmarkGit reads, and BenchmarkGitIngest also signs and stores in memory, a
// repository of 2,000 commits of five files each.
func BenchmarkGit(b *testing.B) {
	f := longHistory(b)
	for b.Loop() {
		if got := len(f.read()); got != benchCommits {
			b.Fatalf("%d commits, want %d", got, benchCommits)
		}
	}
}

func BenchmarkGitIngest(b *testing.B) {
	f := longHistory(b)
	for b.Loop() {
		seq, _, err := Git(b.Context(), f.dir)
		ingest(b, seq, err, benchCommits)
	}
}

func BenchmarkLoCoMoIngest(b *testing.B) {
	path := datasets.File(b, "locomo", "26.json")
	for b.Loop() {
		seq, total, err := LoCoMo(path)
		ingest(b, seq, err, total)
	}
}

func BenchmarkJSONL(b *testing.B) {
	var lines strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&lines, `{"id":"%d","text":"the cache is slow again","speaker":"Ada","session":"s"}`+"\n", i)
	}
	for b.Loop() {
		seq, err := JSONL(strings.NewReader(lines.String()), "log")
		if err != nil {
			b.Fatal(err)
		}
		collect(b, seq)
	}
}

func ingest(b *testing.B, seq Sequence, err error, want int) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	reply, err := newEngine(b).Ingest(b.Context(), seq, nil)
	if err != nil || reply.Added != want {
		b.Fatalf("Ingest = %+v, %v, want %d added", reply, err, want)
	}
}

const benchCommits = 2000

// longHistory makes its repository with one run of git.
func longHistory(b *testing.B) *folder {
	b.Helper()
	f := newFolder(b)
	var in strings.Builder
	for i := range benchCommits {
		message := fmt.Sprintf("change %d\n\nbecause of what was seen before\n", i)
		fmt.Fprintf(
			&in, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s", 1700000000+i,
			len(message), message,
		)
		for j := range 5 {
			content := fmt.Sprint(i)
			fmt.Fprintf(&in, "M 644 inline dir%d/file%d.go\ndata %d\n%s\n", (i+j)%20, j, len(content), content)
		}
	}
	f.gitWith(in.String(), "fast-import", "--quiet")
	return f
}
