package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A seedCall is a call as one of the documents behind the project writes it, and what
// its answer must contain. $belief and its like are refs, #belief the id alone.
type seedCall struct {
	tool, args string
	holds      []string
}

// Whoever knows the tools of those documents calls them by their names and with their
// arguments, over MCP and HTTP alike.
var seedCalls = []seedCall{
	// Memory provenance
	{"memory_trace", `{"memory_ref":"$belief"}`, []string{`"memory":{"type":"belief","id":"#belief"`,
		`"statement":"Caching pays off"`, `"confidence":`,
		`"backward":{"source_type":"consolidation","created_at":`, `"sources":[{"type":"episode","id":`,
		`"title":"Profiled the API"`, `"source_type":"promote"`,
		`{"type":"raw","id":"#raw","blob":"the API felt slow today"`, `"captured_at":`,
		`"forward":{"derived":[{"type":"note","id":"#note","content":"Cache sessions"`,
		`"source_type":"inference"`}},
	{
		"memory_trace", `{"memory_ref":"$belief","direction":"backward","depth":1}`,
		[]string{`"backward":`, `"Profiled the API"`, `!"the API felt slow`, `!"forward"`},
	},
	{
		"memory_trace", `{"memory_ref":"$raw","direction":"forward","depth":3}`,
		[]string{`"forward":`, `"Caching pays off"`, `!"backward"`},
	},
	{"trace", `{"memory_ref":"$belief","direction":"both","depth":3}`, []string{`"backward":`, `"forward":`}},
	{
		"get_memory_provenance", `{"memory_type":"belief","memory_id":"#belief"}`,
		[]string{`"backward":`, `"the API felt slow today"`, `"forward":{"derived":[{"type":"note"`},
	},
	{
		"get_memory_provenance", `{"memory_type":"belief","memory_id":"#belief","depth":1}`,
		[]string{`"backward":`, `"Profiled the API"`, `!"the API felt slow`, `"forward":`},
	},
	{
		"get_derived_memories", `{"memory_type":"episode","memory_id":"#episode"}`,
		[]string{`{"type":"belief","id":"#belief"`, `"created_at":`, `"relationship":"consolidate"`},
	},
	{
		"get_source_memories", `{"memory_type":"belief","memory_id":"#belief"}`,
		[]string{`"type":"episode","id":"#episode"`, `"created_at":`, `"relationship":"consolidate"`},
	},
	{"get_memories_from_raw", `{"raw_id":"#raw"}`, []string{`"#episode"`, `"#belief"`, `"#note"`}},
	{"get_raw_sources", `{"memory_type":"belief","memory_id":"#belief"}`, []string{`"id":"#raw"`, `!"type":"episode"`}},
	{"get_provenance", `{"memory_ref":"$belief"}`, []string{`"source_type":"consolidation"`,
		`"created_via":"consolidate"`, `"derived_from":["`, `"source_episodes":["`, `"source_memory_refs":["`,
		`"derived_into":["$note"]`, `"confidence_history":[`}},
	{"get_evidence", `{"belief_id":"#belief"}`, []string{`"total_evidence_count":4`}},
	{"get_belief_evidence", `{"belief_id":"#belief"}`,
		[]string{`"belief":{"type":"belief","id":"#belief","statement":"Caching pays off"`,
			`"evidence":{"episodes":[{"id":`, `"objective":"Profiled the API"`,
			`"outcome":"success"`, `"lessons":["measure first"]`, `"notes":[]`, `"raw_entries":[{"id":`,
			`"blob":"the API felt slow today"`, `"captured_at":`,
			`"total_evidence_count":4`, `"direct_episodes":2`, `"source_raw_entries":2`}},
	{"get_belief_evidence", `{"belief_id":"$belief"}`, []string{`"direct_episodes":2`}},
	{
		"memory_search", `{"query":"caching","include_provenance":true,"limit":10}`,
		[]string{`"$belief"`, `"from":"2 episodes`},
	},
	{"process_raw", `{"raw_id":"#other","kind":"note","text":"Payments were rewritten"}`, []string{`"ref":"note:`}},
	{
		"revise_belief", `{"belief_id":"#wrong","text":"Fridays are fine"}`,
		[]string{`"ref":"belief:`, `"superseded":["$wrong"]`},
	},

	// Memory model
	{"memory_load", `{}`, []string{`"text":`}},
	{
		"show", `{"memory_type":"belief","memory_id":"#belief"}`,
		[]string{`"confidence":`, `"source_type":"consolidation"`, `"source_episodes":["`, `"derived_from":["`},
	},
	{"meta_verify", `{"memory_type":"belief","memory_id":"#belief"}`, []string{`"confidence":`, `"verification_count":1`}},
	{"show", `{"memory_ref":"$belief"}`, []string{`"last_verified":`, `"verification_count":1`}},
	{"meta_lineage", `{"memory_type":"belief","memory_id":"#belief"}`, []string{`"source_type":"consolidation"`}},
	{"meta_uncertain", `{"threshold":0.5}`, []string{`"memories":[`}},
	{"forget_protect", `{"memory_type":"episode","memory_id":"#episode"}`, []string{`"$episode"`}},
	{"forget_candidates", `{"threshold":0.3}`, []string{`"candidates":[`}},
	{"forget_run", `{"dry_run":true}`, []string{`"candidates":[`}},
	{"forget", `{"memory_ref":"$weak"}`, []string{`"$weak"`}},
	{"forget_recover", `{"memory_type":"episode","memory_id":"#weak"}`, []string{`"$weak"`}},
	{"find_playbook", `{"situation":"a deploy fails"}`, []string{`"Roll back"`}},
	{"revise_beliefs_from_episode", `{"episode_id":"#episode"}`, []string{`"episode":"$episode"`}},
	{"synthesize_identity", `{}`, []string{`"what":"identity"`}},

	// Evolution
	{"detect_evolution", `{"memory_ref":"$belief"}`, []string{`"ref":"$belief"`, `"links":[`}},
	{"detect", `{"new_entity":"$belief","existing_entities":["$wrong"]}`, []string{`"ref":"$belief"`, `"links":[`}},
	{"remember", `{"text":"Ada prefers tea","track_evolution":false}`, []string{`note:`}},

	// The provenance schema
	{"create_memory", `{"type":"insight","summary":"Synthesis is the hard problem","body":"Not storage.",` +
		`"tags":["synthesis","memory"],"confidence":0.8}`,
		[]string{`"ref":"note:`, `"headline":"Synthesis is the hard problem"`, `"created_at":`}},
	{"show", `{"memory":"$made"}`, []string{`"body":"Not storage.","summary":"Synthesis is the hard problem",` +
		`"type":"insight"}`, `"tags":["memory","synthesis"]`, `"confidence":0.8`,
		`"author":"did:key:`}},
	{
		"query_memories", `{"tags":["synthesis"]}`,
		[]string{`"Synthesis is the hard problem.\nNot storage.\nTags: memory, synthesis"`, `!"Caching pays off"`},
	},
	{
		"query_memories", `{"tags":["synthesis","memory"],"min_trust":0}`,
		[]string{`"Synthesis is the hard problem.\nNot storage.\nTags: memory, synthesis"`},
	},
	{"query_memories", `{"tags":["synthesis","other"]}`, []string{`"results":[]`}},
	{"query_memories", `{"tags":["synthesis"],"min_trust":0.6}`, []string{`"results":[]`}},
	{
		"compute_trust_score", `{"memory":"$belief"}`,
		[]string{
			`"score":`, `"level":"unverified"`, `"author_reputation":{"value":`, `"witnesses":[`, `"anchors":[`,
			`"voices":{"confirm":0`,
		},
	},
	{"compute_trust_score", `{"memory":{"type":"belief","id":"#belief"}}`, []string{`"score":`}},
	{
		"create_anchor", `{"memory":"$belief","type":"file","reference":"minutes.txt"}`,
		[]string{`"type":"file"`, `"reference":"minutes.txt"`},
	},
	{"get_reputation", `{"agent_id":""}`, []string{`"reputation":0.5`, `"name":"you"`, `"known":true`}},
	{"get_reputation", `{"agent_id":"$bob"}`, []string{`"agent_id":"$bob"`, `"reputation":`}},
	{"verify_anchor", `{"memory":"$belief"}`, []string{`"checked":[`}},
	{
		"request_witness", `{"memory":"$belief","agent_ids":["$bob","$carol"]}`,
		[]string{`"bundle":`, `"to":"$bob"`, `"others":[{"request":"`, `"to":"$carol"`},
	},
}

// seedMistakes are arguments that no tool has, and what the refusal says.
var seedMistakes = []seedCall{
	{"memory_trace", `{"memory_reff":"$belief"}`, []string{"there is no member", "memory_reff"}},
	{"memory_trace", `{"ref":"$belief","deepth":2}`, []string{"deepth", "did you mean depth?"}},
	{"memory_trace", `{"ref":"$belief","memory_ref":"$belief"}`, []string{"memory_ref", "give one of them"}},
	{"memory_trace", `{"memory_ref":7}`, []string{"memory_ref: must be text"}},
	{"get_belief_evidence", `{"belief_id":""}`, []string{"is empty"}},
	{"get_memory_provenance", `{"memory_type":"belief"}`, []string{"memory_type: needs memory_id"}},
	{"get_memory_provenance", `{"memory_type":"note","memory_id":"#belief"}`, []string{"not_found"}},
	{"query_memories", `{"tag":"a","tags":["b"]}`, []string{"give one of them"}},
	{"query_memories", `{"tags":["a,b"]}`, []string{"has no comma"}},
	{"query_memories", `{"labels":["b"]}`, []string{"labels", "it has all, as_of,"}},
	{"create_memory", `{"summary":"two\nlines"}`, []string{"summary: must be one line"}},
	{"request_witness", `{"memory":"$belief","agent_ids":[]}`, []string{"agent_ids: names nobody"}},
	{"add", `{"kind":"note","text":"x","memory_ref":"$belief"}`, []string{"there is no member", "memory_ref"}},
}

// seedLines are the documents' command lines. $belief is a ref, #belief its id.
var seedLines = []struct {
	line  string
	holds []string
}{
	{
		`belief show #belief --trace`,
		[]string{
			"Belief: \"Caching pays off\"", "Confidence: ", "Provenance:", "Source: consolidation (",
			"Derived from:", "├─ episode:", "raw:", "the API felt slow today", "Confidence history:",
		},
	},
	{`trace $belief`, []string{"Lineage for belief:", "BACKWARD", "[consolidation, ", "└─ raw:", "FORWARD", "└─ note:"}},
	{`trace $belief --depth 1`, []string{"episode:", `!the API felt slow`}},
	{`belief list --provenance`, []string{"Statement", "Confidence", "Source", "2 episodes"}},
	{
		`search caching --include-provenance`,
		[]string{"[belief] \"Caching pays off\"", "From: 2 episodes via consolidation"},
	},
	{`raw show #raw --trace`, []string{"the API felt slow today", "Captured: ", "Promoted to:", "episode:", "belief:"}},
	{`episode show #episode --trace`, []string{"raw:"}},
	{`note show #note --trace`, []string{"belief:"}},
	{`raw 'API seems slow'`, []string{"raw:"}},
	{`meta verify belief #belief`, []string{"belief:"}},
	{`meta lineage belief #belief`, []string{"consolidation"}},
	{`meta uncertain --threshold 0.5`, []string{""}},
	{`forget protect episode #episode`, []string{""}},
	{`forget candidates --threshold 0.3`, []string{""}},
	{`forget run --dry-run`, []string{""}},
	{`forget recover episode #weak`, []string{""}},
	{`search topic --limit 10`, []string{""}},
	{`playbook find 'a deploy fails'`, []string{"Roll back"}},
	{`list`, []string{"ID", "Type", "Content", "Confidence", "Code Refs", "observed"}},
	{`migrate --infer-provenance`, []string{""}},
}

// TestSeedCalls makes each call over MCP and over HTTP, and each command line.
func TestSeedCalls(t *testing.T) {
	dir := t.TempDir()
	env := append(
		os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "STEMMA_STORE="+filepath.Join(dir, "memory.db"),
		"GORACE=atexit_sleep_ms=0",
	)
	command := func(args ...string) *exec.Cmd {
		c := exec.Command("stemma", args...)
		c.Dir, c.Env = dir, env
		return c
	}
	names := map[string]string{}
	for name, home := range map[string]string{"bob": t.TempDir(), "carol": t.TempDir()} {
		c := command("init", "--user")
		c.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home)
		out, err := c.CombinedOutput()
		did := regexp.MustCompile(`did:key:\w+`).FindString(string(out))
		if err != nil || did == "" {
			t.Fatalf("%v: %s", err, out)
		}
		names[name] = did
	}
	fill := func(text string) string {
		for name, ref := range names {
			_, id, _ := strings.Cut(ref, ":")
			text = strings.ReplaceAll(strings.ReplaceAll(text, "$"+name, ref), "#"+name, id)
		}
		return text
	}
	full := regexp.MustCompile(`"ref": ?"(\w+:[0-9a-f]{64})"`)
	write := func(name string, args ...string) {
		t.Helper()
		for i := range args {
			args[i] = fill(args[i])
		}
		out, err := command(append(args, "--json")...).CombinedOutput()
		ref := full.FindStringSubmatch(string(out))
		if err != nil || ref == nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		names[name] = ref[1]
	}
	write("raw", "raw", "the API felt slow today")
	write("second", "raw", "the second profile says so too")
	write("other", "raw", "rewrote the payments module")
	write("episode", "promote", "$raw", "-m", "Profiled the API", "--outcome-type", "success", "--lesson", "measure first")
	write("again", "promote", "$second", "-m", "Profiled it again")
	write("belief", "consolidate", "$episode", "$again", "-m", "Caching pays off")
	write("note", "note", "Cache sessions", "--from", "$belief")
	write("wrong", "belief", "Fridays are bad for deploys")
	write("weak", "episode", "Had lunch")
	write("playbook", "playbook", "Roll back", "--when", "a deploy fails", "--step", "revert")

	if err := os.WriteFile(filepath.Join(dir, "minutes.txt"), []byte(names["belief"]), 0o600); err != nil {
		t.Fatal(err)
	}
	url, token, stop := serveProcess(t, command("serve", "--addr", "127.0.0.1:0"), dir)
	defer stop()
	mcp := speak(t, command("mcp"))
	faces := map[string]func(c seedCall) (string, bool){
		"MCP": func(c seedCall) (string, bool) {
			line, err := mcp.call("tools/call", map[string]any{"name": c.tool, "arguments": json.RawMessage(fill(c.args))})
			var reply struct {
				Result struct {
					Content []struct{ Text string }
					IsError bool
				}
			}
			if err == nil {
				err = json.Unmarshal([]byte(line), &reply)
			}
			if err != nil || len(reply.Result.Content) != 1 {
				return fmt.Sprintf("%v %s", err, line), false
			}
			return reply.Result.Content[0].Text, !reply.Result.IsError
		},
		"HTTP": func(c seedCall) (string, bool) {
			r, err := http.NewRequest(http.MethodPost, url+"/v1/"+c.tool, strings.NewReader(fill(c.args)))
			if err != nil {
				return err.Error(), false
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				return err.Error(), false
			}
			defer got.Body.Close()
			body, err := io.ReadAll(got.Body)
			return strings.TrimSpace(string(body)), err == nil && got.StatusCode == http.StatusOK
		},
	}
	// What can be done once is done over one of them alone.
	once := map[string]string{"process_raw": "MCP", "revise_belief": "HTTP", "create_anchor": "MCP", "meta_verify": "HTTP"}
	for _, name := range []string{"MCP", "HTTP"} {
		for _, c := range seedCalls {
			if face := once[c.tool]; face != "" && face != name {
				continue
			}
			got, ok := faces[name](c)
			if !ok {
				t.Errorf("%s: %s %s fails: %s", name, c.tool, c.args, got)
				continue
			}
			if c.tool == "show" && strings.Contains(c.args, "memory_ref") && name == "MCP" {
				continue // it is verified over HTTP
			}
			if ref := full.FindStringSubmatch(got); c.tool == "create_memory" && ref != nil {
				names["made"] = ref[1]
			}
			told(t, name+": "+c.tool+" "+c.args, got, c.holds, fill)
		}
		for _, c := range seedMistakes {
			got, ok := faces[name](c)
			if ok {
				t.Errorf("%s: %s %s was taken: %s", name, c.tool, c.args, got)
			}
			told(t, name+": "+c.tool+" "+c.args, got, c.holds, fill)
		}
	}
	mcp.end(t)
	stop()
	for _, l := range seedLines {
		var stderr bytes.Buffer
		c := exec.Command("sh", "-c", "stemma "+fill(l.line))
		c.Dir, c.Env, c.Stderr = dir, env, &stderr
		out, err := c.Output()
		if err != nil {
			t.Errorf("%s: %v: %s", l.line, err, stderr.String())
			continue
		}
		told(t, l.line, string(out), l.holds, fill)
	}
}

// told checks what an answer holds, and after "!" what it does not.
func told(t *testing.T, what, got string, holds []string, fill func(string) string) {
	t.Helper()
	for _, want := range holds {
		part, not := strings.CutPrefix(fill(want), "!")
		if strings.Contains(got, part) == not {
			t.Errorf("%s: %q in the answer: %v, want %v:\n%s", what, part, not, !not, got)
		}
	}
}
