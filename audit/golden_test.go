package audit

import (
	"bytes"
	"github.com/stemma-memory/stemma/audit/report"
	"os"
	"testing"
)

// The bundle in testdata is newPlay's, and is never made again: what was once
// signed must verify for ever.
func TestABundleThatWasWrittenBefore(t *testing.T) {
	raw, err := os.ReadFile("testdata/bundle.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if r := audit(t, raw, Options{}); r.Exit() != report.ExitOK || r.Statements != 11 || len(r.Logs) != 2 {
		t.Errorf("%s", show(r))
	}
	if !bytes.Equal(raw, newPlay(t).bundle()) {
		t.Error("the bundle of the tests is no longer what it was: is what was signed before signed otherwise now?")
	}
}
