// Package importers reads what was somewhere else before: the commits of a git
// repository, the conversations of LoCoMo, and lines of JSON for all the rest.
//
// Each reader gives a sequence for Engine.Ingest. The same input gives the same
// records with the same aliases, in an order in which sources come before what
// was derived from them; that is what makes an import idempotent and lets it be
// cut off and begun again. Nothing here stores anything. Docs/reference/imports.md says what
// becomes of each thing read.
package importers

import (
	"iter"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A Sequence is what a reader gives: records, or the error that ends them.
type Sequence = iter.Seq2[api.Foreign, error]

// imported is the source of every raw made here.
const imported = "import"

// Kinds of event that raws made here are.
const (
	turn   = "turn"
	commit = "commit"
)

// none is the sequence of nothing.
func none(func(api.Foreign, error) bool) {}

// speaker returns a name as a raw or a note can hold it.
func speaker(name string) string {
	return strings.TrimSpace(shorten.To(strings.TrimSpace(name), memory.MaxNameBytes))
}
