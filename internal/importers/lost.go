package importers

import (
	"fmt"
	"slices"
)

// A Lost counts what an import leaves behind, and says the first of it in words.
type Lost struct {
	Missing int `json:"missing_sources,omitempty"` // named as a source and nowhere to be found
	Cycles  int `json:"cycles,omitempty"`          // sources that rest on what rests on them
	// sources of a kind that a record of its kind cannot come from
	Unfit    int            `json:"unfit_sources,omitempty"`
	LeftOut  map[string]int `json:"left_out,omitempty"`  // what does not come along, by why
	Accounts map[string]int `json:"accounts,omitempty"`  // whose conversations or memories these are
	Encoding []string       `json:"encodings,omitempty"` // how texts were written, if not as UTF-8
	Words    []string       `json:"lost,omitempty"`
	Broken   int            `json:"broken,omitempty"` // files, lines and entries that cannot be read
	Bad      []string       `json:"bad,omitempty"`    // the first of them, each named
}

// Bounds of the report about lost content.
const (
	mostWords = 10
	mostBad   = 100
)

func (l *Lost) say(format string, args ...any) {
	if len(l.Words) < mostWords {
		l.Words = append(l.Words, fmt.Sprintf(format, args...))
	}
}

func (l *Lost) bad(format string, args ...any) {
	if l.Broken++; len(l.Bad) < mostBad {
		l.Bad = append(l.Bad, fmt.Sprintf(format, args...))
	}
}

func (l *Lost) leaveOut(why string) { l.LeftOut = plus(l.LeftOut, why, 1) }

// account counts what is of one account.
func (l *Lost) account(who string) {
	if who = speaker(clean(who)); who != "" {
		l.Accounts = plus(l.Accounts, who, 1)
	}
}

func (l *Lost) encoded(how string) {
	if !slices.Contains(l.Encoding, how) {
		l.Encoding = append(l.Encoding, how)
	}
}

// add counts what a part has lost.
func (l *Lost) add(part *Lost) {
	l.Missing, l.Cycles, l.Unfit = l.Missing+part.Missing, l.Cycles+part.Cycles, l.Unfit+part.Unfit
	for why, n := range part.LeftOut {
		l.LeftOut = plus(l.LeftOut, why, n)
	}
	for _, words := range part.Words {
		l.say("%s", words)
	}
	for _, words := range part.Bad {
		l.bad("%s", words)
	}
	for who, n := range part.Accounts {
		l.Accounts = plus(l.Accounts, who, n)
	}
}

// plus counts n more of a name.
func plus(count map[string]int, name string, n int) map[string]int {
	if count == nil {
		count = make(map[string]int)
	}
	count[name] += n
	return count
}
