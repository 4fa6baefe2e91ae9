// Package llm is the port to language models: what the engine asks of them and what it may rely on.
//
// An Embedder turns texts into vectors whose nearness is nearness of meaning; a Generator writes answers of a given
// shape. Nothing in stemma needs a model: without one, search goes by words alone and memory by plain rules.
//
// Who writes an Embedder or a Generator gives it to stemma.Config. Question.Render writes a question down so that no
// text in it can pass for an instruction, and Unmarked undoes in the answer what Render did to spaces. Package
// llmtest has models for tests.
package llm

import (
	"context"
	"errors"
)

// A Purpose says what a vector is for. Some models embed a question otherwise than the texts that may answer it.
type Purpose uint8

// The purposes.
const (
	Document Purpose = iota // a text to be found
	Query                   // a text to find others by
)

// An Embedder turns texts into vectors. Implementations may be used from several goroutines at once.
//
// Stemma relies on nothing that an implementation promises. It asks for at most 64 texts of 8 KiB at a time, gives up
// a call that takes too long, and makes vectors of unit length.
type Embedder interface {
	// Model names what made the vectors, with a digest where there is one. It does not change in the life of
	// the Embedder. Vectors of two names never compare.
	Model() string

	// Embed returns one vector of unit length for each text, in the order of the texts and all of one dimension.
	// A nil vector says that the model finds nothing in that text, for instance no word it knows: there is
	// nothing to store for it and nothing to look for.
	Embed(ctx context.Context, purpose Purpose, texts ...string) ([][]float32, error)
}

// Local is an Embedder that works in this process. It is quick, and nothing leaves the machine: a search may have it
// embed what has no vector yet.
type Local interface {
	Embedder

	// Unrelated is how near the vectors of two texts are that have nothing to do with each other.
	Unrelated() float64
}

// The ways in which an embedder or a generator fails, for errors.Is. The text of an error says more.
var (
	// ErrUnavailable: down, slow or overloaded. The same request may be answered later.
	ErrUnavailable = errors.New("the model cannot be reached")
	// ErrRefused: a wrong key, an unknown model, a request the server does not take. Asking again is no use
	// before somebody has changed the settings.
	ErrRefused = errors.New("the model does not take the request")
	// ErrNonsense: an answer that cannot be used: not what was asked for, the wrong count, numbers that are
	// none, a vector of zeros, another dimension than before.
	ErrNonsense = errors.New("the model's answer makes no sense")
)
