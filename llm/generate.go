package llm

import (
	"context"
	"encoding/json"
	"fmt"
)

// The tasks a Generator is asked for. A task is a fixed name: nothing remembered ever chooses it.
const (
	Detect      = "detect"      // how a new memory relates to older ones
	Extract     = "extract"     // entities and memories of one text
	Process     = "process"     // episodes and notes of captured events
	Consolidate = "consolidate" // beliefs of several episodes
	Revise      = "revise"      // what an episode means for beliefs there are
	Identity    = "identity"    // values, goals and drives of beliefs
	Emotion     = "emotion"     // what an episode felt like
)

// A Question is what a Generator is asked: one answer, in JSON, of a given shape.
type Question struct {
	Task   string // one of the fixed names above, never derived from texts
	System string // instructions; it contains nothing remembered
	Parts  []Part // the material, each a name and a text, in order
	// JSON Schema of the answer: all required, nullable instead of optional, additionalProperties false, no bounds
	Schema json.RawMessage
	Tokens int   // at most in the answer; 0 is 1,024
	Seed   int64 // of the boundary around the material, and of models that take one; 0 is none
}

const defaultTokens = 1024

// Most is how many tokens the answer may have.
func (q Question) Most() int {
	if q.Tokens <= 0 {
		return defaultTokens
	}
	return q.Tokens
}

// Name names the shape of the answer: the schema's title where it is a plain one, else the task.
func (q Question) Name() string {
	var schema struct {
		Title string `json:"title"`
	}
	_ = json.Unmarshal(q.Schema, &schema) // no schema has no title
	for _, name := range []string{schema.Title, q.Task} {
		if plain := plainName(name); plain != "" && plain == name {
			return name
		}
	}
	return "answer"
}

// plainName keeps what every provider takes in a name.
func plainName(name string) string {
	var kept []byte
	for i := 0; i < len(name) && len(kept) < 64; i++ {
		if c := name[i]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' {
			kept = append(kept, c)
		}
	}
	return string(kept)
}

// A Part is one piece of the material: a name the asker chose, and a text that is a stranger's.
type Part struct{ Name, Text string }

// An Answer is what a Generator wrote. Its text is a stranger's too: stemma takes one JSON object of bounded size,
// and checks what it says.
type Answer struct {
	Text    string
	In, Out int  // tokens, as the provider counts them, else an estimate
	Cut     bool // at the limit of tokens: what there is of it is not to be used
	Refused bool // the model declined; the error says so too
}

// A Generator is a language model that writes. Implementations may be used from several goroutines at once.
//
// Stemma puts Bounds around it, and relies on nothing that it promises.
type Generator interface {
	// Model names what writes. It does not change in the life of the Generator.
	Model() string

	// Generate answers one question. The errors are those of an Embedder, and ErrDeclined. With an error the
	// Answer still says what was spent.
	Generate(ctx context.Context, q Question) (Answer, error)
}

// ErrDeclined: the model itself would not answer, for what the question is about. It is an ErrRefused, but nothing
// is wrong with the settings.
var ErrDeclined = fmt.Errorf("the model declines to answer: %w", ErrRefused)
