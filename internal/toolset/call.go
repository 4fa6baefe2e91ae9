package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

// Do calls one of the six tools by its name in an engine's voice, which is an agent's. A failure that other
// arguments would avoid is an answer, such as "not_found: …", which is no JSON. An error is
// what no model can mend.
func Do(ctx context.Context, e *engine.Engine, name string, raw json.RawMessage) (string, error) {
	op, ok := ops.Find(name)
	if !ok || !Shortened(op.Name) {
		return "", fmt.Errorf("there is no tool %q", name)
	}
	text, err := answer(ctx, e, op, raw)
	if err == nil {
		return string(text), nil
	}
	if ctx.Err() != nil || !mendable(err) {
		return "", err
	}
	return Failure(err), nil
}

func answer(ctx context.Context, e *engine.Engine, op ops.Op, raw json.RawMessage) (json.RawMessage, error) {
	c, err := Read(op, raw, "api")
	if err != nil {
		return nil, err
	}
	out, err := c.Do(ctx, e)
	if err != nil {
		return nil, err
	}
	return c.Answer(out, e.C.Zone)
}

// A Call is one call of an operation by a model. Each face reads it, does it and answers it in this way.
type Call struct {
	Args []byte // the request

	op      ops.Op
	members map[string]json.RawMessage // of the request; nil where it is no object
	whole   bool                       // the caller wants the whole answer, as other faces give it
}

// Read reads the arguments of a call. It puts them in our words, refuses members that a model must not set, and adds
// those that follow from the connection: source is where the words come from. The call is there beside an error too.
func Read(op ops.Op, raw json.RawMessage, source string) (*Call, error) {
	c := &Call{op: op, Args: raw}
	if len(bytes.TrimSpace(raw)) > 0 {
		err := strict.Check(raw, nil) // a map would keep one of two
		if err == nil {
			if err = json.Unmarshal(raw, &c.members); err != nil {
				err = fmt.Errorf("the arguments must be an object: %w", err)
			}
		}
		switch {
		case err != nil && writers[op.Name]:
			return c, api.Invalid("%s: %v", op.Name, err)
		case err != nil:
			return c, nil // the operation says what is wrong with it
		}
	}
	if c.members == nil { // or null
		c.members = make(map[string]json.RawMessage)
	}
	changed, err := op.Spell(c.members)
	if err != nil {
		return c, api.Invalid("%s: %v", op.Name, err)
	}
	set := func(name, text string) {
		c.members[name], _ = json.Marshal(text) // a text can be written
		changed = true
	}
	if wants, has := c.members["verbose"]; has && shortened[op.Name] {
		if json.Unmarshal(wants, &c.whole) != nil {
			return c, api.Invalid("%s: verbose: must be true or false", op.Name)
		}
		delete(c.members, "verbose")
		changed = true
	}
	for name := range c.members {
		if slices.ContainsFunc(Withheld(op.Name), func(o string) bool { return strings.EqualFold(o, name) }) {
			return c, api.Invalid("%s: %s is not the caller's to say here; leave it out", op.Name, name)
		}
	}
	switch op.Name {
	case "capture", "remember", "correct":
		set("source", source)
	case "recall":
		if c.members["form"] == nil && !c.whole { // the budget counts what is given
			set("form", api.FormShort)
		}
	}
	if changed {
		c.Args, err = json.Marshal(c.members)
	}
	return c, err
}

// Ref is the record that a call is about, as it names it; "" is none.
func (c *Call) Ref() string {
	var named string
	if json.Unmarshal(c.members["ref"], &named) != nil || named == "" {
		var several []string
		if json.Unmarshal(c.members["refs"], &several) == nil && len(several) > 0 {
			named = several[0]
		}
	}
	var ref memory.Ref
	if ref.UnmarshalText([]byte(named)) != nil {
		return ""
	}
	return named
}

// Do does the operation. One that panics fails by itself: the process serves others.
func (c *Call) Do(ctx context.Context, e *engine.Engine) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", c.op.Name, p)
		}
	}()
	return c.op.Do(ctx, e, c.Args)
}

// Answer writes what a model reads of a reply: the short form, unless it wanted the whole, as
// JSON that is harmless to it. The short form has its days in a zone.
func (c *Call) Answer(reply any, zone *time.Location) (json.RawMessage, error) {
	if short, has := brief.Of(reply, zone); has && !c.whole && shortened[c.op.Name] {
		reply = short
	}
	return Plain(reply)
}

// mendable reports whether other arguments could avoid a failure.
func mendable(err error) bool {
	return slices.ContainsFunc(
		[]error{api.ErrNotFound, api.ErrInvalid, api.ErrConflict, api.ErrAmbiguous, api.ErrForbidden},
		func(kind error) bool { return errors.Is(err, kind) },
	)
}

// Failure is what a model reads of an error: its kind and one line.
func Failure(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; ")
	return Harmless(ops.StatusOf(err).Name + ": " + text)
}

// shortened are the operations that answer in short unless the caller wants the whole.
var shortened = map[string]bool{
	"recall": true, "remember": true, "correct": true, "why": true, "recent": true, "status": true,
}

// Shortened reports whether an operation answers a model in short, unless the caller wants the
// whole with verbose.
func Shortened(op string) bool { return shortened[op] }

// The members of requests that follow from the connection: a model cannot speak in
// another conversation, whose marks it would leave behind.
var (
	own     = []string{"source", "session", "approve", "blob"}
	writers = map[string]bool{
		"capture": true, "remember": true, "correct": true, "promote": true, "add": true, "consolidate": true,
		"revise": true,
	}
)

// Withheld are the members of an operation's request that a model must not set.
func Withheld(op string) []string {
	if !writers[op] {
		return nil
	}
	return own
}
