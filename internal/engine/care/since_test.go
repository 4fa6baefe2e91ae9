package care_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// An audit goes on from the last clean one, says what it covered, and does not see what was done to
// older bytes. What it goes on from, it proves.
func TestAuditSince(t *testing.T) {
	t.Parallel()
	p := newPoisoned(t)
	if r := p.Since(t); r.Exit != 0 || r.Since.Why == "" || r.Since.Checked != r.Since.Records {
		t.Errorf("the first: exit %d, %+v", r.Exit, r.Since)
	}
	n := p.Since(t).Since.Records
	p.More(t, "the lighthouse is white")
	r := p.Since(t)
	s := r.Since
	// two of the statements are about keys
	if r.Exit != 0 || r.Statements != 3 || s.Why != "" || s.Checked != 1 || s.Records != n+1 || s.At.IsZero() {
		t.Errorf("one more: exit %d of %d statements, %+v", r.Exit, r.Statements, s)
	}
	if r := p.Since(t); r.Exit != 0 || r.Since.Checked != 0 || r.Since.Records != n+1 {
		t.Errorf("none more: exit %d, %+v", r.Exit, r.Since)
	}
	const older = "UPDATE payloads SET bytes = " +
		"CAST(replace(CAST(bytes AS TEXT), 'code is 1234', 'code is 4321') AS BLOB) WHERE key = " +
		"(SELECT min(key) FROM records WHERE kind = 1)"
	p.Tamper(t, older)
	if r := p.Since(t); r.Exit != 0 || r.Since.Why != "" {
		t.Errorf("older bytes were changed: exit %d, %+v", r.Exit, r.Since)
	}
	if r := p.Whole(t); r.Exit != 1 {
		t.Error("an audit of all does not see that older bytes were changed")
	}
	if r := p.Since(t); r.Exit != 1 || r.Since.Why != "no clean check is remembered" {
		t.Errorf("after one that found something: exit %d, %+v", r.Exit, r.Since)
	}
	p.Tamper(t, strings.NewReplacer("1234", "4321", "4321", "1234").Replace(older))
	if r := p.Whole(t); r.Exit != 0 {
		t.Errorf("bytes that were put right: exit %d", r.Exit)
	}
	p.More(t, "the lighthouse is tall")
	p.Tamper(t, "UPDATE payloads SET bytes = CAST(replace(CAST(bytes AS TEXT), 'is tall', 'is tiny') AS BLOB)")
	if r := p.Since(t); r.Exit != 1 || r.Since.Why != "a problem was found" {
		t.Errorf("newer bytes were changed: exit %d, %+v", r.Exit, r.Since)
	}
}

func TestAuditSinceReadsAll(t *testing.T) {
	t.Parallel()
	clean := func(p *poisoned) string {
		found, err := filepath.Glob(filepath.Join(p.Data, "proof", "*", "clean-audit"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		return found[0]
	}
	for what, c := range map[string]struct {
		change func(t *testing.T, p *poisoned)
		why    string
	}{
		"another id": {func(t *testing.T, p *poisoned) {
			p.Tamper(t, "UPDATE records SET id = CAST('0123456789abcdef0123456789abcdef' AS BLOB) WHERE key = "+
				"(SELECT min(key) + 3 FROM records)")
		}, "is not the one that was checked"},
		"a key as another kind": {func(t *testing.T, p *poisoned) {
			p.Tamper(t, "UPDATE records SET kind = (SELECT max(kind) FROM records WHERE kind < 100) WHERE key = "+
				"(SELECT min(key) FROM records)")
		}, "is not the one that was checked"},
		"fewer records": {func(t *testing.T, p *poisoned) {
			p.Tamper(t, "DELETE FROM records WHERE key = (SELECT max(key) FROM records)",
				"UPDATE spaces SET last = last - 1")
		}, "fewer records"},
		"a new key": {func(t *testing.T, p *poisoned) {
			e := p.Open(t, memory.OriginOwner)
			defer e.Close()
			if _, err := e.KeyRecovery(t.Context(), api.Nothing{}); err != nil {
				t.Fatal(err)
			}
		}, "a record about keys came since"},
		"a note by another hand": {func(t *testing.T, p *poisoned) {
			raw, err := os.ReadFile(clean(p))
			if err != nil {
				t.Fatal(err)
			}
			raw = []byte(strings.Replace(string(raw), `"at":"2`, `"at":"1`, 1))
			if err := os.WriteFile(clean(p), raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "changed by another program"},
		"no note": {func(t *testing.T, p *poisoned) {
			if err := os.Remove(clean(p)); err != nil {
				t.Fatal(err)
			}
		}, "no clean check is remembered"},
	} {
		t.Run(what, func(t *testing.T) {
			p := newPoisoned(t)
			if r := p.Whole(t); r.Exit != 0 {
				t.Fatalf("at first: exit %d", r.Exit)
			}
			c.change(t, p)
			if r := p.Since(t); !strings.Contains(r.Since.Why, c.why) || r.Since.Checked != r.Since.Records {
				t.Errorf("%+v, want %q", r.Since, c.why)
			}
		})
	}
	p := newPoisoned(t)
	if _, err := p.Open(t, memory.OriginOwner).Audit(
		t.Context(), api.AuditRequest{Since: true, Ref: p.Kept},
	); err == nil {
		t.Error("since with one record is taken")
	}
}

// A doctor goes on from its last clean run, and looks at everything where something is found.
func TestDoctorSince(t *testing.T) {
	t.Parallel()
	p := newPoisoned(t)
	since := func() api.DoctorReply {
		t.Helper()
		e := p.Open(t, memory.OriginOwner)
		defer e.Close()
		r, err := e.Doctor(t.Context(), api.DoctorRequest{Since: true})
		if err != nil || r.Since == nil {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	first := since()
	if len(first.Problems) > 0 || first.Since.Why == "" || int(first.Since.Checked) != first.Records {
		t.Errorf("the first: %v, %+v", first.Problems, first.Since)
	}
	p.More(t, "the lighthouse is white")
	r := since()
	if s := r.Since; len(r.Problems) > 0 || r.Records != 1 || s.Why != "" || s.Checked != 1 ||
		s.Records != first.Since.Records+1 {
		t.Errorf("one more: %v of %d records, %+v", r.Problems, r.Records, s)
	}
	derived := func(statement string) { // in a table that no trigger keeps
		t.Helper()
		db, err := sql.Open("sqlite", p.Path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	derived("DELETE FROM state WHERE key = (SELECT min(key) FROM state)")
	if r := since(); len(r.Problems) > 0 || r.Since.Checked != 0 {
		t.Errorf("a table says another thing of an older record: %v, %+v", r.Problems, r.Since)
	}
	p.More(t, "the lighthouse is tall")
	derived("INSERT INTO state (key, flags) SELECT max(key), 2 FROM records")
	if r := since(); len(r.Problems) < 2 || r.Since.Why == "" || r.Since.Checked != r.Since.Records {
		t.Errorf("a table says another thing of a newer record: %v, %+v", r.Problems, r.Since)
	}
	derived("DELETE FROM state WHERE key = (SELECT max(key) FROM records)")
	if r := since(); len(r.Problems) == 0 || r.Since.Why != "no clean check is remembered" {
		t.Errorf("after one that found something: %v, %+v", r.Problems, r.Since)
	}
	e := p.Open(t, memory.OriginOwner)
	if _, err := e.Doctor(t.Context(), api.DoctorRequest{Since: true, Repair: true}); err == nil {
		t.Error("since with a repair is taken")
	}
}
