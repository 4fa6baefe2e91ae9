package minilm

import (
	"context"
	_ "embed" // for the two files
	"fmt"
	"sync"

	"github.com/stemma-memory/stemma/internal/model/bert"
	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

// The weights are a string, so that they stay where the system maps the program and are read from there.
//
//go:embed weights.bin
var weights string

//go:embed vocab.txt
var vocabulary string

// The tokens of the vocabulary that have a part of their own.
const (
	unknown = 100
	begin   = 101
	end     = 102
)

const mostTokens = 256 // of a text, as the model was made for

// Embedder is an llm.Embedder of all-MiniLM-L6-v2. It is safe for use by several goroutines at once.
type Embedder struct {
	open func() (*bert.Embedder, error)
}

var _ llm.Local = (*Embedder)(nil)

// New returns the model. It is opened when the first text is embedded: until then nothing of the weights is touched.
func New() *Embedder { return &Embedder{open: sync.OnceValues(open)} }

func open() (*bert.Embedder, error) {
	w, err := bert.Read(weights)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	words, err := tokenizer.ParseVocabulary(vocabulary)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	l := newLanguage(vocabulary)
	if len(l) != w.Shape().Words {
		return nil, fmt.Errorf("open %s: %d tokens for %d rows", name, len(l), w.Shape().Words)
	}
	return bert.New(w, words, bert.Options{
		Name: name, Tokens: mostTokens, Begin: begin, End: end, Unknown: unknown,
		Reads: l.reads,
	}), nil
}

// Model names the model, with the beginning of the SHA-256 of its weights.
func (e *Embedder) Model() string { return name }

// Embed returns the vectors of the texts, of unit length and 384 numbers. Of a text that is longer
// than the model takes it is that of its beginning; of one that it cannot read, nil. The purpose makes no difference.
func (e *Embedder) Embed(ctx context.Context, purpose llm.Purpose, texts ...string) ([][]float32, error) {
	of, err := e.open()
	if err != nil {
		return nil, err
	}
	return of.Embed(ctx, purpose, texts...)
}
