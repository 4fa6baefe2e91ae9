package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mostBehindClient is how many packages a program links that asks a server and no more.
const mostBehindClient = 200

// tooHeavy finds the packages that a client has no use for: the engine and databases.
func tooHeavy(packages []string) []string {
	return slices.DeleteFunc(slices.Clone(packages), func(path string) bool {
		dir, own := ours(path)
		engine := own && (dir == "." || under(dir, "internal/engine", "internal/store"))
		database := strings.HasPrefix(path, "modernc.org/") || strings.Contains(path, "/pgx") || path == "database/sql"
		return !engine && !database
	})
}

func TestAClientLinksNoEngine(t *testing.T) {
	files(t) // the result holds only as long as these stay the same
	list := exec.Command("go", "list", "-deps", "./client")
	list.Dir = root(t)
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, module+"/api") {
		t.Fatalf("%q is not what the client links", packages)
	}
	if heavy := tooHeavy(packages); len(heavy) > 0 {
		t.Errorf("the client links %s", strings.Join(heavy, ", "))
	}
	if len(packages) > mostBehindClient {
		t.Errorf("the client links %d packages, at most %d", len(packages), mostBehindClient)
	}
}

// unlinked are packages that the command does without, and what they would add to it.
var unlinked = map[string]string{
	"github.com/jackc/pgx/v5": "it keeps every type of PostgreSQL, 2.9 MB: internal/store/postgres has ours",
	"html/template":           "a program that has it keeps every exported method: 3 MB",

	module + "/internal/lab":   "measuring is a program of its own, stemma-lab",
	module + "/internal/eval":  "measuring is a program of its own, stemma-lab",
	module + "/internal/loop":  "measuring is a program of its own, stemma-lab",
	module + "/internal/bench": "measuring is a program of its own, stemma-lab",
}

func TestTheCommandIsLight(t *testing.T) {
	files(t) // the result holds only as long as these stay the same
	list := exec.Command("go", "list", "-deps", "./cmd/stemma")
	list.Dir = root(t)
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "github.com/jackc/pgx/v5/pgconn") {
		t.Fatalf("%q is not what the command links", packages)
	}
	for path, why := range unlinked {
		if slices.Contains(packages, path) {
			t.Errorf("the command links %s: %s", path, why)
		}
	}
}

func TestTooHeavy(t *testing.T) {
	for path, want := range map[string]bool{
		module:                              true,
		module + "/internal/engine":         true,
		module + "/internal/engine/core":    true,
		module + "/internal/store/sqlstore": true,
		"modernc.org/sqlite":                true,
		"github.com/jackc/pgx/v5":           true,
		"github.com/jackc/pgx/v5/pgconn":    true,
		"database/sql":                      true,
		module + "/api":                     false,
		module + "/memory":                  false,
		module + "/internal/canon":          false,
		"net/http":                          false,
	} {
		if got := len(tooHeavy([]string{path})) > 0; got != want {
			t.Errorf("tooHeavy(%s) = %v, want %v", path, got, want)
		}
	}
}
