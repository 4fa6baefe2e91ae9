package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

// pauseDir returns the directory where a pause is set: the project's, if there is one and no
// flag says otherwise, or the user's own, which covers everything.
func (a *app) pauseDir() (dir, what string, err error) {
	if dir, ok := a.nearestProject(); ok && !a.flags.user {
		return dir, "in this project", nil
	}
	if a.flags.project {
		return "", "", a.noProject()
	}
	dir, err = a.dataDir()
	return dir, "everywhere", err
}

func (a *app) hookPause() *cobra.Command {
	c := &cobra.Command{
		Use: "pause [DURATION]", Short: "Pause capture by hooks, for a time or until 'resume'",
		Example: "  stemma hook pause 30m\n  stemma hook pause --user      in all projects", Args: cobra.MaximumNArgs(1),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		var until time.Time
		if len(args) == 1 {
			d, err := time.ParseDuration(args[0])
			if err != nil || d < time.Second {
				return fmt.Errorf("hook pause: %q is not a duration such as 30m or 2h", args[0])
			}
			until = time.Now().Add(d)
		}
		dir, what, err := a.pauseDir()
		if err == nil {
			until, err = a.mayPause(dir, until)
		}
		if err == nil {
			err = hosts.Pause(dir, until)
		}
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"paused": what, "until": timeOrNone(until)})
		}
		if until.IsZero() {
			a.hint("hooks are paused %s until 'stemma hook resume'", what)
		} else {
			a.hint("hooks are paused %s until %s", what, until.Local().Format("2006-01-02 15:04"))
		}
		return nil
	}
	return c
}

// agentsPause is how long an agent may have hooks keep nothing.
const agentsPause = time.Hour

// mayPause refuses a longer pause to an agent, and keeps one that lasts longer than what
// it asks for: a pause that a person wanted does not end sooner for it.
func (a *app) mayPause(dir string, until time.Time) (time.Time, error) {
	if a.origin() == memory.OriginOwner {
		return until, nil
	}
	if until.IsZero() || time.Until(until) > agentsPause {
		return until, onlyPerson{"hook pause: permission denied; only a person can pause hooks for more than an hour"}
	}
	paused, there, err := hosts.Paused(dir, time.Now())
	if paused && (there.IsZero() || there.After(until)) {
		return there, nil
	}
	return until, err
}

func (a *app) hookResume() *cobra.Command {
	c := &cobra.Command{Use: "resume", Short: "End a pause", Example: "  stemma hook resume", Args: cobra.NoArgs}
	c.RunE = func(*cobra.Command, []string) error {
		dir, what, err := a.pauseDir()
		if err != nil {
			return ran{err}
		}
		was, err := hosts.Resume(dir)
		if err != nil {
			return ran{err}
		}
		still, _, err := a.paused()
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"was_paused": was, "paused": still})
		}
		switch {
		case still:
			a.hint("hooks are still paused in all projects; to resume: stemma hook resume --user")
		case was:
			a.hint("hooks capture again %s", what)
		default:
			a.hint("hooks were not paused %s", what)
		}
		return nil
	}
	return c
}

// hookReport is the state of what hosts run.
type hookReport struct {
	Paused   bool          `json:"paused,omitempty"`
	Until    string        `json:"paused_until,omitempty"`
	Fault    string        `json:"fault,omitempty"`   // why hooks keep nothing: it cannot be read whether they are paused
	Waiting  int           `json:"waiting,omitempty"` // events in the spool
	Bytes    int64         `json:"waiting_bytes,omitempty"`
	Failed   int           `json:"failed,omitempty"` // failures that the log still has
	Failures []hookFailure `json:"failures,omitempty"`
	Lost     int           `json:"lost,omitempty"` // events that could not be stored
	Since    string        `json:"lost_since,omitempty"`
	Hosts    []hookedHost  `json:"hosts,omitempty"` // of 'hook status'
}

// hooksReport returns the state of hooks, nil where there is nothing to say.
func (a *app) hooksReport() *hookReport {
	var r hookReport
	var until time.Time
	var fault error
	if r.Paused, until, fault = a.paused(); r.Paused {
		r.Until = timeOrNone(until)
	} else if fault != nil {
		r.Fault = hosts.Harmless(fault.Error())
	}
	if spool, err := a.spool(); err == nil {
		r.Waiting, r.Bytes = spool.Waiting()
	}
	failures, _ := a.hookFailures()
	r.Failed = len(failures)
	r.Failures = append(r.Failures, failures[:min(len(failures), shownFailures)]...)
	r.Lost, r.Since = a.lostEvents()
	if !r.Paused && r.Fault == "" && r.Waiting == 0 && r.Failed == 0 && r.Lost == 0 {
		return nil
	}
	return &r
}

func timeOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return memory.At(t).String()
}

func (a *app) hookStatus() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "Show what waits, failed or is paused, and when each host's hooks last ran",
		Example: "  stemma hook status\n  stemma hook status --clear    clear the list of failures", Args: cobra.NoArgs}
	forget := c.Flags().Bool("clear", false, "clear the list of failures")
	c.RunE = func(*cobra.Command, []string) error {
		if *forget {
			log, err := a.hookLog()
			if err == nil {
				err = errors.Join(log.Drop(func([]byte) bool { return true }), a.clearLost())
			}
			if err != nil {
				return ran{err}
			}
		}
		r, here := a.hooksReport(), a.hookedHosts()
		if a.flags.json {
			if r == nil {
				r = &hookReport{}
			}
			r.Hosts = here
			return a.printJSON(r)
		}
		if r == nil {
			fmt.Fprintln(a.env.Stdout, "no events wait, no failures, not paused")
		} else {
			a.showHooks(r)
		}
		a.showHookedHosts(here)
		return nil
	}
	return c
}

// showHooks prints the hooks in a few lines.
func (a *app) showHooks(r *hookReport) {
	w := a.env.Stdout
	if r.Paused {
		until := "until 'stemma hook resume'"
		if r.Until != "" {
			until = "until " + minute(r.Until)
		}
		fmt.Fprintf(w, "hooks: paused %s\n", until)
	}
	if r.Fault != "" {
		fmt.Fprintf(w, "hooks: keep nothing until this is mended: %s\n", clean(r.Fault))
	}
	if r.Waiting > 0 {
		fmt.Fprintf(w, "hooks: %d events (%d bytes) wait for the store; the next command or hook stores them\n", r.Waiting,
			r.Bytes)
	}
	if r.Lost > 0 {
		fmt.Fprintf(w, "hooks: %s; to clear: stemma hook status --clear\n", a.lostLine())
	}
	if r.Failed > 0 {
		fmt.Fprintf(w, "hooks: %d failures; to clear the list: stemma hook status --clear\n", r.Failed)
		for _, f := range r.Failures {
			fmt.Fprintf(w, "       %s %s %s: %s\n", minute(f.At), clean(f.Host), clean(f.Event), clean(f.Error))
		}
	}
}

// paused says whether hooks are to keep nothing here, and until when.
func (a *app) paused() (bool, time.Time, error) {
	var wrong error
	for _, dir := range a.pauseDirs() {
		paused, until, err := hosts.Paused(dir, time.Now())
		if paused {
			return true, until, nil
		}
		wrong = errors.Join(wrong, err)
	}
	return false, time.Time{}, wrong
}

// pauseDirs are the directories where a pause may be set: the project's and the user's own.
func (a *app) pauseDirs() []string {
	var dirs []string
	if dir, ok := a.nearestProject(); ok {
		dirs = append(dirs, dir)
	}
	if dir, err := a.dataDir(); err == nil {
		dirs = append(dirs, dir)
	}
	return dirs
}
