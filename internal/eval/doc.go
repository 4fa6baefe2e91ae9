// Package eval measures how well search finds the turns of a conversation that
// answer a question, on conversations of the LoCoMo data set, beside plain BM25.
//
// Every conversation is imported into a store of its own and every question is
// asked as it stands. Nothing is learned from the questions. docs/lab/eval.md says
// what the figures mean and how to repeat them.
package eval

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
)

// Limit is how many results each question asks for: the farthest that any
// figure looks.
const Limit = 20

// Options say how to measure. Only Open must be set.
type Options struct {
	// Open opens a new, empty store for one conversation, with the clock that it
	// is to have. Run closes it.
	Open func(ctx context.Context, clock func() time.Time) (*engine.Engine, error)
	// Ready is called when a conversation is imported and before it is asked: where
	// there is an embedder it makes the vectors. It may be nil.
	Ready func(context.Context, *engine.Engine) error
	// Observations imports the observations and summaries too. A model wrote them.
	Observations bool
	Store        string                // what is opened, as the report is to name it
	Progress     func(questions int)   // called with how many were asked; may be nil
	Now          func() time.Time      // what searches are timed by; nil is time.Now
	Packs        bool                  // asks for packs as well, which takes four times as long
	Count        func(text string) int // what the tokens of packs are counted with; nil is their own estimate
}

// A Report is what was measured, with what was set.
type Report struct {
	Settings      Settings  `json:"settings"`
	Turns         int       `json:"turns"`
	Questions     int       `json:"questions"` // those that name a turn that exists
	Search        Table     `json:"search"`
	Plain         Table     `json:"plain_bm25"`
	Packs         []Pack    `json:"packs,omitempty"`
	Conversations []Section `json:"conversations"`
	Warnings      []string  `json:"warnings,omitempty"` // of searches, each once: figures are not what they should be
}

// Settings are what figures depend on beside the files.
type Settings struct {
	Store        string  `json:"store"`    // the database
	Embedder     string  `json:"embedder"` // the model whose vectors were compared, or none
	AskedAt      string  `json:"asked_at"` // by the clock of the stores: age counts in a search
	Observations bool    `json:"observations"`
	Limit        int     `json:"limit"`
	PlainK       float64 `json:"plain_k1"`
	PlainB       float64 `json:"plain_b"`
}

// A Section is one conversation alone.
type Section struct {
	Name      string `json:"name"`
	Turns     int    `json:"turns"`
	Records   int    `json:"records"` // turns, and notes if they were imported
	Questions int    `json:"questions"`
	Search    Table  `json:"search"`
	Plain     Table  `json:"plain_bm25"`
	Packs     []Pack `json:"packs,omitempty"`
}
