// Package cli is the face for people at a terminal and for scripts: each verb
// is flags, a request to the engine, and its reply rendered or given as JSON.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/owned"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Env is what a command sees of the world.
type Env struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string // where it was called
	Version string

	// MCP serves an agent; nil is a program without that face.
	MCP func(context.Context, MCPRun) error
	// Serve runs a server until its context ends; nil is a program without one.
	Serve func(context.Context, ServeRun) error
	// Serving is called by a verb that answers others until it is ended; nil is no one
	// who wants to know.
	Serving func()

	person  bool // the tour's, which shows what only a person may do
	columns int  // how wide lines may be; 0 is as wide as the terminal
}

// Run does what args say and gives the exit code.
func Run(ctx context.Context, args []string, env Env) int {
	a := &app{env: env, run: Run}
	root := a.root(a.named(args))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	a.mindTypos(root)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeValues(root, flagValues())
	}
	root.SetArgs(asProse(root, args))
	defer context.AfterFunc(ctx, a.hush)()
	c, err := root.ExecuteContextC(ctx)
	if _, is := errors.AsType[ran](err); err != nil && !is {
		err = argued(c, err)
	}
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	if stopped, is := errors.AsType[Interrupted](context.Cause(ctx)); is && err != nil && !errors.As(err, new(unkept)) {
		err = stopped // whatever it was doing
	}
	return a.report(err)
}

// argued says what a verb takes where it was given more or less.
func argued(c *cobra.Command, err error) error {
	said := arguments(err.Error())
	if said == "" {
		return err
	}
	_, words, _ := strings.Cut(c.UseLine(), " ") // without the program
	return fmt.Errorf("%s: %s", strings.TrimSuffix(words, " [flags]"), said)
}

// arguments says in our words what cobra says of too few or too many, "" for anything else.
func arguments(text string) string {
	var want, got int
	for _, x := range []struct{ theirs, ours string }{
		{"accepts %d arg(s), received %d", "needs "}, {"accepts at most %d arg(s), received %d", "takes at most "},
		{"requires at least %d arg(s), only received %d", "needs at least "},
	} {
		if n, err := fmt.Sscanf(text, x.theirs, &want, &got); err == nil && n == 2 {
			return fmt.Sprintf("%s%s, got %d", x.ours, count(want, "argument", "arguments"), got)
		}
	}
	return ""
}

// serving says that the verb answers others until it is ended.
func (a *app) serving() {
	if a.env.Serving != nil {
		a.env.Serving()
	}
}

// app is one run of the command line.
type app struct {
	env    Env
	run    func(context.Context, []string, Env) int // another command line, as the tour does
	flags  globalFlags
	engine *engine.Engine
	server *client.Client     // with --url
	alone  bool               // the verb only writes: no other store is read beside
	embeds bool               // the verb compares or makes vectors
	thinks bool               // the verb drafts or compares memories
	agent  bool               // the verb speaks for an agent, whoever started it
	locks  locks              // how private halves are reached
	who    presence           // who sits at the terminal
	set    *settings.Settings // once they were asked for
	closes []func() error
	busy   atomic.Pointer[bar] // shown while something takes long

	keepSecrets bool // the person says so

	patience   time.Duration // with others that write; 0 is the engine's own
	unattended bool          // nobody is there whom what is run could ask for something
	undrained  bool          // what hooks put aside is not taken in when the store is opened

	list       *owned.List      // the person's own stores, once they were asked for
	judged     map[string]whose // whose a store is, by its spec
	judging    time.Duration    // how long finding that out may take; 0 is no limit
	strict     bool             // a store that is not this person's is not read, even where it was named
	writes     bool             // the verb writes to the store
	absent     bool             // there is no store: the engine stands on an empty one in memory
	hooked     bool             // a host runs us: what is to be said goes to a log
	waiting    bool             // a store that was passed by is older than the list of stores
	noticeText string           // what was said of a store that was passed by
	opened     string           // the spec of the store that is open
}

// globalFlags are those that every verb has.
type globalFlags struct {
	store   string
	space   string
	session string
	color   string
	url     string
	json    bool
	user    bool
	project bool
}

// ran marks an error of a verb itself: any other comes from the reading of the
// command line.
type ran struct{ err error }

func (r ran) Error() string { return r.err.Error() }
func (r ran) Unwrap() error { return r.err }

// Interrupted is the cause with which a command's context ends when somebody ends it.
type Interrupted struct{ Exit int }

func (Interrupted) Error() string { return "interrupted; everything stored so far is kept" }

// errExit ends a run with an exit code and no further words.
type errExit int

func (e errExit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// errFailed is what a check ends with that found something.
const errFailed = errExit(ops.ExitFailed)

// report says what went wrong, in one line, and gives the exit code.
func (a *app) report(err error) int {
	a.hush()
	if err == nil {
		return ops.ExitOK
	}
	var exit errExit
	if errors.As(err, &exit) {
		return int(exit)
	}
	status := ops.Status{Name: "usage", Exit: ops.ExitUsage}
	var r ran
	if errors.As(err, &r) {
		status = ops.StatusOf(err)
	}
	if stopped, is := errors.AsType[Interrupted](err); is {
		status = ops.Status{Name: "interrupted", Exit: stopped.Exit}
	}
	text := inVerbs(strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; "))
	if a.flags.json {
		line, _ := json.Marshal(map[string]any{"error": map[string]any{"kind": status.Name, "message": text,
			"exit": status.Exit}})
		fmt.Fprintln(a.env.Stderr, string(line))
		return status.Exit
	}
	fmt.Fprintln(a.env.Stderr, "stemma: "+clean(text))
	if status.Exit == ops.ExitUsage {
		fmt.Fprintln(a.env.Stderr, "run 'stemma help' for the verbs, 'stemma VERB --help' for examples")
	}
	return status.Exit
}

// reads sets what only matters to verbs that read: what is read beside, and who makes
// vectors.
func (a *app) reads(ctx context.Context, spec string, set *settings.Settings, c *engine.Config) error {
	var err error
	if c.Beside, err = a.besideSpec(spec); err != nil {
		return err
	}
	if a.embeds {
		c.Embedder = a.embedder(ctx, set)
	}
	if a.thinks {
		c.Bounds = llm.Bounds{Timeout: set.Duration("model.timeout"), Budget: set.Int("model.tokens")}
		c.Seed = int64(set.Int("model.seed"))
		c.LLM, err = a.model(set)
	}
	return err
}

func (a *app) close() error {
	var err error
	if a.engine != nil && !a.absent {
		_ = a.made(context.Background(), a.opened, a.engine) // the first words of a new store
		if says := a.engine.Damaged(); says != "" {
			a.hint("warning: %s", says)
		}
	}
	if a.engine != nil {
		err = a.engine.Close()
	}
	for _, c := range a.closes {
		err = errors.Join(err, c())
	}
	if err != nil {
		return ran{err}
	}
	return nil
}

// origin says who speaks: a person when both ends of the conversation are a terminal,
// an agent otherwise, and in a shell that an agent's host marked, unless the passphrase of
// the owner's key was typed.
func (a *app) origin() memory.Origin {
	switch {
	case a.agent:
		return memory.OriginAgent
	case a.env.person:
		return memory.OriginOwner
	case a.terminal() && (a.who.typed || a.marked() == ""):
		return memory.OriginOwner
	}
	return memory.OriginAgent
}

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

// printJSON writes a reply as the other faces do.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.env.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// warn says what was not as it should be, and did not keep a verb from its work.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		a.hint("warning: %s", w)
	}
}

// hint says something to a person that is not data.
func (a *app) hint(format string, args ...any) {
	a.aside()
	fmt.Fprintln(a.env.Stderr, clean(inVerbs(fmt.Sprintf(format, args...))))
}
