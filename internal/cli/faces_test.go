package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// verbs names the command of each operation, and arguments with which it reads
// the test's belief ($B) or raw ($R).
var verbs = map[string]struct {
	command string
	args    []string
	request map[string]any
}{
	"init":               {command: "init"},
	"capture":            {command: "capture"},
	"remember":           {command: "remember"},
	"process":            {command: "process"},
	"jobs":               {"jobs", []string{"--limit", "5"}, map[string]any{"limit": 5}},
	"run_jobs":           {command: "jobs run"},
	"compare":            {command: "compare"},
	"judge":              {command: "judge"},
	"conflicts":          {"conflicts", []string{"--limit", "5"}, map[string]any{"limit": 5}},
	"resolve":            {command: "resolve"},
	"suggestions":        {"suggestions", []string{"--kind", "belief"}, map[string]any{"kind": "belief"}},
	"accept_suggestion":  {command: "suggestions accept"},
	"edit_suggestion":    {command: "suggestions edit"},
	"reject_suggestion":  {command: "suggestions reject"},
	"promote":            {command: "promote"},
	"add":                {command: "belief add"},
	"consolidate":        {command: "consolidate"},
	"revise":             {command: "revise"},
	"synthesize":         {"synthesize", []string{"beliefs"}, map[string]any{"what": "beliefs"}},
	"revise_beliefs":     {command: "revise-beliefs"},
	"entities":           {"entities list", nil, map[string]any{}},
	"entity":             {command: "entities show"},
	"infer_provenance":   {"migrate", []string{"--infer-provenance"}, map[string]any{}},
	"show":               {"show", []string{"$B"}, map[string]any{"ref": "$B"}},
	"list":               {"list", []string{"belief"}, map[string]any{"kind": "belief"}},
	"search":             {"search", []string{"words", "--limit", "5"}, map[string]any{"query": "words", "limit": 5}},
	"trace":              {"trace", []string{"$B"}, map[string]any{"ref": "$B", "depth": 3, "direction": "both"}},
	"evidence":           {"evidence", []string{"$B"}, map[string]any{"ref": "$B"}},
	"provenance":         {"provenance", []string{"$B"}, map[string]any{"ref": "$B"}},
	"derived":            {"derived", []string{"$R"}, map[string]any{"ref": "$R"}},
	"sources":            {"sources", []string{"$B"}, map[string]any{"ref": "$B"}},
	"from_raw":           {"from-raw", []string{"$R"}, map[string]any{"ref": "$R"}},
	"raw_sources":        {"raw-sources", []string{"$B"}, map[string]any{"ref": "$B"}},
	"history":            {"history", []string{"$B"}, map[string]any{"ref": "$B"}},
	"uncertain":          {"meta uncertain", []string{"--threshold", "0.9"}, map[string]any{"threshold": 0.9}},
	"confidence_history": {"meta history", []string{"$B"}, map[string]any{"ref": "$B"}},
	"blame":              {command: "blame"},
	"attest":             {command: "attest"},
	"decisions": {"decisions", []string{"--limit", "5", "--act", "revise"},
		map[string]any{"limit": 5, "act": "revise"}},
	"reinforce":       {command: "reinforce"},
	"goal_status":     {command: "goal status"},
	"goal_progress":   {command: "goal progress"},
	"drive_satisfy":   {command: "drive satisfy"},
	"drive_intensity": {command: "drive intensity"},
	"playbook_find": {"playbook find", []string{"words", "--limit", "2"},
		map[string]any{"situation": "words", "limit": 2}},
	"playbook_outcome":     {command: "playbook outcome"},
	"relationship_history": {command: "relationship history"},
	"emotion_summary":      {"emotion summary", []string{"--since", "24h"}, map[string]any{"since": "24h"}},
	"emotion_search": {"emotion search", []string{"--valence", "-1..0"},
		map[string]any{"min_valence": -1, "max_valence": 0}},
	"identity":          {"identity show", []string{"--limit", "3"}, map[string]any{"limit": 3}},
	"status":            {"status", nil, map[string]any{}},
	"taint":             {"taint", []string{"$R"}, map[string]any{"target": "$R"}},
	"trust":             {"trust", []string{"$B"}, map[string]any{"ref": "$B"}},
	"reputation":        {"trust reputation", nil, map[string]any{}},
	"why":               {"why", []string{"$B"}, map[string]any{"ref": "$B"}},
	"recall":            {"recall", []string{"words", "--limit", "5"}, map[string]any{"query": "words", "limit": 5}},
	"correct":           {command: "correct"},
	"witness":           {command: "witness"},
	"introduce":         {command: "trust introduce"},
	"distrust":          {command: "trust distrust"},
	"quarantine":        {command: "quarantine"},
	"release":           {command: "release"},
	"purge":             {command: "purge"},
	"forget":            {command: "forget"},
	"forget_candidates": {"forget candidates", []string{"--limit", "5"}, map[string]any{"limit": 5}},
	"forget_run":        {"forget run", []string{"--dry-run"}, map[string]any{"dry_run": true}},
	"forget_list":       {"forget list", nil, map[string]any{}},
	"recover":           {command: "forget recover"},
	"space_assign":      {command: "space assign"},
	"protect":           {command: "forget protect"},
	"unprotect":         {command: "forget unprotect"},
	"used":              {command: "used"},
	"undo":              {command: "undo"},
	"review":            {"review", []string{"--limit", "3"}, map[string]any{"limit": 3}},
	"approve":           {command: "approve"},
	"reject":            {command: "reject"},
	"verify":            {command: "verify"},
	"check":             {"check", []string{"--all"}, map[string]any{"all": true}},
	"context": {"context", []string{"words", "--level", "minimal"},
		map[string]any{"query": "words", "level": "minimal"}},
	"load": {"load", []string{"--budget", "400"}, map[string]any{"budget": 400}},
	"recent": {"recent", []string{"--limit", "2", "--since", "24h"},
		map[string]any{"limit": 2, "since": "24h"}},
	"receipts":              {"receipts list", nil, map[string]any{}},
	"receipt":               {command: "receipts show"},
	"replay":                {command: "receipts replay"},
	"embed":                 {command: "embed"},
	"ask_witness":           {command: "witness request"},
	"answer_witness":        {command: "witness answer"},
	"witness_requests":      {command: "witness requests"},
	"anchor":                {command: "anchor"},
	"anchor_line":           {"anchor line", []string{"$B"}, map[string]any{"ref": "$B"}},
	"check_anchors":         {"anchor check", []string{"--all"}, map[string]any{"all": true}},
	"audit":                 {command: "audit"},
	"checkpoint":            {"log checkpoint", nil, map[string]any{}},
	"prove":                 {"log prove", []string{"$B"}, map[string]any{"ref": "$B"}},
	"check_log":             {command: "log check"},
	"keys":                  {"key list", nil, map[string]any{}},
	"key_show":              {"key show", nil, map[string]any{}},
	"key_add":               {command: "key add"},
	"key_export_public":     {"key export-public", nil, map[string]any{}},
	"key_delegate":          {command: "key delegate"},
	"key_rotate":            {command: "key rotate"},
	"key_revoke":            {command: "key revoke"},
	"key_recovery":          {command: "key recovery"},
	"remotes":               {"remote list", nil, map[string]any{}},
	"remote_add":            {command: "remote add"},
	"remote_remove":         {command: "remote remove"},
	"remote_accept":         {command: "remote accept"},
	"remote_view":           {command: "remote view"},
	"remote_compare":        {command: "remote compare"},
	"remote_invite":         {command: "remote invite"},
	"remote_uninvite":       {command: "remote uninvite"},
	"remote_members":        {command: "remote member"},
	"remote_member_set":     {command: "remote member set"},
	"remote_member_remove":  {command: "remote member remove"},
	"remote_service_add":    {command: "remote service add"},
	"remote_service_revoke": {command: "remote service revoke"},
	"sync":                  {command: "sync"},
	"stats":                 {"stats", nil, map[string]any{}},
	"doctor":                {"doctor", nil, map[string]any{}},
}

// notOperations are the commands that are no operation of the engine: families
// of verbs, other names of one, streams, and what concerns the place.
const notOperations = "raw episode note belief value goal drive relationship playbook meta import export tour man " +
	"help completion config hook mcp serve ui hub backup restore recover store space uninstall explain"

// noReceipts makes a user's file of settings before anything runs there: then it is
// taken as the person's.
func noReceipts(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, appName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, appName, configFile), []byte("[receipts]\nkeep = 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFaces holds the command line against the table of operations: the same
// names, and the same answer as JSON.
func TestFaces(t *testing.T) {
	dir := t.TempDir()
	noReceipts(t, dir)
	run := func(args ...string) string {
		t.Helper()
		var out, errOut bytes.Buffer
		env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir, Getenv: func(name string) string {
			return map[string]string{"XDG_DATA_HOME": dir, "XDG_CONFIG_HOME": dir, "STEMMA_SPACE": "main"}[name]
		}}
		if code := Run(t.Context(), args, env); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, errOut.String())
		}
		return strings.TrimSpace(out.String())
	}
	raw := run("raw", "words of a test")
	episode := run("promote", raw, "-m", "an episode")
	belief := run("consolidate", episode, "-m", "a belief about words")
	fill := strings.NewReplacer("$B", belief, "$R", raw)

	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	known := strings.Fields(notOperations)
	for _, op := range ops.All {
		v, ok := verbs[op.Name]
		if !ok {
			t.Errorf("operation %s has no verb: add it to verbs", op.Name)
			continue
		}
		known = append(known, strings.Fields(v.command)[0])
		c, rest, err := root.Find(strings.Fields(v.command))
		if err != nil || len(rest) > 0 || !strings.HasSuffix(c.CommandPath(), v.command) {
			t.Errorf("operation %s: there is no command %q", op.Name, v.command)
		}
		if v.request == nil {
			continue
		}
		request, err := json.Marshal(v.request)
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.Open(t.Context(), filepath.Join(dir, appName, storeFile),
			engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, appName, keysDir), Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		out, err := op.Do(t.Context(), e, []byte(fill.Replace(string(request))))
		if closeErr := e.Close(); err != nil || closeErr != nil {
			t.Fatalf("%s: %v, %v", op.Name, err, closeErr)
		}
		want, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		args := append(strings.Fields(v.command), v.args...)
		for i := range args {
			args[i] = fill.Replace(args[i])
		}
		if got := run(append(args, "--json")...); !sameJSON(t, got, string(want)) {
			t.Errorf("%s --json gives\n%s\nthe operation gives\n%s", v.command, got, want)
		}
	}
	for _, c := range root.Commands() {
		if !contains(known, c.Name()) {
			t.Errorf("command %s belongs to no operation", c.Name())
		}
	}
}

// Every verb's help begins with an example that names the verb.
func TestHelpBeginsWithExamples(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		if c.GroupID != "" && c.Name() != "help" && c.Name() != "completion" && !strings.HasPrefix(c.Long, "Examples:\n") {
			t.Errorf("%s: the help does not begin with examples", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(root)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%v in %s", err, a)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return reflect.DeepEqual(x, y)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// What memory says cannot steer a terminal.
func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 漢字 👍🏽":          "plain é 漢字 👍🏽",
		"two\nlines\tand":        "two\nlines\tand",
		"\x1b[31mred":            `\u{1b}[31mred`,
		"a\u202eb":               `a\u{202e}b`,
		"zero\u200bwidth":        `zero\u{200b}width`,
		"tag\U000E0041":          `tag\u{e0041}`,
		"\x9b2J":                 "\ufffd2J",
		"c1\u009b2J":             `c1\u{9b}2J`,
		"carriage\rreturn":       `carriage\u{d}return`,
		"family 👩\u200d👩\u200d👧": "family 👩\u200d👩\u200d👧",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}
