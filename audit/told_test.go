package audit

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/audit/report"
)

// The report of a bundle has the words of each line that holds, and none of one that does not, and who decided about
// it.
func TestLinesSayWhatWasVerified(t *testing.T) {
	good, err := os.ReadFile("testdata/bundle.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	told := func(bundle []byte, most int) report.Report {
		t.Helper()
		r, err := Bundle(t.Context(), bytes.NewReader(bundle), Options{Lines: most})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := told(good, 0); len(r.Lines) != 0 || r.LinesMore != 0 {
		t.Errorf("no lines were asked for: %d, %d more", len(r.Lines), r.LinesMore)
	}
	all := told(good, -1)
	if len(all.Lines) != all.Statements || all.LinesMore != 0 {
		t.Errorf("%d lines of %d statements, %d more", len(all.Lines), all.Statements, all.LinesMore)
	}
	purges := 0
	for _, l := range all.Lines {
		if (l.Words != "") != (l.Status == report.OK) {
			t.Errorf("line %d is %s and says %q", l.Line, l.Status, l.Words)
		}
		for _, d := range l.Decisions {
			if l.Status == report.Erased && d.Act == "purge" && d.Author != "" {
				purges++
			}
		}
	}
	if purges == 0 {
		t.Error("no line says who purged it")
	}
	if r := told(good, 2); len(r.Lines) != 2 || r.LinesMore != all.Statements-2 {
		t.Errorf("%d lines, %d more; two were asked for", len(r.Lines), r.LinesMore)
	}
	last := all.Lines[len(all.Lines)-1]
	lines := strings.SplitAfter(string(good), "\n")
	lines[last.Line-1] = strings.Replace(lines[last.Line-1], `"sig":"`, `"sig":"AAAA`, 1)
	for _, l := range told([]byte(strings.Join(lines, "")), -1).Lines {
		if l.Line == last.Line {
			t.Errorf("line %d has a bad signature, and %q is told of it", l.Line, l.Words)
		}
	}
}
