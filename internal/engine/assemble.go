package engine

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Open opens the store that spec names: "sqlite:PATH" or a path, "postgres://…",
// or "mem". It makes what is not there yet; the keys are made by the first
// write, not here.
func Open(ctx context.Context, spec string, c Config) (*Engine, error) {
	c.fill()
	if err := checkShelf(c.Space); err != nil {
		return nil, sorted(err)
	}
	if err := checkSecrets(c.Secrets); err != nil {
		return nil, err
	}
	if c.KeyDir == "" {
		c.KeyDir = keysBeside(spec)
	}
	if c.Embedder != nil {
		c.Embedder = llm.Checked(c.Embedder)
	}
	s, err := openBoth(ctx, spec, c)
	if err = sorted(err); err != nil && !hasKind(err) {
		err = &failure{kind: api.ErrUnavailable, text: oneLine(err)}
	}
	if err != nil {
		return nil, err
	}
	if c.Keep == 0 {
		c.Keep = keepReceipts
	}
	e := &Engine{common: &common{store: s}, scored: &scored{}, noted: &noted{}, c: c}
	e.given.file = journal.Open(c.Receipts, c.Keep)
	e.given.name(spec, c.Receipts)
	if c.Receipts != "" && c.Earlier != "" && c.Earlier != c.Receipts {
		e.given.before = journal.Open(c.Earlier, c.Keep)
	}
	e.whenPurged()
	if e.swept.file = sweptFile(spec, c); e.swept.file != "" {
		e.given.later(func() { _ = e.sweep(context.Background()) }) // or the next receipt does it
	}
	if c.LLM != nil {
		if c.Bounds.Ledger == nil {
			c.Bounds.Ledger = tokens{e}
		}
		e.llm = c.Bounds.Checked(c.LLM)
	}
	return e, nil
}

// As gives the engine as a caller may use it: the same store and keys, another
// voice. A face that serves many has one for each. Only the engine that Open
// gave is closed.
func (e *Engine) As(who Caller) (*Engine, error) {
	c := e.c
	c.Origin, c.Agent, c.Platform = who.Origin, who.Agent, who.Platform
	c.Session, c.Sessions, c.Unnamed = who.Session, who.Sessions, who.Unnamed
	if c.Origin == "" {
		c.Origin = memory.OriginAgent
	}
	if c.KeySession != "" && c.Origin == memory.OriginOwner {
		return nil, &failure{kind: api.ErrForbidden, text: "the key of a session does not speak for its owner"}
	}
	if who.Space != "" {
		c.Space = who.Space
	}
	if err := checkShelf(c.Space); err != nil {
		return nil, sorted(err)
	}
	return &Engine{common: e.common, scored: e.scored, noted: e.noted, c: c}, nil
}

// keepReceipts is how many bytes of receipts are kept unless told otherwise.
const keepReceipts = 8 << 20

// Close writes down what was read and closes the store.
func (e *Engine) Close() error {
	e.given.wait()
	err := e.flushTouched(context.Background())
	if errors.Is(err, store.ErrFull) {
		err = nil // what was read was given: on a full disk it counts as never read
	}
	if closeErr := e.store.Close(); closeErr != nil {
		return closeErr
	}
	return err
}

// keysBeside gives the key directory of a store whose user named none.
func keysBeside(spec string) string {
	if path, ok := sqlitePath(spec); ok {
		return filepath.Join(filepath.Dir(path), "keys")
	}
	return "" // no directory: the first write says so
}
