package hub

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The commands of the page for a team leave no byte of what was purged in the files of a hub's PostgreSQL.
func TestTheCommandsOfThePageLeaveNoBytesInPostgreSQL(t *testing.T) {
	if os.Getenv("STEMMA_TEST_POSTGRES") == "" {
		t.Skip("STEMMA_TEST_POSTGRES names no server")
	}
	dir := ownPostgres(t)
	p := serveHub(t, openHub(t, tempPostgres(t)))
	p.now = time.Now()
	ann := p.joins("ann", "", "")
	const words = "xqzvplume-of-the-marsh"
	secret := ann.believes(p, ann.home(), "the gate opens with "+words)
	ann.mustSync(p)
	p.purgesFor(ann, secret)
	ann.mustSync(p)
	holding := func() (files []string) {
		t.Helper()
		err := filepath.WalkDir(filepath.Join(dir, "data"), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			if bytes.Contains(raw, []byte(words)) {
				files = append(files, path[len(dir):])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if len(holding()) == 0 {
		t.Fatal("no file of the server had the words: the search finds nothing")
	}
	conn, err := pgx.Connect(t.Context(), os.Getenv("STEMMA_TEST_POSTGRES"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for range 2 { // the server keeps files of its log for later use, with what was in them
		if _, err := conn.Exec(t.Context(), "CHECKPOINT; SELECT pg_switch_wal(); CHECKPOINT"); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../../docs/how-to/team.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range regexp.MustCompile(`-c '([^']+)'`).FindAllStringSubmatch(string(page), -1) {
		ran++
		if _, err := conn.Exec(t.Context(), c[1]); err != nil {
			t.Fatalf("%s: %v", c[1], err)
		}
	}
	if left := holding(); ran < 4 || len(left) > 0 {
		t.Errorf("after %d commands of the page the words are in %v", ran, left)
	}
}
