//go:build !race

package audit

import (
	"bytes"
	"github.com/stemma-memory/stemma/audit/report"
	"testing"
)

// More than may be on its way is taken in in its order, and what is wrong in it is
// told of the line where it stands.
func TestFlowOrder(t *testing.T) {
	const n = maxBatches*batchLines + 3*batchLines + 1
	raw, _ := manyRecords(t, n)
	r := audit(t, raw, Options{})
	if r.Exit() != report.ExitOK || r.Counts[report.OK] != n+2 {
		// out of order, the root is another
		t.Fatalf("%d of %d are fine, exit %d: %s", r.Counts[report.OK], n+2, r.Exit(), show(r))
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	wrong := []int{2, 500, n}
	for _, at := range wrong {
		lines[at-1] = []byte("{}\n")
	}
	r = audit(t, bytes.Join(lines, nil), Options{Offenders: n})
	var got []int
	for _, f := range r.Offenders {
		if f.Status == report.BadEnvelope {
			got = append(got, f.Line)
		}
	}
	if len(got) != len(wrong) || got[0] != wrong[0] || got[1] != wrong[1] || got[2] != wrong[2] {
		t.Errorf("bad lines %v, want %v", got, wrong)
	}
}

func TestALineWithoutEndIsPassedOver(t *testing.T) {
	s := newScene(t)
	ada := s.owner(1, "Ada")
	long := bytes.Repeat([]byte("x"), maxEnvelope+1)
	s.lines = append(s.lines, entry{raw: long})
	s.add(ada, words("after it"))
	r := s.audit(Options{})
	if r.Counts[report.OK] != 2 || r.Counts[report.BadEnvelope] != 1 || r.Offenders[0].Line != 2 ||
		r.Offenders[0].Why != errTooLong.Error() {
		t.Errorf("%s", show(r))
	}
	s.lines = append(s.lines, entry{raw: long})
	if r := audit(t, bytes.TrimSuffix(s.bundle(), []byte("\n")), Options{}); r.Counts[report.BadEnvelope] != 2 ||
		r.Statements != 4 {
		t.Errorf("at the end: %s", show(r))
	}
	// The greatest record there is still fits.
	s = newScene(t)
	ada = s.owner(1, "Ada")
	s.add(ada, words(string(bytes.Repeat([]byte("\x01"), 1<<20)))) // six bytes each, escaped
	if r := s.audit(Options{}); r.Exit() != report.ExitOK {
		t.Errorf("a great record: %s", show(r))
	}
}
