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
	"cmd/stemma":     90,
	"cmd/stemma-lab": 90,

	"internal/lab": 75, // measures, with a command line of its own

	"clients/verifier": 90, // the page that checks bundles

	"scripts/release":  90, // packs what a release has
	"scripts/modproxy": 90, // serves go install from the tree
	"scripts/talk":     90, // writes conversations to measure with
	"scripts/watched":  90, // names what the race detector watches
	"scripts/turns":    90, // compares two programs

	"internal/serve": 80, // the faces of machines and the page, in one process

	"internal/cli":       70,
	"internal/mcpserver": 70,
	"internal/httpapi":   70,
	"internal/web":       70,
	"internal/loop":      71, // plays agents against the command line
	"internal/bench":     72,

	"internal/hub":       60,
	"internal/importers": 62,
	"internal/eval":      60,
	"internal/eval/made": 61,

	"internal/tokens/vocabularies": 60, // a module of its own, which compares and makes the tables

	"embed/minilm":      40, // a model in the box, which only the command links
	"embed/minilm/make": 90, // makes its weights

	"internal/settings": 60,
	"internal/hosts":    60,
	"internal/follow":   60,
	"internal/work":     65,
	"client":            60,

	".": 57, // package stemma, the face of the library

	"internal/toolset": 56, // what models call, for the library and for MCP
	"internal/ops":     55,

	"internal/toolset/toolsettest": 55, // a model for tests of agent frameworks

	// modules of their own, for agent frameworks
	"integrations/eino":        90,
	"integrations/langchaingo": 90,
	"integrations/genkit":      90,

	"internal/engine/enginetest": 53, // what the tests of the rooms share

	// the rooms of the engine
	"internal/engine":           52,
	"internal/engine/care":      51,
	"internal/engine/attest":    50,
	"internal/engine/mind":      50,
	"internal/engine/gone":      49,
	"internal/engine/recall":    48,
	"internal/engine/exchange":  48,
	"internal/engine/folder":    48,
	"internal/engine/intake":    47,
	"internal/engine/lifecycle": 46,
	"internal/engine/removal":   46,
	"internal/engine/keyring":   45,
	"internal/engine/views":     45,
	"internal/engine/standing":  44,
	"internal/engine/receipts":  43,
	"internal/engine/trust":     42,
	"internal/engine/core":      41,

	"internal/carrier": 51,

	"audit":                   40,
	"internal/store/memstore": 39,
	"internal/store/sqlstore": 40,
	"internal/store/both":     40,

	"internal/store/sqlstore/hubstore": 41,
	"internal/store/sqlstore/fences":   37,
	"internal/store/sqlstore/foreign":  36,
	"internal/store/sqlstore/lists":    36,
	"internal/store/sqlstore/nearest":  37,
	"internal/store/sqlstore/salvage":  36,
	"internal/store/sqlstore/session":  35,
	"internal/store/sqlstore/sums":     35,
	"internal/store/sqlstore/codec":    34,
	"internal/store/sqlstore/convert":  36,

	"internal/store/door": 40,
	"internal/hub/client": 51,
	"internal/hub/signin": 50,

	"internal/hub/signin/signintest": 50, // an OpenID provider for tests

	"internal/peer": 40,

	"internal/store":           30,
	"internal/store/postgres":  30,
	"internal/envelope":        30,
	"internal/anchor":          30,
	"internal/store/storetest": 30,
	"internal/model/openai":    30,
	"internal/model/ollama":    30,
	"internal/model/anthropic": 30,
	"internal/model/static":    30,
	"internal/model/bert":      30,

	"internal/model/tokenizer":         20,
	"internal/model/safetensors":       20,
	"internal/model/static/statictest": 20,
	"internal/model/remote":            20,

	"internal/keys":    20,
	"internal/access":  20,
	"internal/owned":   20,
	"internal/layout":  20,
	"internal/lineage": 20,
	"internal/ext":     19,
	"internal/proof":   20,
	"internal/quoting": 20, // which words of records texts give
	"internal/trust":   20,
	"internal/svg":     30,
	"internal/outside": 20,
	"internal/project": 21,

	"internal/outside/outsidetest": 20,

	"internal/anamnesis": 20,
	"internal/prov":      20,
	"internal/index":     20,
	"internal/bearing":   20,
	"internal/rank":      20,
	"internal/salience":  20,
	"internal/brief":     21,

	"internal/pack":     20,
	"internal/blame":    20,
	"internal/code":     20,
	"internal/evolve":   20,
	"internal/touch":    21,
	"internal/clauses":  21,
	"internal/extract":  20,
	"internal/markdown": 20,

	"api":                15,
	"internal/graph":     12,
	"internal/state":     15,
	"audit/report":       5,
	"internal/decisions": 5,
	"llm":                5,
	"internal/model":     10,
	"internal/model/sim": 15,
	"llm/llmtest":        20,
	"memory":             10,
	"internal/seal":      10,
	"internal/tracing":   10,
	"internal/metrics":   10,

	"internal/canon":    0,
	"internal/otlp":     0,
	"internal/ledger":   0,
	"internal/ownwords": 0,
	"internal/secrets":  1,
	"internal/media":    0,
	"internal/words":    0,
	"internal/probes":   0,
	"internal/tokens":   1,
	"internal/git":      0,
	"internal/shorten":  0,
	"internal/datasets": 0,
	"internal/beside":   0,
	"internal/live":     0,
	"internal/durable":  1,
	"internal/symbol":   1,
	"internal/vec":      0,
	"internal/journal":  2,
	"internal/atrest":   1,
	"internal/plain":    0,
	"internal/lazy":     0,
	"internal/sorting":  0,
	"internal/strict":   0,
	"internal/arch":     0,

	"internal/sentences":    0,
	"internal/arch/mutants": 10,
	"internal/arch/returns": 10,
	"internal/arch/typed":   0,
	"internal/tokens/table": 0,
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

// ours returns the directory of an import path of this module.
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
		{"internal/store", "internal/cli", "internal/store (floor 30) imports internal/cli (floor 70)"},
		{"internal/cli", "internal/web", "internal/cli (floor 70) imports internal/web (floor 70)"},
		{"internal/keys", "internal/store/memstore", "internal/keys (floor 20) imports internal/store/memstore (floor 39)"},
		{".", "internal/util", "internal/util is on no floor: add it to floors"},
	}
	for _, tt := range tests {
		if got := judge(tt.from, tt.to); got != tt.want {
			t.Errorf("judge(%q, %q) = %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}
