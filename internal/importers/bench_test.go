package importers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
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

// BenchmarkVault reads 20,000 notes, and BenchmarkVaultIngest also signs and stores them.
func BenchmarkVault(b *testing.B) { benchVault(b, false) }

func BenchmarkVaultIngest(b *testing.B) { benchVault(b, true) }

const benchNotes = 20_000

func benchVault(b *testing.B, store bool) {
	dir := b.TempDir()
	for i := range benchNotes {
		in := filepath.Join(dir, fmt.Sprint(i/200))
		if i%200 == 0 {
			if err := os.MkdirAll(in, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		text := fmt.Sprintf("---\ntags: [t%d]\ncreated: 2024-03-02\n---\n# Note %d\n\n%s See [[Note %d]].\n", i%50, i,
			strings.Repeat(fmt.Sprintf("the %d garden, ", i), 25), i/2)
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("Note %d.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		found, err := Read(b.Context(), Source{Path: dir})
		if err != nil {
			b.Fatal(err)
		}
		if store {
			in := b.TempDir()
			e, err := engine.Open(
				b.Context(), filepath.Join(in, "s.db"),
				engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(in, "keys")},
			)
			if err != nil {
				b.Fatal(err)
			}
			if r, err := e.Ingest(b.Context(), found.Records, nil); err != nil || r.Added != benchNotes {
				b.Fatalf("%+v, %v", r, err)
			}
			e.Close()
		} else if n := len(collect(b, found.Records)); n != benchNotes {
			b.Fatalf("%d notes", n)
		}
	}
	b.ReportMetric(float64(benchNotes*b.N)/b.Elapsed().Seconds(), "notes/s")
}
