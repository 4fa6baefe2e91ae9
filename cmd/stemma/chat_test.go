package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// chat FILE starts a server on loopback that speaks as OpenAI's does and makes it
// the model. Each line of the file is a task and what is answered to it the next
// time, or a status to fail with; a task that nothing is left for gets 503. What was
// asked stands in the file "asked", one task a line.
func chat(ts *testscript.TestScript, _ bool, args []string) {
	answers := make(map[string][]string)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if task, answer, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			answers[task] = append(answers[task], answer)
		}
	}
	asked := ts.MkAbs("asked")
	var mu sync.Mutex
	var log strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model  string `json:"model"`
			Format struct {
				Type   string `json:"type"`
				Schema struct {
					Name   string          `json:"name"`
					Strict bool            `json:"strict"`
					Schema json.RawMessage `json:"schema"`
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		body := bufio.NewReader(r.Body)
		if err := json.NewDecoder(body).Decode(&q); err != nil || r.URL.Path != "/v1/chat/completions" ||
			!q.Format.Schema.Strict {
			http.Error(w, fmt.Sprint("not a question: ", err), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		task := q.Format.Schema.Name
		fmt.Fprintln(&log, task, q.Model)
		_ = os.WriteFile(asked, []byte(log.String()), 0o600)
		if len(answers[task]) == 0 {
			http.Error(w, `{"error":{"message":"nothing is left"}}`, http.StatusServiceUnavailable)
			return
		}
		answer := answers[task][0]
		answers[task] = answers[task][1:]
		var status int
		if n, _ := fmt.Sscanf(answer, "status=%d", &status); n == 1 {
			http.Error(w, `{"error":{"message":"as it was told to"}}`, status)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion", "model": q.Model,
			"choices": []any{
				map[string]any{
					"index": 0, "finish_reason": "stop",
					"message": map[string]any{"role": "assistant", "content": answer},
				},
			},
			"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
		})
	}))
	ts.Defer(server.Close)
	ts.Setenv("CHAT", server.URL+"/v1")
}
