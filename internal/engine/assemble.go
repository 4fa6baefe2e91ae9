package engine

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/care"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/gone"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Open opens the store that spec names: "sqlite:PATH" or a path, "postgres://…", or "mem". It
// creates the store if it does not exist. The keys are made by the first write, not here.
func Open(ctx context.Context, spec string, c core.Config) (*Engine, error) {
	none := unnamed(&c)
	c.Fill()
	if err := core.CheckSpace(c.Space); err != nil {
		return nil, core.Classify(err)
	}
	if err := core.CheckSecrets(c.Secrets); err != nil {
		return nil, err
	}
	if err := core.CheckPolicy(c.ReviewPolicy); err != nil {
		return nil, err
	}
	if err := core.CheckReadSpaces(c.ReadSpaces); err != nil {
		return nil, err
	}
	if c.KeyDir == "" {
		c.KeyDir = keyDirOf(spec)
		c.InMemory = spec == core.InMemory
	}
	if c.Embedder != nil {
		c.Embedder = model.Checked(c.Embedder)
	}
	s, err := care.OpenBoth(ctx, spec, c)
	if err = core.Classify(err); err != nil && !core.HasKind(err) {
		err = &core.Failure{Kind: api.ErrUnavailable, Text: core.OneLine(err)}
	}
	if err != nil {
		return nil, err
	}
	if c.Keep == 0 {
		c.Keep = receipts.KeepReceipts
	}
	e := assemble(core.At(&core.Core{Common: &core.Common{}, Store: s, C: c, NoSpace: none}), care.NewShared())
	e.Given.File = journal.Open(c.Receipts, c.Keep)
	e.SealReceipts()
	e.Given.Name(spec, c.Receipts)
	if c.Receipts != "" && c.Earlier != "" && c.Earlier != c.Receipts {
		e.Given.Before = journal.Open(c.Earlier, c.Keep)
	}
	e.WhenPurged()
	if e.Swept.File = receipts.SweptFile(spec, c); e.Swept.File != "" {
		e.Given.Soon(func() { _ = e.Sweep(e.Reading(context.Background())) }) // or the next receipt does it
	}
	_ = CarryOutDue(ctx, e)         // or the next sync does it, and says what it could not
	_ = gone.FinishDue(ctx, e.gone) // or the same command does it
	if c.LLM != nil {
		e.LLM = model.Bounds{Bounds: c.Bounds, Ledger: lifecycle.Tokens{E: e.Lifecycle}}.Checked(c.LLM)
	}
	return e, nil
}

// unnamed reports whether no space was named: a setting then says what else is read.
func unnamed(c *core.Config) bool {
	return c.Space == "" || c.Place != nil && c.Space != core.AllSpaces
}

// As returns the engine as a caller may use it: the same store and keys, another
// voice. A face that serves many has one for each. Only the engine that Open
// gave is closed.
func (e *Engine) As(who core.Caller) (*Engine, error) {
	c := e.C
	c.Origin, c.Agent, c.Platform = who.Origin, who.Agent, who.Platform
	c.Session, c.Sessions, c.Unnamed = who.Session, who.Sessions, who.Unnamed
	if c.Origin == "" {
		c.Origin = memory.OriginAgent
	}
	if c.KeySession != "" && c.Origin == memory.OriginOwner {
		return nil, &core.Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
	}
	none := e.NoSpace
	if c.Place != nil && !c.Everywhere && c.Origin != memory.OriginOwner &&
		(who.Space == core.AllSpaces || who.Place == nil && c.Place.Apart(who.Space)) {
		return nil, &core.Failure{Kind: api.ErrForbidden, Text: "an agent reads its project and what is the person's; only " +
			"a person reads others, or allows it: the setting spaces.everywhere"}
	}
	if who.Space != "" {
		c.Space, c.Place = who.Space, who.Place
		none = unnamed(&c)
	}
	if err := core.CheckSpace(c.Space); err != nil {
		return nil, core.Classify(err)
	}
	voice := core.At(&core.Core{Common: e.Common, Store: e.Store, C: c, NoSpace: none})
	return assemble(voice, e.shared), nil
}

// Close writes down what was read and closes the store.
func (e *Engine) Close() error {
	e.Given.End(e.OnlyWrote())
	err := e.FlushTouched(context.Background())
	if errors.Is(err, store.ErrFull) {
		err = nil // what was read was given: on a full disk it counts as never read
	}
	if closeErr := e.Store.Close(); closeErr != nil {
		return closeErr
	}
	return err
}

// keyDirOf returns the key directory of a store whose user named none.
func keyDirOf(spec string) string {
	if path, ok := core.SQLitePath(spec); ok {
		return filepath.Join(filepath.Dir(path), "keys")
	}
	return "" // no directory: the first write says so
}
