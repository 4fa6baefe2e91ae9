package mcpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/ops"
)

var update = flag.Bool("update", false, "write the definitions of the tools anew")

// The definitions that are shipped are those the operations give today: every text
// in them is a constant of this package or of the table, or a tag of a type.
func TestDefinitionsAreTrue(t *testing.T) {
	for size, file := range map[string]string{Core: "../toolset/core.json", Full: "definitions/full.json"} {
		want, err := defined(size)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the operations say (%v); run go test ./internal/mcpserver -update", file, err)
		}
	}
}

// What a host puts before a model in every conversation is bounded.
func TestDefinitionsAreShort(t *testing.T) {
	for _, tt := range []struct {
		size        string
		tools, most int
	}{{Core, 6, 4500}, {Full, len(ops.All), 39200}} {
		text, n := answered(t, tt.size)
		t.Logf("%s: %d tools, %d characters", tt.size, n, len([]rune(text)))
		if n > tt.tools || len([]rune(text)) > tt.most {
			t.Errorf(
				"%s: %d tools of %d characters, at most %d of %d are allowed", tt.size, n, len([]rune(text)),
				tt.tools, tt.most,
			)
		}
	}
}

// answered returns the tools of a set as a client is sent them.
func answered(t *testing.T, size string) (string, int) {
	t.Helper()
	list, err := connect(t, Options{Tools: size}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), len(list.Tools)
}

// Every operation is listed, a person's, or knowingly left out.
func TestNoOperationIsForgotten(t *testing.T) {
	const programs = "jobs infer_provenance replay embed forget_run ask_witness answer_witness witness_requests " +
		"anchor_line check_anchors audit checkpoint " +
		"anchor prove check_log keys key_show key_export_public stats doctor quarantine run_jobs remotes " +
		"remote_members remote_view remote_compare sync"
	const describedByOthers = "provenance trust reputation derived sources from_raw raw_sources"
	has := make(map[string]int)
	for _, l := range tools {
		has[l.op]++
	}
	for op := range persons {
		has[op]++
	}
	for _, op := range strings.Fields(programs + " " + describedByOthers) {
		has[op]++
	}
	for _, op := range ops.All {
		if has[op.Name] != 1 {
			t.Errorf("operation %s is named %d times, want once", op.Name, has[op.Name])
		}
		delete(has, op.Name)
	}
	for name := range has {
		t.Errorf("there is no operation %s", name)
	}
}

// A host is told of each tool whether it writes, as the table says.
func TestHintsAreTrue(t *testing.T) {
	for _, l := range tools {
		op, _ := ops.Find(l.op)
		d, err := define(l)
		if err != nil {
			t.Fatal(err)
		}
		a := d.Annotations
		if a.ReadOnlyHint == op.Writes || a.OpenWorldHint == nil || *a.OpenWorldHint ||
			(a.DestructiveHint == nil) != a.ReadOnlyHint {
			t.Errorf("%s: %+v, and the operation writes: %v", d.Name, a, op.Writes)
		}
	}
}

// The texts that stand in definitions are those of the program.
func TestDescriptionsAreConstants(t *testing.T) {
	before, _ := answered(t, Full)
	c := connect(t, Options{Tools: Full})
	for _, text := range []string{"canary in a memory", "a second canary"} {
		do(t, c, "capture", map[string]any{"text": text})
	}
	after, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(after.Tools)
	if string(text) != before || strings.Contains(string(text), "canary") {
		t.Error("the definitions changed with what memory holds")
	}
}
