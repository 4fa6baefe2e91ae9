package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/shorten"
)

func (a *app) forgetCmd() *cobra.Command {
	c := cmd("forget REF… | candidates | run | list | protect | unprotect | recover | purge",
		"Leave memories out of answers; you can restore them", `Examples:
  stemma forget note:5d11 --reason "it was oiled"
  stemma forget candidates                  show what a run would forget, and why
  stemma forget run --dry-run
  stemma forget run
  stemma forget list                        list forgotten memories
  stemma forget recover note:5d11
  stemma forget protect episode 81c0        exempt it from runs

Forgetting removes nothing. You can still show a forgotten memory by its ref, and
restore it with 'forget recover'. Traces mark it as forgotten. Only purge removes
words`)
	c.Args = cobra.ArbitraryArgs
	a.sayVerb(c, (*engine.Engine).Forget, func(r api.ForgetReply) error { return a.showSaid(r, "forgotten") })
	purge := a.refVerb(a.purgeCmd(), "")
	c.AddCommand(a.candidatesCmd(), a.forgetRunCmd(), a.forgetListCmd(), a.protectCmd(), a.unprotectCmd(),
		a.recoverCmd(), purge)
	return c
}

// says is a method of the engine that marks memories.
type says = func(*engine.Engine, context.Context, api.ForgetRequest) (api.ForgetReply, error)

// sayVerb makes a verb of such a method.
func (a *app) sayVerb(c *cobra.Command, do says, show func(api.ForgetReply) error) *cobra.Command {
	var in api.ForgetRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, do, func(args []string) (api.ForgetRequest, error) {
		var err error
		in.Refs, err = manyRefs(args, "")
		return in, err
	}, show)
	a.askingWhy(c, c.Name(), allRefs, &in.Reason)
	return a.refVerb(c, "")
}

func (a *app) protectCmd() *cobra.Command {
	c := cmd("protect REF…", "Exempt memories from runs of forgetting", `Examples:
  stemma forget protect episode:81c0
  stemma forget protect episode 81c0 --reason "the release depends on it"`)
	return a.sayVerb(c, (*engine.Engine).Protect, func(r api.ForgetReply) error { return a.showSaid(r, "protected") })
}

func (a *app) unprotectCmd() *cobra.Command {
	c := cmd("unprotect REF…", "Remove a protection", `Examples:
  stemma forget unprotect episode:81c0

You can then forget a value or a drive by its ref. A run never forgets them`)
	return a.sayVerb(c, (*engine.Engine).Unprotect,
		func(r api.ForgetReply) error { return a.showSaid(r, "not protected") })
}

func (a *app) recoverCmd() *cobra.Command {
	c := cmd("recover REF…", "Restore forgotten memories", `Examples:
  stemma forget recover episode:81c0
  stemma forget recover mark:77b0           everything that this act forgot

This counts as an access`)
	return a.sayVerb(c, (*engine.Engine).Recover, func(r api.ForgetReply) error { return a.showSaid(r, "back") })
}

func (a *app) showSaid(r api.ForgetReply, is string) error {
	if r.Claim == "" {
		is = "already " + is
	}
	for _, m := range r.Memories {
		now := is
		if is == "back" && m.Hidden != "" {
			now = "no longer forgotten, still " + m.Hidden
		}
		fmt.Fprintf(a.env.Stdout, "%s %s: %s\n", a.ref(m.Type, m.ID), now, a.ofMemory(m))
	}
	if r.Claim == "" {
		a.hint("no change: it was already so")
	}
	if r.Hint != "" {
		a.hint("%s", inVerbs(r.Hint))
	}
	return nil
}

// cycleFlags are the flags of what a cycle may take.
func cycleFlags(c *cobra.Command, in *api.ForgetRunRequest, limit string) (threshold *float64) {
	f := c.Flags()
	threshold = f.Float64("threshold", 0.3, "forget memories below this salience")
	f.StringVar(&in.MinAge, "min-age", "90d", "only memories unused for this long, such as 90d, 12w, 36h")
	f.StringVar(&in.HalfLife, "half-life", "30d", "time after which salience halves")
	f.IntVar(&in.Limit, "limit", 0, limit)
	f.BoolVar(&in.IncludeApproved, "include-approved", false, "also forget what a person approved")
	c.Args = cobra.NoArgs
	return threshold
}

func (a *app) candidatesCmd() *cobra.Command {
	c := cmd("candidates", "Show what a run would forget, and each salience", `Examples:
  stemma forget candidates
  stemma forget candidates --threshold 0.2 --min-age 180d --half-life 30d
  stemma forget candidates --include-approved --limit -1

salience = confidence × ln(times accessed + 1) / (days since / half-life + 1)

Accesses are: creating a memory, show, trace, citing it as a source, and
'stemma used'. Searches, lists and packs do not count`)
	var in api.ForgetRunRequest
	threshold := cycleFlags(c, &in, "maximum number to show (default 50; -1 for all)")
	c.RunE = verb(a, (*engine.Engine).ForgetCandidates, func([]string) (api.ForgetRunRequest, error) {
		tight()
		in.Threshold = threshold
		return in, nil
	}, func(r api.ForgetRunReply) error {
		return a.showCycle(r, count(r.Count, "candidate", "candidates"), true)
	})
	return c
}

func (a *app) forgetRunCmd() *cobra.Command {
	c := cmd("run", "Forget memories that are rarely used", `Examples:
  stemma forget run --dry-run
  stemma forget run
  stemma forget run --threshold 0.2 --min-age 180d
  stemma forget run --older-than 365d --purge --dry-run    by age alone, and for good
  stemma undo                               takes it back, if nothing else was done since

A run never forgets values, drives, constraints, protected memories, or the only
source of another memory. It forgets what a person approved only with
--include-approved. An agent's run forgets only what agents wrote`)
	var in api.ForgetRunRequest
	threshold := cycleFlags(c, &in, "maximum number (default: all)")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would be forgotten, and change nothing")
	yes := ruleFlags(c, &in)
	c.RunE = verb(a, (*engine.Engine).ForgetRun, func([]string) (api.ForgetRunRequest, error) {
		tight()
		in.Threshold = threshold
		return in, byRule(c, &in, *yes)
	}, func(r api.ForgetRunReply) error {
		did := "forgotten"
		if in.Purge {
			did = "purged"
		}
		if in.DryRun {
			did = "would be " + did
		}
		return a.showCycle(r, count(r.Count, "memory", "memories")+" "+did, in.DryRun)
	})
	return c
}

// ruleFlags are the flags of a rule that goes by age alone.
func ruleFlags(c *cobra.Command, in *api.ForgetRunRequest) (yes *bool) {
	f := c.Flags()
	f.StringVar(&in.OlderThan, "older-than", "", "go by age alone: what is older, such as 365d, however often it was used")
	f.BoolVar(&in.Purge, "purge", false, "with --older-than: erase the words for good, also of forgotten memories")
	return f.Bool("yes", false, "with --purge: do not ask for a preview first")
}

// byRule leaves the flags of salience out of a rule that goes by age. A purge needs a word more.
func byRule(c *cobra.Command, in *api.ForgetRunRequest, yes bool) error {
	if in.Purge && !in.DryRun && !yes {
		return api.Invalid("a purge cannot be undone: preview with --dry-run, then confirm with --yes")
	}
	if in.OlderThan == "" {
		return nil
	}
	for name, unset := range map[string]func(){
		"threshold": func() { in.Threshold = nil }, "min-age": func() { in.MinAge = "" },
		"half-life": func() { in.HalfLife = "" },
	} {
		if !c.Flags().Changed(name) {
			unset()
		}
	}
	return nil
}

// showCycle shows what a cycle takes, with the formula of each in a preview.
func (a *app) showCycle(r api.ForgetRunReply, head string, formula bool) error {
	w := a.env.Stdout
	age := shorten.Age(time.Duration(r.MinAgeDays * float64(24*time.Hour)))
	if r.ByAge {
		fmt.Fprintf(w, "%s (older than %s)\n", head, age)
	} else {
		fmt.Fprintf(w, "%s (salience below %g, unused for %s)\n", head, r.Threshold, age)
	}
	for _, c := range r.Candidates {
		fmt.Fprintf(w, "  %s %s\n", shortRef(c.Ref), cited(c.Headline))
		if formula && !r.ByAge {
			fmt.Fprintf(w, "    %s\n", c.Formula)
		}
	}
	if n := r.Count - len(r.Candidates); n > 0 {
		fmt.Fprintf(w, "  … %d more\n", n)
	}
	for _, k := range r.Kept {
		why := "rarely used"
		if r.ByAge {
			why = "old"
		}
		fmt.Fprintf(w, "kept although %s: %d (%s)\n", why, k.Count, k.Reason)
	}
	if len(r.Claims) > 0 && !r.Purged {
		a.hint("to restore all: stemma undo; to restore one: stemma forget recover REF")
	}
	return nil
}

func (a *app) forgetListCmd() *cobra.Command {
	c := cmd("list", "List forgotten memories", `Examples:
  stemma forget list
  stemma forget list --limit -1 --json`)
	var in api.LimitRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).ForgetList, func([]string) (api.LimitRequest, error) { return in, nil },
		func(r api.ForgetListReply) error {
			for _, m := range r.Forgotten {
				fmt.Fprintf(a.env.Stdout, "%s %s\n", a.ref(m.Type, m.ID), a.ofMemory(m.Memory))
				if m.Claim != "" {
					why := ""
					if m.Reason != "" {
						why = ": " + whole(m.Reason)
					}
					fmt.Fprintf(a.env.Stdout, "    forgotten %s by %s%s\n", minute(m.ForgottenAt), shortRef(m.Claim), why)
				}
			}
			if len(r.Forgotten) == 0 {
				a.hint("no forgotten memories")
			}
			if r.More {
				a.hint("there are more; --limit -1 shows all")
			}
			return nil
		})
	return c
}

func (a *app) usedCmd() *cobra.Command {
	c := cmd("used REF…", "Record that you relied on memories", `Examples:
  stemma used note:5d11
  stemma used note:5d11 belief:a04e`)
	c.RunE = verb(a, (*engine.Engine).Used, func(args []string) (api.UsedRequest, error) {
		refs, err := manyRefs(args, "")
		return api.UsedRequest{Refs: refs}, err
	}, func(r api.UsedReply) error {
		for _, m := range r.Memories {
			fmt.Fprintf(a.env.Stdout, "%s accessed %s\n", shortRef(m.Ref), count(m.TimesAccessed, "time", "times"))
		}
		return nil
	})
	return c
}

func (a *app) undoCmd() *cobra.Command {
	c := cmd("undo [REF]", "Undo your last change in this store", `Examples:
  stemma undo --dry-run
  stemma undo
  stemma undo                               undo the change before it
  stemma undo link:3f9a                     undo an update that applied by itself

undo removes nothing. It forgets what you wrote, cancels a mark, or follows a
revision with one that restores the earlier text. It names what it cannot undo:
a purge, keys, witnesses, anchors, verifications and merges`)
	var in api.UndoRequest
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would be undone, and change nothing")
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.Args = cobra.MaximumNArgs(2)
	c.RunE = verb(a, (*engine.Engine).Undo, func(args []string) (api.UndoRequest, error) {
		var err error
		if len(args) > 0 {
			in.Ref, err = oneRef(args)
		}
		return in, err
	},
		func(r api.UndoReply) error {
			did := "undone"
			if in.DryRun {
				did = "would be undone"
			}
			fmt.Fprintf(a.env.Stdout, "%s: %s; %s\n", did, r.Act, r.Did)
			if r.Hint != "" {
				a.hint("%s", r.Hint)
			}
			return nil
		})
	return c
}
