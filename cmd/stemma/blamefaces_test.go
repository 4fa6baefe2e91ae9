package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// overMCP asks a tool as a host does, and returns the structured answer.
func (r *codeRepo) overMCP(tool, arguments string) any {
	r.Helper()
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"probe","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` +
		`{"name":"` + tool + `","arguments":` + arguments + "}}\n"
	for line := range strings.Lines(r.stemma(in, "mcp", "--tools", "full")) {
		var got struct {
			ID     int
			Result struct {
				StructuredContent any
				IsError           bool
			}
		}
		if json.Unmarshal([]byte(line), &got) == nil && got.ID == 2 {
			if got.Result.IsError || got.Result.StructuredContent == nil {
				r.Fatalf("%s over MCP: %s", tool, line)
			}
			return got.Result.StructuredContent
		}
	}
	r.Fatalf("%s over MCP: no answer", tool)
	return nil
}

// server starts one, and returns what asks it as an agent does.
func (r *codeRepo) server() func(op, body string) any {
	r.Helper()
	c := exec.Command("stemma", "serve", "--addr", "127.0.0.1:0")
	c.Dir, c.Env = r.dir, r.env
	if err := c.Start(); err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	dir := ""
	for _, v := range r.env {
		if data, is := strings.CutPrefix(v, "XDG_DATA_HOME="); is {
			dir = filepath.Join(data, "stemma", "server")
		}
	}
	var says struct{ URL string }
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	const within = 30 * time.Second
	for began := time.Now(); says.URL == ""; <-look.C {
		if time.Since(began) > within {
			r.Fatal("no server says where it runs")
		}
		files, _ := filepath.Glob(filepath.Join(dir, "running-*.json"))
		for _, name := range files {
			if text, err := os.ReadFile(name); err == nil {
				_ = json.Unmarshal(text, &says)
			}
		}
	}
	return func(op, body string) any {
		r.Helper()
		token, err := os.ReadFile(filepath.Join(dir, "token"))
		if err != nil {
			r.Fatal(err)
		}
		req, err := http.NewRequest("POST", says.URL+"/v1/"+op, bytes.NewReader([]byte(body)))
		if err != nil {
			r.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		got, err := http.DefaultClient.Do(req)
		if err != nil {
			r.Fatal(err)
		}
		defer got.Body.Close()
		text, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != http.StatusOK {
			r.Fatalf("%s over HTTP: %s %s", op, got.Status, text)
		}
		return decoded(r.T, string(text))
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// Blame and attest say over MCP and HTTP what they say on the command line.
func TestBlameSaysTheSameOnAllFaces(t *testing.T) {
	r := newCodeRepo(t, 5)
	r.stemma("", "remember", "Merge the branches before the index is stored", "--wait")
	r.stemma("", "hook", "install", "git")
	r.prompt("claude-code/session-00", "please load the index")
	given := exec.Command("stemma", "search", "merge branches index")
	given.Dir, given.Env = r.dir, append(r.env, "STEMMA_SESSION=session-00", "STEMMA_AGENT=claude")
	if out, err := given.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.work(8, 3, 4)
	ask := r.server()
	file := r.pick()
	for _, tt := range []struct{ op, arguments string }{
		{"blame", `{"file":"` + file + `"}`}, {"blame", `{"commit":"HEAD"}`},
		{"blame", `{"commit":"HEAD","file":"` + file + `"}`},
		{"attest", `{"range":"HEAD~3..HEAD","unsigned":true}`},
		{"attest", `{"range":"HEAD","unsigned":true,"words":true,"comment":true}`},
	} {
		var of map[string]any
		if err := json.Unmarshal([]byte(tt.arguments), &of); err != nil {
			t.Fatal(err)
		}
		args := []string{tt.op, "--json"}
		for name, v := range of {
			switch {
			case name == "file" || name == "range":
				args = append(args, v.(string))
			case v == true:
				args = append(args, "--"+name)
			default:
				args = append(args, "--"+name, v.(string))
			}
		}
		want := withoutTime(decoded(t, r.stemma("", args...)))
		if got := withoutTime(ask(tt.op, tt.arguments)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s over HTTP:\n%v\nwant\n%v", tt.op, tt.arguments, got, want)
		}
		if got := withoutTime(r.overMCP(tt.op, tt.arguments)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s over MCP:\n%v\nwant\n%v", tt.op, tt.arguments, got, want)
		}
	}
}

// withoutTime takes out when something was attested.
func withoutTime(v any) any {
	if reply, is := v.(map[string]any); is {
		if change, is := reply["change"].(map[string]any); is {
			delete(change, "at")
		}
	}
	return v
}
