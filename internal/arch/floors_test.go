package arch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// floors says how high each package stands. A package imports only what stands
// lower; packages on one floor do not know each other. Tests may import as they
// like.
var floors = map[string]int{
	"cmd/stemma": 9,

	"scripts/release":  9, // packs what a release has
	"scripts/modproxy": 9, // serves go install from the tree

	"internal/serve": 8, // the faces of machines and the page, in one process

	"internal/cli":       7,
	"internal/mcpserver": 7,
	"internal/httpapi":   7,
	"internal/web":       7,

	"internal/hub":       6,
	"internal/ops":       6,
	"internal/importers": 6,
	"internal/eval":      6,
	"internal/settings":  6,
	"internal/hosts":     6,
	"internal/follow":    6,
	"internal/browse":    6,
	"client":             6,

	".":                5, // package stemma, the engine
	"internal/carrier": 5,

	"audit":                   4,
	"internal/store/memstore": 4,
	"internal/store/sqlstore": 4,
	"internal/store/shelves":  4,
	"internal/store/door":     4,
	"internal/hub/client":     5,
	"internal/peer":           4,

	"internal/store":           3,
	"internal/envelope":        3,
	"internal/anchor":          3,
	"internal/store/storetest": 3,
	"internal/model/openai":    3,
	"internal/model/ollama":    3,
	"internal/model/anthropic": 3,
	"internal/model/static":    3,

	"internal/model/static/statictest": 2,
	"internal/model/remote":            2,

	"internal/keys":      2,
	"internal/access":    2,
	"internal/owned":     2,
	"internal/layout":    2,
	"internal/lineage":   2,
	"internal/proof":     2,
	"internal/trust":     2,
	"internal/svg":       3,
	"internal/anamnesis": 2,
	"internal/prov":      2,
	"internal/index":     2,
	"internal/rank":      2,
	"internal/salience":  2,
	"internal/pack":      2,
	"internal/code":      2,
	"internal/evolve":    2,
	"internal/extract":   2,
	"internal/markdown":  2,

	"memory":           1,
	"internal/seal":    1,
	"internal/tracing": 1,
	"internal/metrics": 1,

	"internal/capacity": 0,
	"internal/canon":    0,
	"internal/otlp":     0,
	"internal/ledger":   0,
	"internal/secrets":  0,
	"internal/words":    0,
	"internal/when":     0,
	"internal/git":      0,
	"internal/near":     0,
	"internal/beside":   0,
	"internal/live":     0,
	"internal/durable":  0,
	"internal/symbol":   0,
	"internal/vec":      0,
	"internal/journal":  0,
	"llm":               0,
	"internal/spool":    0,
	"internal/plain":    0,
	"internal/lazy":     0,
	"internal/strict":   0,
	"internal/arch":     0,
}

// excepted are imports the floors forbid and we want. storetest is a test suite
// that other packages' tests call, so it is no _test file but imports like one.
var excepted = map[string][]string{
	"internal/store/storetest": {"internal/store", "internal/keys", "internal/store/memstore"},
}

// judge says what is wrong with one package importing another, or "".
func judge(from, to string) string {
	low, known := floors[to]
	if !known {
		return fmt.Sprintf("%s is on no floor: add it to floors", to)
	}
	if high := floors[from]; low >= high && !slices.Contains(excepted[from], to) {
		return fmt.Sprintf("%s (floor %d) imports %s (floor %d)", from, high, to, low)
	}
	return ""
}

// ours gives the directory of an import path of this module.
func ours(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestImportsGoDownTheFloors(t *testing.T) {
	homeless := map[string]bool{}
	for _, s := range sources(t) {
		if _, known := floors[s.dir()]; !known {
			homeless[s.dir()] = true
			continue
		}
		if s.isTest() {
			continue
		}
		for _, path := range s.imports() {
			to, ok := ours(path)
			if !ok {
				continue
			}
			if wrong := judge(s.dir(), to); wrong != "" {
				t.Errorf("%s: %s", s.name, wrong)
			}
		}
	}
	for dir := range homeless {
		t.Errorf("%s is on no floor: add it to floors", dir)
	}
}

func TestJudge(t *testing.T) {
	tests := []struct{ from, to, want string }{
		{"cmd/stemma", "internal/cli", ""},
		{"memory", "internal/canon", ""},
		{"internal/store/storetest", "internal/store/memstore", ""},
		{"internal/store", "internal/cli", "internal/store (floor 3) imports internal/cli (floor 7)"},
		{"internal/cli", "internal/web", "internal/cli (floor 7) imports internal/web (floor 7)"},
		{"internal/keys", "internal/store/memstore", "internal/keys (floor 2) imports internal/store/memstore (floor 4)"},
		{".", "internal/util", "internal/util is on no floor: add it to floors"},
	}
	for _, tt := range tests {
		if got := judge(tt.from, tt.to); got != tt.want {
			t.Errorf("judge(%q, %q) = %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}
