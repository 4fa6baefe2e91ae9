package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A completion offers so many records, of so many of the newest.
const (
	completions = 40
	completedOf = 500
)

// completeRefs returns the newest records that start with what was typed, with their words,
// for the shell's completion. Kind "" is any.
func (a *app) completeRefs(kind memory.Kind) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		want := kind
		if k, _, named := strings.Cut(typed, ":"); named && memory.Kind(k).Known() {
			want = memory.Kind(k)
		}
		list, err := call(cmd.Context(), a, (*engine.Engine).List,
			api.ListRequest{Kind: string(want), All: true, Limit: completedOf, Brief: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		for _, m := range list.Memories {
			ref := shortRef(m.Ref)
			if strings.HasPrefix(ref, typed) && len(out) < completions {
				out = append(out, cobra.CompletionWithDesc(ref, line(m.Headline, 60)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// refVerb marks a verb that reads refs, for the shell's completion.
func (a *app) refVerb(c *cobra.Command, kind memory.Kind) *cobra.Command {
	c.ValidArgsFunction = a.completeRefs(kind)
	return c
}
