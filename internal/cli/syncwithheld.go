package cli

import (
	"slices"

	"github.com/stemma-memory/stemma"
)

// mostNamed bounds how many records are named one by one; --json has all.
const mostNamed = 20

// sayWithheld says that records are called purged by no owner's word.
func (a *app) sayWithheld(r stemma.SyncReply) {
	for _, p := range r.Peers {
		for _, s := range p.Spaces {
			if len(s.Withheld) == 0 {
				continue
			}
			least := ""
			if s.WithheldMore {
				least = "at least "
			}
			a.hint("%s says that %s%s purged, and gives no purge by an owner (%s): 'stemma remote view %s' names what it keeps back",
				r.Remote, least, count(r.Withheld, "record was", "records were"), clean(shortRef(s.Withheld[0])), r.Remote)
			return // one line is enough
		}
	}
}

// showWithheld names what is withheld of a log, as this store or another knows it.
func (a *app) showWithheld(space string, of stemma.RemoteLog, also func(ref string) string) {
	if len(of.Withheld) == 0 {
		return
	}
	a.hint("%s: %s said to be purged, and no purge by an owner came:", space, count(len(of.Withheld), "record is", "records are"))
	for i, ref := range of.Withheld {
		if i == mostNamed {
			a.hint("  and %d more; --json has all", len(of.Withheld)-mostNamed)
			break
		}
		a.hint("  %s%s", clean(shortRef(ref)), also(ref))
	}
}

// andThere says of a record that one of two stores misses whether the other does.
func andThere(there stemma.RemoteLog) func(string) string {
	return func(ref string) string {
		if slices.Contains(there.Withheld, ref) {
			return ", and the other store lacks it too"
		}
		return ", which the other store does not miss"
	}
}
