package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// A saidRow is what a host said in its user's name, in a hook or in a file of a conversation.
type saidRow struct {
	Host    string            `json:"host"`
	Event   string            `json:"event"`
	Payload json.RawMessage   `json:"payload"`
	Lines   []json.RawMessage `json:"lines"`
	Own     string            `json:"own"`  // the person's words
	Seen    string            `json:"seen"` // where such a form was seen
}

// own returns what is kept as the person's words, and all else that is kept.
func (r saidRow) own(t *testing.T) (own string, rest []string) {
	t.Helper()
	add := func(event, speaker, text string) {
		if event == "user_prompt" && speaker == "user" {
			own += text
			return
		}
		rest = append(rest, event+"/"+speaker+"/"+text)
	}
	if r.Lines == nil {
		e, err := ReadEvent(r.Host, r.Event, r.Payload)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range e.Observed("1") {
			add(o.Event, o.Speaker, o.Text)
		}
		return own, rest
	}
	var text strings.Builder
	for _, l := range r.Lines {
		text.WriteString(string(l) + "\n")
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, text.String())
	read, err := ReadTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range read.Messages {
		raw := m.Body.(*memory.Raw)
		add(raw.Event, raw.Speaker, raw.Text)
	}
	return own, rest
}

func saidRows(t *testing.T, name string) []saidRow {
	t.Helper()
	text, err := os.ReadFile("testdata/said/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []saidRow
	for line := range strings.Lines(string(text)) {
		var r saidRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(name, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// What hosts say in a user's name does not pass as the user's words.
func TestWhatHostsSayIsNotThePersons(t *testing.T) {
	rows, hosts, passed := saidRows(t, "not-own.jsonl"), map[string]int{}, 0
	for _, r := range rows {
		hosts[r.Host]++
		if own, _ := r.own(t); own != "" {
			passed++
			t.Errorf("%s, %s: %q passes as the person's words", r.Host, r.Seen, own)
		}
	}
	t.Logf("%d of %d forms of %d hosts pass as the person's words", passed, len(rows), len(hosts))
	if len(rows) < 40 || len(hosts) < 4 {
		t.Errorf("%d forms of %d hosts are too few", len(rows), len(hosts))
	}
}

// What a person says is theirs, whatever it is about and whatever a host puts beside it.
func TestAPersonsWordsAreNotKeptBack(t *testing.T) {
	rows, back := saidRows(t, "own.jsonl"), 0
	for _, r := range rows {
		if own, _ := r.own(t); own != r.Own {
			back++
			t.Errorf("%s, %s: %q, want %q", r.Host, r.Seen, own, r.Own)
		}
	}
	t.Logf("%d of %d honest prompts are kept back or cut", back, len(rows))
	if len(rows) < 40 {
		t.Errorf("%d prompts are too few", len(rows))
	}
}

// Forms that were gathered after the table was done.
func TestFormsThatWereNotSeen(t *testing.T) {
	rows, wrong := saidRows(t, "unseen.jsonl"), 0
	for _, r := range rows {
		if own, _ := r.own(t); own != r.Own {
			wrong++
			t.Errorf("%s, %s: %q, want %q", r.Host, r.Seen, own, r.Own)
		}
	}
	t.Logf("%d of %d are taken wrongly", wrong, len(rows))
	if len(rows) < 20 {
		t.Errorf("%d forms are too few", len(rows))
	}
}
