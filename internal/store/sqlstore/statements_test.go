package sqlstore

import (
	"io/fs"
	"strings"
	"testing"
)

// A migration is parted at the ends of statements, and nowhere else.
func TestStatements(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"CREATE TABLE a (b TEXT);\n-- c; d;\nCREATE TABLE e (\n\tf TEXT, -- it ends here;\n\tg TEXT\n);\n", 2},
		{"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tRETURN OLD;\nEND $$;\nSELECT 1;", 2},
	} {
		if all := statements(tt.text); len(all) != tt.want {
			t.Errorf("%q: %d statements %q, want %d", tt.text, len(all), all, tt.want)
		}
	}
	files, err := fs.Glob(migrations, postgresDialect.Migration+"/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range statements(string(text)) {
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
