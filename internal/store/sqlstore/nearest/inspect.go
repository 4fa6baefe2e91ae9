package nearest

import (
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/vec"
)

// What follows is for who asks how a search was done: the answers do not say it.

// Codes returns the codes of a model by its number, and whether a file has them; nil where none were made.
func (c *Copies) Codes(model int) (x *vec.Index, filed bool) {
	c.codes.mu.Lock()
	of := c.codes.of[model]
	c.codes.mu.Unlock()
	if of == nil {
		return nil, false
	}
	of.mu.RLock()
	defer of.mu.RUnlock()
	return of.index, of.filed
}

// Coded counts the models of which codes were made.
func (c *Copies) Coded() int {
	c.codes.mu.Lock()
	defer c.codes.mu.Unlock()
	return len(c.codes.of)
}

// Shut closes the codes of a model, so that the next search opens them.
func (c *Copies) Shut(model int) error {
	c.codes.mu.Lock()
	of := c.codes.of[model]
	c.codes.mu.Unlock()
	if of == nil {
		return nil
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	return of.shut()
}

// Extension returns the schema of pgvector; "" where there is none, or none was asked for.
func (c *Copies) Extension() string {
	c.near.mu.Lock()
	defer c.near.mu.Unlock()
	return c.near.schema
}

// WithoutExtension has searches take it that the server has no pgvector.
func (c *Copies) WithoutExtension() {
	c.near.mu.Lock()
	defer c.near.mu.Unlock()
	c.near.asked, c.near.schema = true, ""
}

// Statements are the statements of a search.
func Statements() map[string]string {
	return map[string]string{
		"new vectors": vectorsAfterQuery,
		"candidates":  session.Spread(judgeQuery, 64),
		"vectors":     session.Spread(vectorsQuery, 64),
		"kinds":       session.Spread(kindsQuery, 4),
		"a number":    ordQuery,
	}
}
