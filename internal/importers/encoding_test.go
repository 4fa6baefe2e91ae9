package importers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A byte order mark of UTF-8 is passed over; a text in UTF-16 is named as such.
func TestEncodingOfLines(t *testing.T) {
	for name, tt := range map[string]struct{ text, wrong string }{
		"plain":    {"{\"a\":1}\n", ""},
		"UTF-8":    {"\ufeff{\"a\":1}\n", ""},
		"UTF-16LE": {"\xff\xfe{\x00}\x00", "UTF-16"},
		"UTF-16BE": {"\xfe\xff\x00{\x00}", "UTF-16"},
	} {
		err := eachLine(t.Context(), strings.NewReader(tt.text), func(_ int, raw []byte) error {
			if string(raw) != `{"a":1}` {
				t.Errorf("%s: the line is %q", name, raw)
			}
			return nil
		})
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, detected := Detect(context.Background(), path)
		for _, err := range []error{err, detected} {
			if tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
				t.Errorf("%s: %v, want %s", name, err, tt.wrong)
			}
		}
		if tt.wrong == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
