package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// names is a flag with several names, separated by commas or repeated. Quotation marks
// around a whole name keep the commas in it; any others are part of the name, as in
// Dwayne "The Rock" Johnson.
type names struct {
	list *[]string
	set  bool
}

// listVar adds such a flag.
func listVar(f *pflag.FlagSet, into *[]string, name, usage string) {
	f.Var(&names{list: into}, name, usage)
}

// Set adds the names of one use of the flag.
func (n *names) Set(text string) error {
	if !n.set {
		*n.list, n.set = nil, true
	}
	for text != "" {
		name, rest, quoted := cutQuoted(text)
		if !quoted {
			name, rest, _ = strings.Cut(text, ",")
		}
		*n.list, text = append(*n.list, name), rest
	}
	return nil
}

// cutQuoted cuts a name in quotation marks off, with a comma behind it. Two marks in it
// stand for one.
func cutQuoted(text string) (name, rest string, is bool) {
	if text[0] != '"' {
		return "", "", false
	}
	for at := 1; at < len(text); at++ {
		switch {
		case text[at] != '"':
		case strings.HasPrefix(text[at+1:], `"`):
			at++
		default:
			rest, comma := strings.CutPrefix(text[at+1:], ",")
			return strings.ReplaceAll(text[1:at], `""`, `"`), rest, comma || rest == ""
		}
	}
	return "", "", false
}

// String is empty, so that the help names no default.
func (n *names) String() string { return "" }

// Type is what the help calls the value.
func (n *names) Type() string { return "strings" }

// GetSlice returns the names, Append adds one and Replace puts others in their place: as
// a pflag.SliceValue.
func (n *names) GetSlice() []string { return *n.list }

// Append adds a name.
func (n *names) Append(name string) error {
	*n.list = append(*n.list, name)
	return nil
}

// Replace puts other names in the place of those that were given.
func (n *names) Replace(all []string) error {
	*n.list = all
	return nil
}
