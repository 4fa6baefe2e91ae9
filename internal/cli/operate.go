package cli

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// A method is the method of the engine that carries out an operation. A server learns by it
// which operation is meant.
type method[In, Out any] = func(*engine.Engine, context.Context, In) (Out, error)

// verb is a command that does one operation and shows its reply.
func verb[In, Out any](a *app, do method[In, Out], request func(args []string) (In, error),
	show func(Out) error) func(*cobra.Command, []string) error {
	return a.verb(do, request, show)
}

// verbAs is verb for what does more than the operation: it looks at the reply
// before it is shown, or shows how far it has come.
func verbAs[In, Out any](a *app, do func(context.Context, In) (Out, error), request func(args []string) (In, error),
	show func(Out) error) func(*cobra.Command, []string) error {
	return a.verb(do, request, show)
}

// verb is what every command of one operation does. The two above check its types.
//
//go:noinline
func (a *app) verb(do, request, show any) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		in, err := ops.Invoke(request, args)
		if err != nil {
			return err
		}
		var out any
		if ofEngine := reflect.TypeOf(do).NumIn() == 3; ofEngine {
			out, err = a.call(cmd.Context(), do, in)
		} else {
			out, err = ops.Invoke(do, cmd.Context(), in)
		}
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		end := func() error { return nil }
		if wrapsReply(ops.NameOf(do)) {
			end = a.wrapped()
		}
		_, err = ops.Invoke(show, out)
		if err = errors.Join(err, end()); err != nil {
			return ran{err}
		}
		return nil
	}
}

// showsMemories are the writing operations whose replies show words of memories.
var showsMemories = []string{"accept_suggestion", "consolidate", "correct", "edit_suggestion", "forget_run", "process",
	"reject_suggestion", "remember", "resolve", "revise_beliefs", "run_jobs", "synthesize"}

// wrapsReply reports whether the reply of an operation wraps at a terminal: where it shows memories. What others
// write may be a command or a code to copy.
func wrapsReply(name string) bool {
	op, known := ops.Find(name)
	return known && !op.Writes || slices.Contains(showsMemories, name)
}

// call does an operation: on the store, or with --url on a server, which is told
// its name.
func call[In, Out any](ctx context.Context, a *app, do method[In, Out], in In) (Out, error) {
	got, err := a.call(ctx, do, in)
	out, _ := got.(Out)
	return out, err
}

// call does the operation of a method: by its name at a server, or here.
func (a *app) call(ctx context.Context, do, in any) (any, error) {
	c, err := a.remote()
	if err != nil {
		return nil, err
	}
	name := ops.NameOf(do)
	if c != nil {
		if name == "" {
			return nil, api.Invalid("--url: a server has no such operation")
		}
		out := reflect.New(reflect.TypeOf(do).Out(0))
		text, err := client.Do[any, json.RawMessage](ctx, c, name, in)
		if err == nil {
			err = json.Unmarshal(text, out.Interface())
		}
		return out.Elem().Interface(), err
	}
	open := a.open
	if a.onlyReads(name, in) {
		open = a.openToRead
	}
	e, err := open(ctx)
	if err != nil {
		return nil, err
	}
	done := a.ticking()
	out, err := ops.Invoke(do, e, ctx, in)
	done()
	if err == nil {
		e.NoteReply(ctx, name, out)
	}
	return out, err
}
