package cli

import (
	"os"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// zone returns the zone that this computer is set to, by its name where it can be known.
var zone = sync.OnceValue(func() *time.Location {
	file, _ := os.Readlink("/etc/localtime")
	return zoneOf(time.Local, file)
})

// zoneOf returns a zone under its name: Go knows that of time.Local only where TZ gives it, but the file that
// /etc/localtime leads to has it too.
func zoneOf(local *time.Location, file string) *time.Location {
	if local.String() != "Local" {
		return local
	}
	_, name, named := strings.Cut(file, "zoneinfo/")
	if !named {
		return local
	}
	in, err := time.LoadLocation(name)
	if err != nil {
		return local
	}
	if short, east := time.Now().In(in).Zone(); short == "UTC" && east == 0 { // also Etc/UTC and its other names
		return time.UTC
	}
	return in
}

// on gives a time of a reply as a day in the reader's zone, and at gives the minute too. The first one of an answer
// names the zone.
func (a *app) on(s string) string { return a.zoneNamed(day(s)) }
func (a *app) at(s string) string { return a.zoneNamed(minute(s)) }

func (a *app) zoneNamed(text string) string {
	if text == "" || a.zoned {
		return text
	}
	a.zoned = true
	return text + " " + zone().String()
}

// saidOn is the day on which a memory was said or happened, and that of its record where it is another one.
func (a *app) saidOn(m *api.Memory) string {
	said := a.on(or(m.At, m.CreatedAt))
	if d := day(m.CreatedAt); d != day(or(m.At, m.CreatedAt)) {
		said += ", recorded " + d
	}
	return said
}
