package cli

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
)

// mostNamed bounds how many records are named one by one; --json has all.
const mostNamed = 20

// sayWithheld says that records are called purged by no owner's word.
func (a *app) sayWithheld(r api.SyncReply) {
	for _, p := range r.Peers {
		for _, s := range p.Spaces {
			if len(s.Withheld) == 0 {
				continue
			}
			least := ""
			if s.WithheldMore {
				least = "at least "
			}
			a.hint("%s reports %s%s purged, without an owner's purge (%s); to list what it hides: stemma remote view %s",
				r.Remote, least, count(r.Withheld, "record", "records"), clean(shortRef(s.Withheld[0])), r.Remote)
			return // one line is enough
		}
	}
}

// showWithheld lists the records withheld from a log, as this store or another knows it.
func (a *app) showWithheld(space string, of api.RemoteLog, also func(ref string) string) {
	if len(of.Withheld) == 0 {
		return
	}
	a.hint("%s: %s reported as purged without an owner's purge:", space, count(len(of.Withheld), "record", "records"))
	for i, ref := range of.Withheld {
		if i == mostNamed {
			a.hint("  … %d more; --json lists all", len(of.Withheld)-mostNamed)
			break
		}
		a.hint("  %s%s", clean(shortRef(ref)), also(ref))
	}
}

// andThere says of a record that one of two stores misses whether the other does.
func andThere(there api.RemoteLog) func(string) string {
	return func(ref string) string {
		if slices.Contains(there.Withheld, ref) {
			return "; the other store lacks it too"
		}
		return "; the other store has it"
	}
}
