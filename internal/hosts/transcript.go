package hosts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A Transcript is what is to be taken in of one conversation that a host has kept.
type Transcript struct {
	Path     string
	Host     string
	Messages []Message
	Lines    int   // with anything on them
	Torn     bool  // its last line has no end yet: the host still writes it
	Broken   []int // the numbers of lines that cannot be read; they were left out
	Unknown  []int // of lines with an output left out, as the call for it may be on one of those
}

// A Message is one thing that was said or done in a conversation.
type Message struct {
	api.Foreign
	Said string // the name under which a hook counts it, "" for none
}

// longestLine bounds one line of a transcript, in bytes: there may be pictures in it.
const longestLine = 64 << 20

// Transcripts returns the files of conversations below some paths, in the order of their names.
// None are those where hosts keep them.
func Transcripts(paths []string, home string, getenv func(string) string) ([]string, error) {
	if len(paths) == 0 {
		claude, codex := getenv("CLAUDE_CONFIG_DIR"), getenv("CODEX_HOME")
		if claude == "" {
			claude = filepath.Join(home, ".claude")
		}
		if codex == "" {
			codex = filepath.Join(home, ".codex")
		}
		for _, dir := range []string{filepath.Join(claude, "projects"), filepath.Join(codex, "sessions")} {
			if exists(dir) {
				paths = append(paths, dir)
			}
		}
	}
	var out []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (p == path || strings.HasSuffix(p, ".jsonl")) {
				out = append(out, p)
			}
			return err
		})
		if err != nil {
			return nil, api.Invalid("import transcript: %v", err)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ReadTranscript reads a conversation of Claude Code or Codex. A line that cannot be read is left out and
// named by its number, so that a host or a disk that failed once costs one line; a file of which most lines
// are such is an error. A last line without an end is one that the host writes now. Lines that say nothing
// are passed over: what hosts note for themselves.
func ReadTranscript(path string) (*Transcript, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, api.Invalid("%v", err)
	}
	defer f.Close()
	t := &Transcript{Path: path}
	r := transcriptReader{
		t: t, counts: make(map[string]int), tools: make(map[string]string), guarded: make(map[string]string),
	}
	in := bufio.NewReaderSize(f, 64<<10)
	var first error
	for r.number = 1; ; r.number++ {
		line, err := readLine(in)
		ended := !errors.Is(err, io.EOF)
		if ended && err != nil && !errors.Is(err, errLong) {
			return nil, api.Invalid("%s: line %d: %v", path, r.number, err)
		}
		if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte(bom))); len(text) > 0 {
			wrong := err
			if !errors.Is(err, errLong) {
				wrong = r.line(text)
			}
			switch {
			case wrong == nil:
				t.Lines++
			case !ended && !json.Valid(text):
				t.Torn = true
			default:
				if t.Lines++; first == nil {
					first = api.Invalid("%s: line %d: %v", path, r.number, wrong)
				}
				t.Broken = append(t.Broken, r.number)
			}
		}
		if !ended {
			break
		}
	}
	if len(t.Broken) > t.Lines/2 {
		return nil, api.Invalid("%v; so are %d of its %d lines, and nothing of the file was taken", first, len(t.Broken),
			t.Lines)
	}
	return t, nil
}

// errLong says that a line is longer than any that is read.
var errLong = fmt.Errorf("it is longer than %d MiB", longestLine>>20)

// readLine returns a line with its end, or the beginning of one that is too long, all of which it passes.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && err == nil {
			err = errLong
		}
		return line, err
	}
}

// transcriptReader makes messages of lines.
type transcriptReader struct {
	t       *Transcript
	number  int               // of the line
	session string            // of Codex, which says it once
	marked  ownwords.Voice    // whose prompts all of Codex's are, unless they are the person's
	counts  map[string]int    // how often the same was said
	tools   map[string]string // names of tools by the ids of their calls
	guarded map[string]string // files that hold secrets, by the ids of the calls for them
}

// entry is a line of either host; the members of the other are empty.
type entry struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Payload   json.RawMessage `json:"payload"` // of Codex

	UUID      string `json:"uuid"` // of Claude Code, and all below
	SessionID string `json:"sessionId"`
	AgentID   string `json:"agentId"`
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	Attached  fields `json:"attachment"`
	Message   struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

func (r *transcriptReader) line(text []byte) error {
	var e entry
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &e); err != nil && !errors.As(err, &wrongType) {
		return errors.New("it is not a JSON object")
	} else if err != nil {
		return nil // of a kind that we do not know
	}
	if e.Payload != nil {
		r.t.Host = Codex
		return r.codex(&e)
	}
	if e.Type == "attachment" {
		r.queued(&e)
		return nil
	}
	if e.SessionID == "" || e.Meta || e.Summary || e.Type != "user" && e.Type != "assistant" {
		return nil
	}
	r.t.Host = ClaudeCode
	marked := ownwords.Person
	if e.Type == "user" {
		var members fields
		_ = json.Unmarshal(text, &members)
		marked, _ = ownwords.Marked(ClaudeCode, members)
	}
	r.claude(&e, marked)
	return nil
}

// contentBlock is a part of a message.
type contentBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

func (r *transcriptReader) claude(e *entry, marked ownwords.Voice) {
	var blocks []contentBlock
	var words string
	if json.Unmarshal(e.Message.Content, &words) == nil {
		blocks = []contentBlock{{Type: "text", Text: words}}
	} else if json.Unmarshal(e.Message.Content, &blocks) != nil {
		return
	}
	var texts []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_use":
			r.tools[b.ID] = b.Name
			if !noNews(b.Name) {
				r.add(
					e, e.SessionID, r.asked(b.ID, b.Name, b.Input),
					part{event: "tool_call", speaker: "assistant", alias: callAlias(ClaudeCode, e.SessionID, b.ID, "call")},
				)
			}
		case "tool_result":
			name, called := r.tools[b.ToolUseID]
			if noNews(name) || !called && r.unknown() {
				continue
			}
			p := part{event: "tool_output", speaker: name, alias: callAlias(ClaudeCode, e.SessionID, b.ToolUseID, "output")}
			if b.IsError {
				p.event = "error"
			}
			r.add(e, e.SessionID, r.gave(b.ToolUseID, resultWords(b.Content)), p)
		}
	}
	if len(texts) == 0 {
		return
	}
	if e.Type == "assistant" {
		r.add(e, e.SessionID, strings.Join(texts, "\n"), part{
			event: "assistant_response", speaker: "assistant", what: "answer", alias: ClaudeCode + ":" + e.UUID,
		})
		return
	}
	r.prompt(e, e.SessionID, ClaudeCode+":"+e.UUID, marked, texts)
}

// unknown leaves out the output of a call that is on no line that was read, if there are lines that cannot be: it
// may be what a file with secrets holds, or what we gave.
func (r *transcriptReader) unknown() bool {
	n := &r.t.Unknown
	if len(r.t.Broken) > 0 && (len(*n) == 0 || (*n)[len(*n)-1] != r.number) {
		*n = append(*n, r.number)
	}
	return len(r.t.Broken) > 0
}

// asked is what is kept of a call, and gave of what came of it: not what a file holds that
// is there for secrets.
func (r *transcriptReader) asked(call, name string, input json.RawMessage) string {
	file := guardedIn(input)
	if file == "" {
		return callWords(name, input)
	}
	r.guarded[call] = file
	return guardedCall(name, file, input)
}

func (r *transcriptReader) gave(call, words string) string {
	if file := r.guarded[call]; file != "" && words != "" {
		return guardedNote(file)
	}
	return words
}

// part says what a message is.
type part struct {
	event, speaker string
	alias          string // that the host gave it
	what           string // as a hook names it: prompt or answer
	tags           []string
}

func (r *transcriptReader) add(e *entry, session, words string, p part) {
	text := clip(words)
	if strings.TrimSpace(text.words) == "" {
		return
	}
	if p.speaker == "" {
		p.speaker = "tool"
	}
	m := Message{}
	if p.what != "" {
		said := saying(r.t.Host, session, p.what, text.words)
		r.counts[said]++
		m.Said = engine.Saying(said, r.counts[said])
	}
	if p.alias == "" {
		p.alias = m.Said
	}
	m.Alias = []string{p.alias}
	raw := &memory.Raw{
		Text: text.words, Source: "import", Event: p.event,
		Speaker: clean(shorten.To(p.speaker, memory.MaxNameBytes)), Caption: text.note,
	}
	if at, err := time.Parse(time.RFC3339Nano, e.Timestamp); err == nil {
		raw.OccurredAt = memory.At(at)
	}
	m.Body, m.Meta = raw, api.Meta{Session: clean(session), Tags: p.tags}
	if e.Sidechain || e.AgentID != "" {
		m.Meta.Tags = []string{subAgentTag}
		if raw.Speaker == "assistant" && p.event == "assistant_response" {
			raw.Speaker = subAgent
		}
	}
	r.t.Messages = append(r.t.Messages, m)
}
