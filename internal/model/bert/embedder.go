// Package bert embeds texts by a model of the kind of BERT, in this process: its own pass over weights of 8 bits, on
// one core. A text's vector is the mean of its tokens' after the last layer, or that of the first.
package bert

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

const (
	passageTokens = 200 // of a text that is longer than the model takes, in one passage
	sentenceRoom  = 50  // tokens before the end of a passage, among which the end of a sentence is looked for
	maxPassages   = 16  // of one text
	unknownShare  = 5   // one unknown piece in so many is too much
)

// Options are what an Embedder is told beside its weights.
type Options struct {
	Name       string // what Model gives
	Tokens     int    // most of a text, the two included that mark its ends; 0 means as many as there are positions
	Begin, End int    // the tokens that mark the ends of a text
	Unknown    int    // the token of what is unknown
	Ends       []int  // the tokens that end sentences
	Query      string // what stands before a question
	Document   string // what stands before a text to be found

	// Continues tells a token that goes on in a word. None does when it is nil.
	Continues func(token int) bool

	// Reads says whether the pieces of a passage are of a language that the model knows. All are when it is nil.
	Reads func(pieces []int) bool
}

// Embedder is an llm.Embedder, and gives the vectors of all passages of a long text.
type Embedder struct {
	options Options
	words   *tokenizer.Tokenizer
	runner  *runner
}

var _ llm.Passager = (*Embedder)(nil)

// New makes an Embedder of weights and the tokenizer they belong to.
func New(w *Weights, words *tokenizer.Tokenizer, o Options) *Embedder {
	most := w.shape.Positions
	if o.Tokens > 2 {
		most = min(most, o.Tokens)
	}
	return &Embedder{options: o, words: words, runner: newRunner(w, most)}
}

// Model names the weights and the tokenizer.
func (e *Embedder) Model() string { return e.options.Name }

// Dims is the dimension of the vectors.
func (e *Embedder) Dims() int { return e.runner.weights.shape.Hidden }

// Embed returns the vectors of the texts, of unit length: of a text that is longer than the model takes that of its
// first passage, and nil where the model cannot read it.
func (e *Embedder) Embed(ctx context.Context, purpose llm.Purpose, texts ...string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some, err := e.passages(ctx, purpose, text, 1)
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			vectors[i] = some[0]
		}
	}
	return vectors, nil
}

// Passages returns the vectors of a text's passages, of unit length, of at most its first sixteen: one of a text that
// the model takes whole, none of a text that it cannot read. The nearest of them tells how near the text is. The
// first is what Embed returns.
func (e *Embedder) Passages(ctx context.Context, purpose llm.Purpose, text string) ([][]float32, error) {
	return e.passages(ctx, purpose, text, maxPassages)
}

func (e *Embedder) passages(ctx context.Context, purpose llm.Purpose, text string, most int) ([][]float32, error) {
	before := e.options.Document
	if purpose == llm.Query {
		before = e.options.Query
	}
	var head []int
	if before = strings.TrimRight(before, " "); before != "" {
		head = e.words.Pieces(before, e.runner.tokens/2)
	}
	room := e.runner.tokens - 2 - len(head)
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var vectors [][]float32
	for _, passage := range e.cut(e.words.Pieces(text, max(room, passageTokens*maxPassages)+1), room) {
		if len(vectors) == most {
			break
		}
		if !e.reads(passage) {
			continue
		}
		vector, err := e.runner.run(ctx, e.tokens(head, passage))
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, vector)
	}
	return vectors, nil
}

// tokens are those of a passage as the model takes it.
func (e *Embedder) tokens(head, passage []int) []int {
	tokens := make([]int, 0, len(head)+len(passage)+2)
	tokens = append(append(append(append(tokens, e.options.Begin), head...), passage...), e.options.End)
	for i, token := range tokens {
		if token < 0 || token >= e.runner.weights.shape.Words {
			tokens[i] = e.options.Unknown
		}
	}
	return tokens
}

// reads says whether the model can read a passage: at most a fifth of its pieces are unknown, and it is of a
// language the model knows.
func (e *Embedder) reads(passage []int) bool {
	unknown := 0
	for _, piece := range passage {
		if piece == tokenizer.Unknown {
			unknown++
		}
	}
	return len(passage) > 0 && unknown*unknownShare <= len(passage) &&
		(e.options.Reads == nil || e.options.Reads(passage))
}
