package sqlstore

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A migration is parted at the ends of statements, and nowhere else.
func TestTheStatementsOfMigrations(t *testing.T) {
	files, err := fs.Glob(migrations, session.Postgres.Migration+"/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range session.Statements(string(text)) {
			made := 0
			for line := range strings.Lines(one) {
				if strings.HasPrefix(line, "CREATE ") {
					made++
				}
			}
			if made > 1 || !strings.HasSuffix(strings.TrimSpace(one), ";") {
				t.Errorf("%s: %q is no single statement", file, one)
			}
		}
	}
}
