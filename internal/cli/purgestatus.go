package cli

import (
	"cmp"
	"fmt"

	"github.com/stemma-memory/stemma/api"
)

// purgeStates are what a purge can be at a remote, for people.
var purgeStates = map[string]string{
	"erased": "erased", "words": "the words are still there", "waiting": "the purge has not arrived",
	"archived": "the words are still there", "away": "not reached", "denied": "not shown to you",
}

// machineStates are what a machine can be.
var machineStates = map[string]string{
	"pending":  "not yet",
	"unknown":  "unknown (an earlier version, or never synced)",
	"filtered": "its filter leaves out the purge",
	"left":     "left, may have the words",
}

// showPurgeStatus prints where purged words are erased.
func (a *app) showPurgeStatus(r api.PurgeReply) {
	w, spaces := a.env.Stdout, spaceNames(nil)
	for _, h := range r.Here {
		fmt.Fprintf(w, "%s purged here %s by %s (%s)\n", shortRef(h.Ref), minute(h.At), clean(h.By), shortRef(h.Claim))
	}
	for _, t := range r.Remotes {
		name := clean(t.Remote)
		if t.Part != "" {
			name += " part " + clean(t.Part)
		}
		fmt.Fprintf(w, "%s, space %s: %s", name, spaces(t.Space), cmp.Or(purgeStates[t.State], clean(t.State)))
		if t.Machines > 0 {
			fmt.Fprintf(w, "; %d of %s say that they erased it", t.Confirmed, count(t.Machines, "machine", "machines"))
		}
		fmt.Fprintln(w)
		if t.Note != "" {
			fmt.Fprintf(w, "  %s\n", clean(t.Note))
		}
		for _, m := range t.Open {
			fmt.Fprintf(w, "  %s: %s", cmp.Or(machineStates[m.State], clean(m.State)), clean(cmp.Or(m.Name, m.Account)))
			if m.Label != "" {
				fmt.Fprintf(w, ", %s", clean(m.Label))
			}
			switch {
			case m.Left != "":
				fmt.Fprintf(w, ", left %s", minute(m.Left))
			case m.Seen != "":
				fmt.Fprintf(w, ", last seen %s", minute(m.Seen))
			}
			fmt.Fprintln(w)
		}
	}
	switch {
	case len(r.Remotes) == 0:
		fmt.Fprintln(w, "no remote exchanges its space")
	case r.Pending > 0:
		a.hint("%s may still erase it at the next sync", count(r.Pending, "remote or machine", "remotes and machines"))
	}
}
