package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// turnForm finds the names of turns in what people wrote: "D1:3", "D8:6; D9:17",
// "D1:1 D1:2", "D:11:26" and "D30:05" all occur.
var turnForm = lazy.Regexp(`D:?(\d{1,6}):(\d{1,6})`)

// names returns the turns that a string names, each in the form D11:26.
func names(s string) []string {
	var out []string
	for _, m := range turnForm.Get().FindAllStringSubmatch(s, -1) {
		session, _ := strconv.Atoi(m[1]) // digits, and few
		turn, _ := strconv.Atoi(m[2])
		out = append(out, fmt.Sprintf("D%d:%d", session, turn))
	}
	return out
}

// known finds the alias of a turn by its name, to the letter or as names gives
// it.
type known map[string]string

func knownTurns(conversation string, turns []api.Foreign) known {
	k := make(known, len(turns))
	for _, f := range turns {
		alias := f.Alias[0]
		name := strings.TrimPrefix(alias, prefix+conversation+":")
		if as := names(name); len(as) == 1 {
			k[as[0]] = alias
		}
	}
	for _, f := range turns { // to the letter goes first
		k[strings.TrimPrefix(f.Alias[0], prefix+conversation+":")] = f.Alias[0]
	}
	return k
}

// cited returns the aliases of the turns that exist, each once, in the order in
// which they are named. Names of no turn are passed over.
func (k known) cited(evidence []string) []string {
	var out []string
	add := func(name string) {
		if alias, ok := k[name]; ok && !slices.Contains(out, alias) {
			out = append(out, alias)
		}
	}
	for _, e := range evidence {
		if _, ok := k[e]; ok {
			add(e)
			continue
		}
		for _, name := range names(e) {
			add(name)
		}
	}
	return out
}
