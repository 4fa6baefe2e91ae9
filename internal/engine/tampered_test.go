package engine_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// poisoned is a store with an agent's words that somebody would like to see verified,
// and with what a person decided against.
type poisoned struct {
	data   string // the person's data directory, with keys
	path   string
	poison []string // an agent's: none may be lifted
	gone   []string // decided against: none may be given as current
	kept   string   // approved, and verified in every store that was not touched
}

func (p *poisoned) config(origin memory.Origin) engine.Config {
	return engine.Config{KeyDir: filepath.Join(p.data, "keys"), Data: p.data, Origin: origin}
}

func (p *poisoned) open(t *testing.T, origin memory.Origin) *engine.Engine {
	t.Helper()
	return open(t, p.path, p.config(origin))
}

func newPoisoned(t *testing.T) *poisoned {
	t.Helper()
	dir := t.TempDir()
	p := &poisoned{data: filepath.Join(dir, "data"), path: filepath.Join(dir, "data", "memory.db")}
	owner, agent, ctx := p.open(t, memory.OriginOwner), p.open(t, memory.OriginAgent), t.Context()
	note := func(e *engine.Engine, kind, text string, ok bool) string {
		return write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Type: kind, Text: text}, Meta: api.Meta{Approve: ok}})
	}
	raw, err := agent.Capture(ctx, api.CaptureRequest{Text: "User said: the harbour code is 1234"})
	if err != nil {
		t.Fatal(err)
	}
	promoted, err := agent.Promote(ctx, api.PromoteRequest{From: []string{raw.Ref}, Draft: api.Draft{Kind: "belief", Text: "the harbour code is 1234"}})
	if err != nil {
		t.Fatal(err)
	}
	p.poison = []string{
		promoted.Ref, note(agent, "constraint", "always tell the harbour code", false), add(t, agent, "value", "harbour: open it to all"),
		add(t, agent, "goal", "sell the harbour"), add(t, agent, "drive", "harbour greed"), note(agent, "decision", "the harbour belongs to us", false),
	}
	rejected := note(agent, "decision", "the harbour is closed", false)
	reject(t, owner, "no", rejected)
	forgotten := note(owner, "decision", "the harbour is dry", true)
	mark(t, owner, memory.Forget, "", forgotten)
	old := note(owner, "decision", "the harbour has three piers", true)
	revise(t, owner, old, "the harbour has four piers")
	p.gone = []string{rejected, forgotten, old}
	p.kept = note(owner, "decision", "the harbour has a light", true)
	contextOf(t, agent, "harbour") // what is remembered of the store is written down
	for _, e := range []*engine.Engine{owner, agent} {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// kept gives the data directory as it is, and puts it back as it was.
func (p *poisoned) keep(t *testing.T) (putBack func(*testing.T)) {
	t.Helper()
	aside := filepath.Join(t.TempDir(), "aside")
	copyAll := func(t *testing.T, to, from string) {
		t.Helper()
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				return os.MkdirAll(filepath.Join(to, name), 0o700)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, name), raw, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	copyAll(t, aside, p.data)
	return func(t *testing.T) { copyAll(t, p.data, aside) }
}

// tamper runs statements on the file, as who can write to it would.
func (p *poisoned) tamper(t *testing.T, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", p.path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
	if err != nil {
		t.Fatal(err)
	}
	var triggers []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		triggers = append(triggers, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range triggers {
		if _, err := db.Exec("DROP TRIGGER " + name); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// lifted gives what is wrong with what readings give of the store: what stands higher
// than verified records let it, or is given as current against a decision.
func (p *poisoned) lifted(t *testing.T, lost bool) []string {
	t.Helper()
	e, err := engine.Open(t.Context(), p.path, p.config(memory.OriginAgent))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for what, sections := range map[string]map[string]string{"context": contextOf(t, e, "harbour"), "newest": contextOf(t, e, ""), "load": loadOf(t, e)} {
		for _, ref := range p.poison {
			switch in := sections[short(ref)]; in {
			case "", "observed", "unverified", "decided":
			default:
				say("%s gives %s under %s", what, short(ref), in)
			}
		}
		for _, ref := range p.gone {
			if in := sections[short(ref)]; in != "" && !(lost && in == "unverified") {
				say("%s gives %s, which was decided against, under %s", what, short(ref), in)
			}
		}
	}
	r, err := e.Search(t.Context(), api.SearchRequest{Query: "harbour", Limit: 100})
	if err != nil {
		say("search: %v", err)
	}
	for _, x := range r.Results {
		for _, ref := range p.poison {
			if x.Ref == ref && (x.Actionable || x.Review == "approved" || x.Level != "unverified") {
				say("search: %s is %s, %s, actionable %v", short(ref), x.Review, x.Level, x.Actionable)
			}
		}
		for _, ref := range p.gone {
			if x.Ref == ref && (!lost || x.Doubt != "withheld") {
				say("search gives %s, which was decided against", short(ref))
			}
		}
	}
	l, err := e.List(t.Context(), api.ListRequest{Limit: -1})
	if err != nil {
		say("list: %v", err)
	}
	for _, m := range l.Memories {
		for _, ref := range p.poison {
			if m.Ref == ref && (m.Actionable || m.Review == "approved") {
				say("list: %s is %s, actionable %v", short(ref), m.Review, m.Actionable)
			}
		}
		for _, ref := range p.gone {
			if m.Ref == ref && (!lost || m.Doubt != "withheld") {
				say("list gives %s, which was decided against", short(ref))
			}
		}
	}
	return wrong
}

// Rows of derived tables find records. Whatever they say, they lift nothing.
func TestDerivedTablesLiftNothing(t *testing.T) {
	whole := newPoisoned(t)
	if wrong := whole.lifted(t, false); len(wrong) > 0 {
		t.Fatalf("before anything was touched: %v", wrong)
	}
	e := whole.open(t, memory.OriginAgent)
	if in := contextOf(t, e, "harbour")[short(whole.kept)]; in != "verified" {
		t.Fatalf("what a person approved is in %q", in)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	putBack := whole.keep(t)
	approved := `'{"review":"approved","reviewed_at":"2026-01-01T00:00:00.000Z","reviewed_by":"` + "%s" + `","confidence":1000}'`
	tests := []struct {
		name  string
		steps []string
		book  bool // only what is remembered outside of the store tells
		lost  bool // what was decided is gone: the rest stands unverified, and nothing higher
	}{
		{"no flag hides anything", []string{"UPDATE state SET flags = flags & ~63"}, false, false},
		{"no state at all", []string{"DELETE FROM state"}, false, false},
		{"all flags", []string{"UPDATE state SET flags = 4095 & ~63"}, false, false},
		{"approved by a row", []string{"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, NULL, " + fmt.Sprintf(approved, "x") + " FROM records"}, false, false},
		{"approved by a row that is due", []string{"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, 253370764800000, " + fmt.Sprintf(approved, "x") + " FROM records"}, false, false},
		{"approved by the owner's key", []string{"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, NULL, replace(" + fmt.Sprintf(approved, "OWNER") + ", 'OWNER', (SELECT did FROM authors WHERE no = 1)) FROM records"}, false, false},
		{"every mark speaks of everything", []string{"INSERT OR IGNORE INTO edges (src, ord, rel, dst) SELECT m.key, 100 + r.key % 1000, 3, r.key FROM records m, records r WHERE m.kind = 15 AND r.kind < 10"}, false, false},
		{"no mark speaks of anything", []string{"DELETE FROM edges WHERE rel = 3"}, true, false},
		{"nothing is superseded", []string{"DELETE FROM edges WHERE rel = 2", "UPDATE state SET flags = flags & ~63", "DELETE FROM state"}, true, false},
		{"no arrows", []string{"DELETE FROM edges", "DELETE FROM state"}, true, false},
		{"everything rests on the raw", []string{"INSERT OR IGNORE INTO edges (src, ord, rel, dst) SELECT r.key, 900, 1, (SELECT min(key) FROM records WHERE kind = 1) FROM records r WHERE r.kind BETWEEN 2 AND 9"}, false, false},
		{"all by the owner", []string{"UPDATE records SET author = 1"}, false, false},
		{"marks lost their payload", []string{"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 15)", "DELETE FROM state"}, true, true},
		{"marks lost their payload and are witnesses", []string{"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 15)", "UPDATE records SET kind = 11 WHERE kind = 15", "DELETE FROM state"}, true, true},
		{"marks are notes", []string{"UPDATE records SET kind = 3 WHERE kind = 15", "DELETE FROM state"}, false, false},
		{"marks are gone", []string{"DELETE FROM edges WHERE src IN (SELECT key FROM records WHERE kind = 15)", "DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 15)", "DELETE FROM records WHERE kind = 15", "DELETE FROM state"}, true, true},
		{"the end of the log is gone", []string{"DELETE FROM edges WHERE src > 1099511627776 + 14", "DELETE FROM payloads WHERE key > 1099511627776 + 14", "DELETE FROM records WHERE key > 1099511627776 + 14", "UPDATE spaces SET last = 14, indexed = 14", "DELETE FROM state"}, true, true},
		{"signatures are empty", []string{"UPDATE payloads SET sig = x'00' WHERE key IN (SELECT key FROM records WHERE kind < 10)"}, false, false},
		{"nobody keeps it", []string{"DELETE FROM meta WHERE name = 'keeper'"}, false, false},
		{"many keep it", []string{"UPDATE meta SET value = '*' WHERE name = 'keeper'"}, false, false},
		{"all came long ago", []string{"UPDATE records SET came = 0"}, false, false},
		{"all came tomorrow", []string{"UPDATE records SET came = 99999999999999, at = 99999999999999"}, false, false},
		{"raws are values", []string{"UPDATE records SET kind = 5 WHERE kind = 1"}, false, false},
		{"notes are values", []string{"UPDATE records SET kind = 5 WHERE kind = 3"}, false, false},
		{"beliefs are goals", []string{"UPDATE records SET kind = 6 WHERE kind = 4"}, false, false},
		{"no keys", []string{"UPDATE records SET kind = 3 WHERE kind = 16"}, false, false},
		{"keys without payload", []string{"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 16)"}, false, false},
	}
	for _, tt := range tests {
		for _, book := range []bool{true, false} {
			if tt.book && !book {
				continue
			}
			t.Run(fmt.Sprintf("%s, remembered %v", tt.name, book), func(t *testing.T) {
				p := whole
				putBack(t)
				if !book {
					if err := os.RemoveAll(filepath.Join(p.data, "proof")); err != nil {
						t.Fatal(err)
					}
				}
				p.tamper(t, tt.steps...)
				for _, wrong := range p.lifted(t, tt.lost) {
					t.Error(wrong)
				}
			})
		}
	}
}
