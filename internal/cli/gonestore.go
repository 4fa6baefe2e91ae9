package cli

import (
	"fmt"
	"time"
)

// goneTold is how long a start says that another store was begun where one was lost.
const goneTold = 3 * 24 * time.Hour

// goneStore says that a store of this person's lay at a place and is not there any more, "" where none did. Now is the
// store that lies there.
func (a *app) goneStore(w ownership, now string) string {
	if w.Path == "" {
		return ""
	}
	list, err := a.ownStores()
	if err != nil {
		return ""
	}
	e, is := list.Gone(w.Path, now)
	if !is || e.Size() == 0 {
		return ""
	}
	return fmt.Sprintf("the store %s is gone: it had %s on %s; put its file back there, or a backup of it: "+
		"stemma restore FILE", clean(w.Path), count(int(e.Size()), "record", "records"), e.Seen.Format(time.DateOnly))
}

// goneNoted tells the person, or the log of hooks.
func (a *app) goneNoted(text string) {
	if a.hooked {
		a.hookSaw(text)
	} else {
		a.hint("%s", text)
	}
}

// goneLine is what a start says of it: for as long as nothing lies there, and some days from when another store does.
func (a *app) goneLine(spec string) string {
	w := a.ownership(spec)
	switch w.ownerState {
	case unmade:
		return a.goneStore(w, "")
	case ours:
		if w.entry.Store != "" && time.Since(w.entry.Adopted) < goneTold {
			return a.goneStore(w, w.entry.Store)
		}
	}
	return ""
}
