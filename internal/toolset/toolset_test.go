package toolset_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/toolset"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

// The script that frameworks are tested with ends as it says it does.
func TestScript(t *testing.T) {
	e, err := engine.Open(t.Context(), t.TempDir()+"/memory.db", engine.Config{Databases: sqlstore.Databases{}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var answers []string
	for {
		turn, err := toolsettest.Next(answers)
		if err != nil {
			t.Fatal(err)
		}
		if turn.Tool == "" {
			if turn.Text != toolsettest.Answered {
				t.Errorf("it said %q, want %q; the calls were answered %q", turn.Text, toolsettest.Answered, answers)
			}
			return
		}
		answer, err := toolset.Do(t.Context(), e, turn.Tool, []byte(turn.Arguments))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
}

// A call is read as what the caller means, and what it must not say is refused; what is wrong with it otherwise, the
// operation says.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ op, in, want, wrong string }{
		{"remember", `null`, `{"source":"mcp"}`, ""},
		{"remember", ``, `{"source":"mcp"}`, ""},
		{"remember", `{"text":"x"}`, `{"source":"mcp","text":"x"}`, ""},
		{"remember", `{"text":"x","verbose":true}`, `{"source":"mcp","text":"x"}`, ""},
		{"remember", `{"text":"x","Session":"s"}`, "", "Session is not the caller's to say"},
		{"remember", `{"text":"x","text":"y"}`, "", "remember: "},
		{"remember", `["x"]`, "", "the arguments must be an object"},
		{"remember", `{"text":`, "", "remember: "},
		{"promote", `null`, `null`, ""},
		{"promote", `{"blob":"x"}`, "", "blob is not the caller's to say"},
		{"recall", `null`, `{"form":"short"}`, ""},
		{"recall", `{"query":"x"}`, `{"form":"short","query":"x"}`, ""},
		{"recall", `{"query":"x","form":"text"}`, `{"query":"x","form":"text"}`, ""},
		{"recall", `{"query":"x","verbose":true}`, `{"query":"x"}`, ""},
		{"recall", `{"query":"x","verbose":"yes"}`, "", "recall: verbose: must be true or false"},
		{"recall", `["x"]`, `["x"]`, ""},
		{"why", `{"memory_id":"12ab","memory_type":"note"}`, `{"ref":"note:12ab"}`, ""},
		{"why", `{"memory_id":"12ab","ref":"note:12ab"}`, "", "means the same as ref"},
		{"search", `{"query":"x","verbose":true}`, `{"query":"x","verbose":true}`, ""},
	} {
		op, _ := ops.Find(tt.op)
		c, err := toolset.Read(op, []byte(tt.in), "mcp")
		switch {
		case tt.wrong != "":
			if err == nil || !strings.Contains(err.Error(), tt.wrong) || c == nil {
				t.Errorf("%s %s: %v, want that %s", tt.op, tt.in, err, tt.wrong)
			}
		case err != nil || string(c.Args) != tt.want:
			t.Errorf("%s %s: %s, %v, want %s", tt.op, tt.in, c.Args, err, tt.want)
		}
	}
}

// Only the six are tools.
func TestOtherOperationsAreNoTools(t *testing.T) {
	for _, name := range []string{"approve", "purge", "search", "no_such", ""} {
		if got, err := toolset.Do(t.Context(), nil, name, nil); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
