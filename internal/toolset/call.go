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
	asked, whole := Verbose(op.Name, raw)
	said, err := op.Spelled(asked)
	if err != nil {
		return nil, api.Invalid("%s: %v", op.Name, err)
	}
	args, err := Arguments(op.Name, said, "api")
	if err != nil {
		return nil, err
	}
	out, err := Perform(ctx, op, e, Formed(op.Name, args, whole))
	if err != nil {
		return nil, err
	}
	return Answer(op.Name, out, whole, e.C.Zone)
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

// Verbose takes the member out of the arguments of a call by which the caller wants the whole
// answer, as other faces give it.
func Verbose(op string, raw json.RawMessage) (rest json.RawMessage, whole bool) {
	var in map[string]json.RawMessage
	if !shortened[op] || !bytes.Contains(raw, []byte(`"verbose"`)) || strict.Check(raw, nil) != nil ||
		json.Unmarshal(raw, &in) != nil || json.Unmarshal(in["verbose"], &whole) != nil {
		return raw, false
	}
	delete(in, "verbose")
	rest, err := json.Marshal(in)
	if err != nil {
		return raw, false
	}
	return rest, whole
}

// Formed adds to the arguments of a recall that the answer is given in short, so that its budget counts that form.
func Formed(op string, args []byte, whole bool) []byte {
	if op != "recall" || whole {
		return args
	}
	in := make(map[string]json.RawMessage)
	if len(bytes.TrimSpace(args)) > 0 && json.Unmarshal(args, &in) != nil || in["form"] != nil {
		return args // the operation says what is wrong with it
	}
	if in == nil { // null
		in = make(map[string]json.RawMessage)
	}
	in["form"], _ = json.Marshal(api.FormShort)
	out, err := json.Marshal(in)
	if err != nil {
		return args
	}
	return out
}

// Perform does an operation. One that panics fails by itself: the process serves others.
func Perform(ctx context.Context, op ops.Op, e *engine.Engine, args []byte) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", op.Name, p)
		}
	}()
	return op.Do(ctx, e, args)
}

// Answer writes what a model reads of a reply: the short form, unless it wanted the whole, as
// JSON that is harmless to it. The short form has its days in a zone.
func Answer(op string, reply any, whole bool, zone *time.Location) (json.RawMessage, error) {
	if short, has := brief.Of(reply, zone); has && !whole && shortened[op] {
		reply = short
	}
	return Plain(reply)
}

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

// Arguments reads a request, refuses members that the caller must not set, and adds those that
// follow from the connection: source is where the words come from.
func Arguments(op string, raw json.RawMessage, source string) ([]byte, error) {
	if !writers[op] {
		return raw, nil
	}
	in := make(map[string]json.RawMessage)
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := strict.Check(raw, nil); err != nil { // a map would keep one of two
			return nil, api.Invalid("%s: %v", op, err)
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, api.Invalid("%s: the arguments must be an object: %v", op, err)
		}
	}
	for name := range in {
		if slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, name) }) {
			return nil, api.Invalid("%s: %s is not the caller's to say here; leave it out", op, name)
		}
	}
	if op == "capture" || op == "remember" || op == "correct" {
		if in == nil { // null
			in = make(map[string]json.RawMessage)
		}
		in["source"], _ = json.Marshal(source)
	}
	return json.Marshal(in)
}
