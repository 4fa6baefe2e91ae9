package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Payloads as the hosts themselves sent them, and what is kept of each: event/speaker/text.
func TestRecordedPayloads(t *testing.T) {
	files, err := filepath.Glob("testdata/events/*.jsonl")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		host := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var row struct {
				Event   string
				Payload json.RawMessage
				Want    []string
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			e, err := ReadEvent(host, row.Event, row.Payload)
			if err != nil {
				t.Errorf("%s %s: %v", host, row.Event, err)
				continue
			}
			got := []string{}
			for _, o := range e.Observed("1") {
				got = append(got, o.Event+"/"+o.Speaker+"/"+o.Text)
			}
			if !slices.Equal(got, row.Want) {
				t.Errorf("%s %s: %q, want %q", host, row.Event, got, row.Want)
			}
			if e.Session == "" {
				t.Errorf("%s %s has no session", host, row.Event)
			}
		}
	}
}

// Codex gives the tools of an MCP server by a namespace: its own are no news to an importer.
func TestTranscriptsLeaveOurOwnToolsOut(t *testing.T) {
	for _, name := range []string{"codex", "claude-code"} {
		text, err := os.ReadFile("testdata/transcripts/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name+".jsonl")
		write(t, path, string(text))
		read, err := ReadTranscript(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(read.Messages) != 2 {
			t.Errorf("%s: %d messages, want a call and that its output is not kept", name, len(read.Messages))
		}
		for _, m := range read.Messages {
			if kept, _ := json.Marshal(m.Body); strings.Contains(string(kept), "no news") {
				t.Errorf("%s: %s", name, kept)
			}
		}
	}
}

func TestFilesThatHoldSecrets(t *testing.T) {
	for name, want := range map[string]bool{
		".env": true, "a/.env.production": true, "certs/server.pem": true, "id_ed25519": true, "/home/a/.ssh/id_x": true,
		"app.key": true, "~/.aws/credentials": true, "credentials.json": true, "prod.tfvars": true, ".env.local": true,
		".env.example": false, "id_rsa.pub": false, "server.go": false, "environment.md": false, "id_generator.py": false,
		"docs/keys.md": false, ".ssh/known_hosts": false, "key": false, "monkey.txt": false, ".github/workflows/x.yml": false,
	} {
		if got := guarded(name, true); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for command, want := range map[string]bool{
		"cat .env": true, "source .env.local && npm start": true, "openssl rsa -in server.key -text": true,
		"ssh -i ~/.ssh/deploy host": true, "grep id_token src": false, "go test ./...": false,
		"cat <<EOF > .env\nA=b\nEOF": true,
		"echo $credentials":          false, "cat credentials.json": true, "ls -la": false, "kubectl get pods": false,
		"cat .e*v": true, "cat config/.en?": true, "cat .en[v]": true, "ls *.go": false, "ls .*": false, "ls ex*": false,
	} {
		raw, _ := json.Marshal(map[string]string{"command": command})
		if got := guardedIn(raw) != ""; got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}

// A command may be given in parts.
func TestFilesThatHoldSecretsInArguments(t *testing.T) {
	for input, want := range map[string]bool{
		`{"command":"cat","args":[".env"]}`: true, `{"command":"cat","arguments":["-n","a/.env"]}`: true,
		`{"argv":["cat",".e*v"]}`: true, `{"command":"go","args":["test","./..."]}`: false, `{"args":7}`: false,
	} {
		if got := guardedIn([]byte(input)) != ""; got != want {
			t.Errorf("%s: %v, want %v", input, got, want)
		}
	}
}

// What a host is told when a session begins is what it reads.
func TestContextForEachHost(t *testing.T) {
	for host, want := range map[string]string{
		Copilot: `{"additionalContext":"<w>"}`,
		Cursor:  `{"additional_context":"<w>"}`,
		Qwen:    `{"hookSpecificOutput":{"additionalContext":"<w>","hookEventName":"UserPromptSubmit"}}`,
	} {
		event := "SessionStart"
		if host == Qwen {
			event = "UserPromptSubmit"
		}
		if got, err := Context(host, event, "<w>"); err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %s, %v, want %s", host, got, err, want)
		}
	}
	for _, tt := range []struct{ host, cli, want string }{
		{VSCode, "1", Copilot}, {Copilot, "", VSCode}, {Copilot, "1", Copilot}, {Codex, "1", Codex},
	} {
		if got := Actual(tt.host, func(string) string { return tt.cli }); got != tt.want {
			t.Errorf("%s with COPILOT_CLI=%q is %s, want %s", tt.host, tt.cli, got, tt.want)
		}
	}
}
