package session

import "testing"

// A text is parted at the ends of statements, and nowhere else.
func TestStatements(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"CREATE TABLE a (b TEXT);\n-- c; d;\nCREATE TABLE e (\n\tf TEXT, -- it ends here;\n\tg TEXT\n);\n", 2},
		{"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tRETURN OLD;\nEND $$;\nSELECT 1;", 2},
	} {
		if all := Statements(tt.text); len(all) != tt.want {
			t.Errorf("%q: %d statements %q, want %d", tt.text, len(all), all, tt.want)
		}
	}
}
