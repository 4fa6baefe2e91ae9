package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// Prefixed puts words before each text, as some models were trained to want: "query: " and "passage: ", or
// "search_query: " and "search_document: ". They are part of the Model, since they change every vector. With
// both empty it gives e itself.
func Prefixed(e Embedder, query, document string) Embedder {
	if query == "" && document == "" {
		return e
	}
	sum := sha256.Sum256([]byte(query + "\x00" + document))
	return &prefixed{Embedder: e, query: query, document: document, mark: "+prefix:" + hex.EncodeToString(sum[:4])}
}

type prefixed struct {
	Embedder
	query, document, mark string
}

func (p *prefixed) Model() string { return p.Embedder.Model() + p.mark }

func (p *prefixed) Embed(ctx context.Context, purpose Purpose, texts ...string) ([][]float32, error) {
	prefix := p.document
	if purpose == Query {
		prefix = p.query
	}
	long := make([]string, len(texts))
	for i, text := range texts {
		long[i] = prefix + text
	}
	return p.Embedder.Embed(ctx, purpose, long...)
}
