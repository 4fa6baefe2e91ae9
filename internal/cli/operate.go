package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// A method is one of the engine that does an operation, as the method itself: by it
// a server is told which one is meant.
type method[In, Out any] = func(*engine.Engine, context.Context, In) (Out, error)

// verb is a command that does one operation and shows its reply.
func verb[In, Out any](a *app, do method[In, Out], request func(args []string) (In, error),
	show func(Out) error) func(*cobra.Command, []string) error {
	return verbAs(a, func(ctx context.Context, in In) (Out, error) { return call(ctx, a, do, in) }, request, show)
}

// verbAs is verb for what does more than the operation: it looks at the reply
// before it is shown, or shows how far it has come.
func verbAs[In, Out any](a *app, do func(context.Context, In) (Out, error), request func(args []string) (In, error),
	show func(Out) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		in, err := request(args)
		if err != nil {
			return err
		}
		out, err := do(cmd.Context(), in)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		if err := show(out); err != nil {
			return ran{err}
		}
		return nil
	}
}

// call does an operation: on the store, or with --url on a server, which is told
// its name.
func call[In, Out any](ctx context.Context, a *app, do method[In, Out], in In) (Out, error) {
	local := func(e *engine.Engine, ctx context.Context, in In, _ func(int)) (Out, error) { return do(e, ctx, in) }
	return callAt(ctx, a, do, local, in, nil)
}

// callAt is call for an operation that says how far it has come. A server does
// not.
func callAt[In, Out any](ctx context.Context, a *app, do method[In, Out],
	local func(*engine.Engine, context.Context, In, func(int)) (Out, error),
	in In, progress func(int)) (Out, error) {
	var out Out
	c, err := a.remote()
	if err != nil {
		return out, err
	}
	if c != nil {
		name := ops.NameOf(do)
		if name == "" {
			return out, api.Invalid("--url: a server has no such operation")
		}
		return client.Do[In, Out](ctx, c, name, in)
	}
	open := a.open
	if a.onlyReads(ops.NameOf(do), in) {
		open = a.openToRead
	}
	e, err := open(ctx)
	if err != nil {
		return out, err
	}
	if out, err = local(e, ctx, in, progress); err == nil {
		e.NoteReply(ctx, ops.NameOf(do), out)
	}
	return out, err
}
