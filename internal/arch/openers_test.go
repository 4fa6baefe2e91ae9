package arch

import (
	"fmt"
	"slices"
	"testing"
)

const databases = "internal/store/sqlstore"

// openers hand databases to the engine. An edit there builds these again, with what imports them, and nothing
// of the engine.
var openers = []string{".", "internal/cli", "internal/lab", "internal/bench", "internal/engine/enginetest"}

// lent are rooms of databases that another package may import.
var lent = map[string][]string{
	"internal/store/sqlstore/foreign": {"internal/importers"}, // it reads files of other programs, and no store
}

// opens says what is wrong with one package importing another, or "".
func opens(from, to string) string {
	if !under(to, databases) || under(from, databases) || slices.Contains(openers, from) ||
		slices.Contains(lent[to], from) {
		return ""
	}
	return fmt.Sprintf("%s imports %s: take store.Databases from who opens the store", from, to)
}

func TestFewOpenDatabases(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, path := range s.imports() {
			to, ok := ours(path)
			if !ok {
				continue
			}
			if wrong := opens(s.dir(), to); wrong != "" {
				t.Errorf("%s: %s", s.name, wrong)
			}
			found[s.dir()] = found[s.dir()] || to == databases
		}
	}
	for _, dir := range openers {
		if !found[dir] {
			t.Errorf("%s opens no database: it needs no exception", dir)
		}
	}
}

func TestTheRuleOfOpenersBites(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		bites    bool
	}{
		{"internal/engine/core", "internal/store/sqlstore", true},
		{"internal/engine/care", "internal/store/sqlstore/session", true},
		{"internal/importers", "internal/store/sqlstore", true},
		{"internal/engine/care", "internal/store/sqlstore/foreign", true},
		{"internal/importers", "internal/store/sqlstore/foreign", false},
		{"internal/cli", "internal/store/sqlstore", false},
		{"internal/store/sqlstore/foreign", "internal/store/sqlstore/session", false},
		{"internal/engine/core", "internal/store", false},
	} {
		if wrong := opens(tt.from, tt.to); (wrong != "") != tt.bites {
			t.Errorf("%s imports %s: the rule says %q", tt.from, tt.to, wrong)
		}
	}
}
