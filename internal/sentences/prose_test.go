package sentences_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/sentences"
)

// What states nothing by its form is no prose: code, logs, items of lists and questions.
func TestProse(t *testing.T) {
	for text, want := range map[string]bool{
		"Ada lives in Rome.": true, "The port is 8080 (since May).": true, "Das Backup läuft um 2:30 Uhr.": true,
		"2026-01-10: 412 tests pass.": true, "The grammar is LL, Ada says.": true,
		"Where does Ada live?": false, "¿Dónde vive Diego?": false, "const port = 8080": false, "return nil;": false,
		"- milk": false, "1. open the app": false, "[x] call Ada": false, "| api | 8080 |": false,
		"2026-03-02T08:14:01Z INFO ready": false, "[12:01:44] server up": false, "WARN disk full": false,
		"postgres[91]: checkpoint complete": false, "": false, "# Minutes": false, "$ ls": false,
	} {
		if got := sentences.Prose(text); got != want {
			t.Errorf("Prose(%q) = %v, want %v", text, got, want)
		}
	}
}
