package vocabularies

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// A host is a program that speaks to stemma as an agent's host does.
type host struct {
	t     *testing.T
	count tokenizer.Codec
	in    io.Writer
	out   *bufio.Reader
	id    int
	spent int // tokens of calls and answers
}

func newHost(t *testing.T) *host {
	t.Helper()
	count, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "stemma")
	build := exec.Command("go", "build", "-o", program, "./cmd/stemma")
	build.Dir = filepath.Join("..", "..", "..")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	cmd := exec.Command(program, "mcp")
	cmd.Dir = dir
	cmd.Env = []string{
		"HOME=" + dir, "USERPROFILE=" + dir, "PATH=" + os.Getenv("PATH"), "XDG_DATA_HOME=" + filepath.Join(dir, "data"),
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	h := &host{t: t, count: count, in: in, out: bufio.NewReader(out)}
	h.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "host", "version": "1"},
	})
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return h
}

// ask sends a request and returns its result.
func (h *host) ask(method string, params any) json.RawMessage {
	h.t.Helper()
	h.id++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": h.id, "method": method, "params": params})
	if err != nil {
		h.t.Fatal(err)
	}
	fmt.Fprintf(h.in, "%s\n", b)
	line, err := h.out.ReadBytes('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	var reply struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(line, &reply); err != nil || reply.Error != nil {
		h.t.Fatalf("%s: %v %s", method, err, reply.Error)
	}
	return reply.Result
}

// tokens counts a text.
func (h *host) tokens(text string) int {
	h.t.Helper()
	n, err := h.count.Count(text)
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// call calls a tool and returns what the model is given, by either of the ways in which hosts
// give it, and its tokens.
func (h *host) call(tool string, args map[string]any) (string, int) {
	h.t.Helper()
	var r struct {
		Content []struct{ Text string }
		Whole   json.RawMessage `json:"structuredContent"`
		IsError bool
	}
	if err := json.Unmarshal(h.ask("tools/call", map[string]any{"name": tool, "arguments": args}), &r); err != nil {
		h.t.Fatal(err)
	}
	if r.IsError || len(r.Content) == 0 {
		h.t.Fatalf("%s %v: %+v", tool, args, r)
	}
	n := max(h.tokens(r.Content[0].Text), h.tokens(string(r.Whole)))
	said, err := json.Marshal(args)
	if err != nil {
		h.t.Fatal(err)
	}
	h.spent += n + h.tokens(tool+string(said))
	return r.Content[0].Text, n
}

// definitions counts what stands before a model in every request.
func (h *host) definitions() int {
	h.t.Helper()
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(h.ask("tools/list", map[string]any{}), &list); err != nil {
		h.t.Fatal(err)
	}
	if len(list.Tools) != 6 {
		h.t.Errorf("%d tools are listed", len(list.Tools))
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.tokens(string(text))
}

// What an agent pays for its memory is bounded: in every request, for an answer, and for a
// session of twelve calls.
func TestTokens(t *testing.T) {
	h := newHost(t)
	bound := func(what string, n, most int) {
		t.Helper()
		t.Logf("%s: %d tokens, at most %d", what, n, most)
		if n > most {
			t.Errorf("%s takes %d tokens, at most %d are allowed", what, n, most)
		}
	}
	defined := h.definitions()
	bound("the definitions", defined, 900)
	for _, text := range []string{
		"We decided to keep orders in PostgreSQL, one schema for each shop, because SQLite locked under load.",
		"Orders older than a year are moved to the archive on the first Sunday of a month.",
		"Anna Berg reviews every change of the order schema before it is merged.",
		"Orders from abroad are priced in euros and taxed where they are delivered.",
		"The export of orders runs every night at two and must end before six.",
		"An order that was paid may not be deleted, only cancelled with a reason.",
	} {
		_, n := h.call("remember", map[string]any{"text": text, "why": "said in the planning of May"})
		bound("a remember", n, 60)
	}
	_, n := h.call("recall", map[string]any{"query": "what do we know about orders"})
	bound("all that is known about orders", n, 336) // six, each with its reason and day
	five := map[string]any{"query": "how are orders reviewed, moved, priced, exported and deleted", "limit": 5}
	text, n := h.call("recall", five)
	bound("five hits", n, 280) // 45 of them are reasons, 50 days
	var found struct{ Results []struct{ Ref string } }
	if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Results) != 5 {
		t.Fatalf("%v: %s", err, text)
	}
	ref := found.Results[0].Ref
	h.call("why", map[string]any{"ref": ref})
	_, n = h.call("correct", map[string]any{"ref": ref, "text": "Orders are kept in one schema for all shops."})
	bound("a correct", n, 60)
	h.call("recall", map[string]any{"query": "where are orders kept"})
	h.call("recall", map[string]any{"query": "who reviews changes", "limit": 3})
	h.call("status", map[string]any{})
	bound("a session of twelve calls", defined+h.spent, 2500)
}
