package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
)

// embedServer KEY starts a server on loopback that makes vectors as Ollama does, and as OpenAI's API does for who
// has the key; "-" is for anyone. It takes texts of 2,000 bytes.
func embedServer(ts *testscript.TestScript, _ bool, args []string) {
	const most = 2000
	hashed := llmtest.Hashed(64, 1)
	vectors := func(w http.ResponseWriter, r *http.Request) (out [][]float32, ok bool) {
		var q struct{ Input []string }
		if args[0] != "-" && r.Header.Get("Authorization") != "Bearer "+args[0] {
			http.Error(w, `{"error":{"message":"no such key"}}`, http.StatusUnauthorized)
			return nil, false
		}
		err := json.NewDecoder(r.Body).Decode(&q)
		for _, text := range q.Input {
			if len(text) > most { // as llama.cpp says it
				http.Error(w, `{"error":{"code":500,"message":"input is too large to process. increase the physical batch size"}}`,
					http.StatusInternalServerError)
				return nil, false
			}
		}
		if err == nil {
			out, err = hashed.Embed(r.Context(), llm.Document, q.Input...)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
		return out, err == nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"models": []any{map[string]string{"name": "nomic-embed-text:latest", "digest": "0a109f422b47"}},
		})
	})
	mux.HandleFunc("POST /api/embed", func(w http.ResponseWriter, r *http.Request) {
		if vs, ok := vectors(w, r); ok {
			_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vs})
		}
	})
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		vs, ok := vectors(w, r)
		if !ok {
			return
		}
		var data []any
		for i, v := range vs {
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
	})
	server := httptest.NewServer(mux)
	ts.Defer(server.Close)
	ts.Setenv("EMBEDDER", server.URL)
}

// anAddress is the host of an address in a page.
var anAddress = regexp.MustCompile(`https?://[^/ ]+`)

// pageSteps PAGE HEADING does as a person what the first block under a heading says, with the server of the test in the
// place of those in the page. Programs of others are not started.
func pageSteps(ts *testscript.TestScript, _ bool, args []string) {
	page, err := os.ReadFile("../../" + args[0])
	ts.Check(err)
	_, section, ok := strings.Cut(string(page), "\n## "+args[1]+"\n")
	_, block, opened := strings.Cut(section, "```sh\n")
	block, _, closed := strings.Cut(block, "```")
	if !ok || !opened || !closed {
		ts.Fatalf("%s has no block under %q", args[0], args[1])
	}
	steps := 0
	for line := range strings.Lines(block) {
		line = anAddress.ReplaceAllString(strings.TrimSpace(line), ts.Getenv("EMBEDDER"))
		if set, is := strings.CutPrefix(line, "export "); is {
			name, value, _ := strings.Cut(set, "=")
			ts.Setenv(name, value)
		}
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "stemma" {
			own(ts, false, fields)
			steps++
		}
	}
	if steps == 0 {
		ts.Fatalf("%s: nothing to do under %q", args[0], args[1])
	}
}
