package cli

import (
	"fmt"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// A hookedHost is one whose files have our hooks, or that ran one.
type hookedHost struct {
	Host string `json:"host"`
	User bool   `json:"user,omitempty"`    // its hooks are there for all projects
	Here bool   `json:"project,omitempty"` // for the project here
	Last string `json:"last,omitempty"`    // a hook of it ran; none is never
	Why  string `json:"why,omitempty"`     // what may keep it from running any
}

func (a *app) fired() (hosts.Fired, error) {
	dir, err := a.dataDir()
	return hosts.Fired{Dir: filepath.Join(dir, "fired")}, err
}

// markFired notes that a hook ran. What fails here costs no event.
func (a *app) markFired(event *hosts.Event) {
	f, err := a.fired()
	if err == nil {
		err = f.Mark(event.Host)
	}
	if err != nil {
		a.hookFailed([]string{event.Host, event.Name}, err)
	}
}

// hookedHosts says of each host with our hooks when one ran last.
func (a *app) hookedHosts() []hookedHost {
	fired, err := a.fired()
	if err != nil {
		return nil
	}
	place, err := a.hostPlace()
	if err != nil {
		return nil
	}
	var out []hookedHost
	for _, host := range hosts.Names() {
		h := hookedHost{Host: host}
		place.Root = ""
		h.User = place.Hooked(host)
		place.Root = a.mainRoot()
		h.Here = place.Root != place.Home && place.Hooked(host)
		if last := fired.Last(host); !last.IsZero() {
			h.Last = timeOrNone(last)
		} else if h.User || h.Here {
			h.Why = hosts.WhyNever(host)
		}
		if h.User || h.Here || h.Last != "" {
			out = append(out, h)
		}
	}
	return out
}

func (a *app) showHookedHosts(list []hookedHost) {
	for _, h := range list {
		where := "no hooks here now"
		switch {
		case h.User && h.Here:
			where = "hooks for all projects and for this one"
		case h.User:
			where = "hooks for all projects"
		case h.Here:
			where = "hooks for this project"
		}
		last := "never fired"
		if h.Last != "" {
			last = "last fired " + minute(h.Last)
		}
		if h.Why != "" {
			last += "; " + h.Why
		}
		fmt.Fprintf(a.env.Stdout, "%-11s  %s; %s\n", h.Host, where, last)
	}
}
