// Package cli is the face for people at a terminal and for scripts: each verb
// is flags, a request to the engine, and its reply rendered or given as JSON.
package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/ops"
)

// Run carries out args and returns the exit code.
func Run(ctx context.Context, args []string, env Env) int {
	collectLate()
	a := &app{env: env, run: Run}
	if len(args) == 1 && args[0] == "version" {
		args = []string{"--version"}
	}
	args = textsLast(args)
	a.passes = a.storePass
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
	return a.finish(ctx, c, err)
}

// finish closes what was opened, reports an error in the words that fit, and returns the exit code.
func (a *app) finish(ctx context.Context, c *cobra.Command, err error) int {
	if _, is := errors.AsType[ran](err); err != nil && !is {
		err = argued(c, err)
	}
	if err != nil {
		err = a.withFound(ctx, err)
	}
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	if stopped, is := errors.AsType[Interrupted](context.Cause(ctx)); is && err != nil && !errors.As(err, new(unkept)) {
		err = stopped // whatever it was doing
	}
	a.ran = c
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

// arguments rewords cobra's message about too few or too many arguments, "" for anything else.
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

// report prints an error in one line and returns the exit code.
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
	program := cmp.Or(a.program, "stemma")
	fmt.Fprintln(a.env.Stderr, program+": "+clean(text))
	if status.Exit == ops.ExitUsage && !errors.As(err, new(errGone)) {
		if a.ran != nil && a.ran.HasParent() {
			fmt.Fprintf(a.env.Stderr, "examples: %s --help\n", a.ran.CommandPath())
		} else {
			fmt.Fprintf(a.env.Stderr, "the verbs: %s help\n", program)
		}
	}
	return status.Exit
}
