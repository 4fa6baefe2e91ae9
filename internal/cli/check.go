package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) checkCmd() *cobra.Command {
	c := cmd("check [REF…]", "Find memories whose code has changed", `Examples:
  stemma check                     committed code, since the last check
  stemma check --uncommitted       the working tree
  stemma check --interactive       decide on each memory
  stemma check note:5d11 --json

Each memory is verified (same bytes), needs_review (changed), stale (file or
symbol gone) or unknown (cannot be checked). Exit code 1: at least one memory
needs a review`)
	var in api.CheckRequest
	f := c.Flags()
	f.BoolVar(&in.All, "all", false, "also show verified memories")
	f.BoolVar(&in.Uncommitted, "uncommitted", false, "compare with the working tree, not the last commit")
	ask := f.Bool("interactive", false, "ask what to do with each: verify, revise, reject, skip")
	quiet := f.Bool("hook", false, "for git hooks: show only what needs a review, and never fail")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *ask && !a.interactive() {
			return fmt.Errorf("check --interactive: needs a terminal; without one, use 'stemma check' and 'stemma verify REF'")
		}
		bad := 0
		look := func(ctx context.Context, in api.CheckRequest) (api.CheckReply, error) {
			r, err := call(ctx, a, (*engine.Engine).Check, in)
			bad = needLook(r)
			return r, err
		}
		err := verbAs(a, look, func(args []string) (api.CheckRequest, error) {
			in.Refs = args
			return in, nil
		}, func(r api.CheckReply) error {
			if *ask {
				return a.checkEach(cmd.Context(), r)
			}
			return a.showCheck(r, *quiet)
		})(cmd, args)
		switch {
		case *quiet && err != nil:
			a.hint("stemma check: %v", err)
			return nil
		case err != nil || *quiet || bad == 0 || *ask:
			return err
		}
		return errFailed
	}
	return c
}

// needLook counts the memories that need one.
func needLook(r api.CheckReply) int { return r.Counts["needs_review"] + r.Counts["stale"] }

func (a *app) showCheck(r api.CheckReply, quiet bool) error {
	if quiet && needLook(r) == 0 {
		return nil
	}
	for _, m := range r.Memories {
		if !quiet || m.State == "needs_review" || m.State == "stale" {
			a.showChecked(m)
		}
	}
	if quiet {
		a.hint("%s; to decide: stemma check --interactive", looks(needLook(r)))
		return nil
	}
	if r.Plain != "" {
		a.hint("%s; the files alone decided", r.Plain)
	}
	switch {
	case r.Checked == 0:
		a.hint("no memory names code; add it with --file PATH#SYMBOL or 'stemma verify REF --file …'")
	default:
		a.hint("%s with %s: %d verified, %d to review, %d stale, %d unknown", count(r.Checked, "memory", "memories"),
			count(r.Refs, "code reference", "code references"), r.Counts["verified"], r.Counts["needs_review"],
			r.Counts["stale"], r.Counts["unknown"])
	}
	return nil
}

func looks(n int) string {
	if n == 1 {
		return "1 memory needs a review"
	}
	return fmt.Sprintf("%d memories need a review", n)
}

func (a *app) showChecked(m api.Checked) {
	w := a.env.Stdout
	id := strings.TrimPrefix(m.Ref, m.Type+":")
	fmt.Fprintf(w, "%s  %s %s\n", a.paint(stateColor[m.State], fmt.Sprintf("%-12s", m.State)), a.ref(m.Type, id),
		cited(m.Headline))
	for _, reason := range m.Reasons {
		fmt.Fprintf(w, "    %s\n", whole(reason))
	}
	if len(m.Reasons) == 0 {
		for _, f := range m.Files {
			fmt.Fprintf(w, "    %s\n", whole(f.Ref))
		}
	}
	if m.VerifiedByAgent {
		fmt.Fprintln(w, "    verified by an agent, not by a person")
	}
}

// checkEach goes through the memories that are not verified, with a person at the terminal.
func (a *app) checkEach(ctx context.Context, r api.CheckReply) error {
	in := bufio.NewReader(a.env.Stdin)
	asked := 0
	for _, m := range r.Memories {
		if m.State == "verified" {
			continue
		}
		asked++
		a.showChecked(m)
		err := a.checkOne(ctx, in, m)
		if errors.Is(err, errQuit) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if asked == 0 {
		a.hint("%s with code references; none needs a review", count(r.Checked, "memory", "memories"))
	}
	return nil
}

// checkOne asks a person about one memory whose code changed.
func (a *app) checkOne(ctx context.Context, in *bufio.Reader, m api.Checked) error {
	return a.choose(in,
		choice{"verify", func() error { return a.verifyOne(ctx, api.VerifyRequest{Ref: m.Ref, Method: "looked"}) }},
		choice{"edit", func() error { return a.editOne(ctx, in, stillThere(m)) }},
		choice{"reject", func() error {
			return a.decideOne(ctx, (*engine.Engine).Reject, m.Ref, "the code it names has changed")
		}})
}

// stillThere asks for a revision that names the code that is still there, as it is now: a
// person who says again what code was said has looked at it.
func stillThere(m api.Checked) api.ReviseRequest {
	in := api.ReviseRequest{Ref: m.Ref}
	for _, f := range m.Files {
		if f.State != "stale" {
			in.Files = append(in.Files, or(f.Now, f.Ref))
		}
	}
	if len(in.Files) == 0 {
		in.Clear = []string{"files"}
	}
	return in
}

func (a *app) verifyOne(ctx context.Context, in api.VerifyRequest) error {
	r, err := call(ctx, a, (*engine.Engine).Verify, in)
	if err != nil {
		return err
	}
	return a.showVerified(r)
}

func (a *app) verifyCmd() *cobra.Command {
	c := cmd("verify REF", "Confirm that a memory still holds for the current code", `Examples:
  stemma verify note:5d11
  stemma verify note:5d11 --file internal/store/open.go#Open
  stemma meta verify belief a04e`)
	var in api.VerifyRequest
	f := c.Flags()
	f.StringArrayVar(&in.Files, "file", nil, "code it names now, replacing the earlier code; repeatable")
	f.StringVar(&in.Method, "method", "", "how you checked it, in one word")
	f.StringVar(&in.Notes, "notes", "", "notes")
	c.RunE = verb(a, (*engine.Engine).Verify, func(args []string) (api.VerifyRequest, error) {
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, a.showVerified)
	return c
}

func (a *app) showVerified(r api.VerifyReply) error {
	by := ""
	if r.ByAgent {
		by = " by an agent"
	}
	kind, id, _ := strings.Cut(r.Ref, ":")
	fmt.Fprintf(a.env.Stdout, "%s verified%s, %s, confidence %s", a.ref(kind, id), by, or(r.Tier, "raw words"),
		decimal(r.Confidence))
	if r.Confidence != r.ConfidenceBefore {
		fmt.Fprintf(a.env.Stdout, " (was %s)", decimal(r.ConfidenceBefore))
	}
	fmt.Fprintln(a.env.Stdout)
	for _, f := range r.CodeRefs {
		fmt.Fprintf(a.env.Stdout, "  pinned %s\n", whole(f))
	}
	if len(r.Missing) > 0 {
		a.hint("not grounded: %s; for details: stemma show %s", strings.Join(r.Missing, ", ")+" missing", shortRef(r.Ref))
	}
	return nil
}
