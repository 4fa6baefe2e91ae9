package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) goalStatusCmd() *cobra.Command {
	c := &cobra.Command{Use: "status ID " + strings.Join(engine.GoalStatuses, "|"), Short: "Set the status of a goal",
		Example: "  stemma goal status 3f9a achieved\n  stemma goal status 3f9a paused --reason \"waits for the release\""}
	var in api.GoalStatusRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).GoalStatus, func(args []string) (api.GoalStatusRequest, error) {
		var err error
		in.Ref, in.Status, err = refAndWord(args, "one of "+strings.Join(engine.GoalStatuses, ", "))
		return in, err
	}, a.showMarked)
	return a.refVerb(c, memory.KindGoal)
}

func (a *app) goalProgressCmd() *cobra.Command {
	c := &cobra.Command{Use: "progress ID WORDS", Short: "Set the progress of a goal, in words or as 40%",
		Example: "  stemma goal progress 3f9a 40%\n  stemma goal progress 3f9a \"the importer reads git\""}
	var in api.GoalProgressRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).GoalProgress, func(args []string) (api.GoalProgressRequest, error) {
		if len(args) < 2 {
			return in, fmt.Errorf("name the goal and its progress: words, or 40%%")
		}
		in.Ref, in.Progress = args[0], strings.Join(args[1:], " ")
		return in, nil
	}, a.showMarked)
	return a.refVerb(c, memory.KindGoal)
}

// refAndWord reads a ref and the value to set.
func refAndWord(args []string, what string) (ref, word string, err error) {
	if len(args) < 2 {
		return "", "", fmt.Errorf("name the memory and %s", what)
	}
	ref, err = oneRef(args[:len(args)-1])
	return ref, args[len(args)-1], err
}

// showMarked prints a memory with its new value.
func (a *app) showMarked(r api.MarkReply) error {
	m := r.Memory
	fmt.Fprintf(a.env.Stdout, "%s %s %s\n", a.ref(m.Type, m.ID), cited(brief.Words(&m)), marks(m))
	if r.Claim == "" {
		a.hint("no change: it was already so")
	}
	return nil
}

// marks says in a few words what marks said of a memory.
func marks(m api.Memory) string {
	switch {
	case memory.Kind(m.Type).Form().Served:
		return served(m)
	case engine.CourseWords(m.Course) == "":
		return m.Status
	}
	return now(m.Course)
}

// served says how often a playbook was used, and helped.
func served(m api.Memory) string {
	if m.SuccessRate == nil {
		return "never used"
	}
	return fmt.Sprintf("helped %d of %s (%.0f%%)", m.Successes, count(m.Uses, "time", "times"),
		100*float64(m.Successes)/float64(m.Uses))
}

// now describes the status of a goal or the intensity of a drive, unless it is the ordinary
// one.
func now(c api.Course) string { return whole(engine.CourseWords(c)) }

// nowAside puts that behind other words.
func nowAside(c api.Course) string {
	if engine.CourseWords(c) == "" {
		return ""
	}
	return " (" + now(c) + ")"
}

// comma puts words behind others, if there are any.
func comma(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}
