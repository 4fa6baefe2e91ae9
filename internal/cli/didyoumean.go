package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// meant is the command that words may have been meant as, "" for none: each the verb
// it is nearest to, the first two in either order.
func meant(root *cobra.Command, words []string) string {
	v := nearestOrSame(root, words[0])
	if v == nil || len(words) == 1 {
		return orBelow(root, v, words)
	}
	if sub := nearestOrSame(v, words[1]); sub != nil {
		return sub.CommandPath()
	}
	return orBelow(root, v, words)
}

// orBelow names a verb, or the verbs of that name below others.
func orBelow(root, v *cobra.Command, words []string) string {
	const most = 3
	var all []string
	for _, group := range root.Commands() {
		sub := nearestOrSame(group, words[0])
		switch {
		case sub == nil:
		case len(words) > 1 && nearestOrSame(root, words[1]) == group:
			return sub.CommandPath()
		default:
			all = append(all, sub.CommandPath())
		}
	}
	if v != nil {
		return v.CommandPath()
	}
	return strings.Join(all[:min(most, len(all))], "' or '")
}

// below returns the verb of a name below a group.
func below(c *cobra.Command, name string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == name || sub.HasAlias(name) {
			return sub
		}
	}
	return nil
}

// nearest returns the verb below a group that a word is a slip of.
func nearest(c *cobra.Command, word string) *cobra.Command {
	if below(c, word) != nil {
		return nil
	}
	var best *cobra.Command
	least, longest := 3, 0
	for _, sub := range c.Commands() {
		for _, name := range append([]string{sub.Name()}, sub.Aliases...) {
			edits, is := words.Slip(word, name)
			if strings.EqualFold(word, name) {
				edits, is = 0, true
			}
			alike := commonStart(word, name)
			if best != nil && best.Hidden != sub.Hidden && edits == least { // what the help shows is meant rather
				alike = longest
				if best.Hidden {
					alike++
				}
			}
			if is && (edits < least || edits == least && alike > longest) {
				best, least, longest = sub, edits, alike
			}
		}
	}
	return best
}

// commonStart is how many bytes two words begin with alike.
func commonStart(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func nearestOrSame(c *cobra.Command, word string) *cobra.Command {
	if v := below(c, word); v != nil {
		return v
	}
	return nearest(c, word)
}

// exists reports whether a word is the name of a file.
func (a *app) exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil || name == "-"
}

// likeRef reports whether a word looks like a ref, or like "author:KEY", rather than
// like a word.
func likeRef(word string) bool {
	_, id, named := strings.Cut(word, ":")
	return named && id != "" || likeID(word)
}

// likeID reports whether a word looks like a ref of a memory. Words such as "decade"
// are no id here.
func likeID(word string) bool {
	kind, id, named := strings.Cut(word, ":")
	if named {
		return id != "" && memory.Kind(kind).Known()
	}
	return len(word) >= 4 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789")
}

// notProse reports whether a word is one that verbs take rather than one of a sentence,
// such as "40%" or "X".
func notProse(word string) bool {
	return strings.ContainsAny(word, "0123456789") || word == strings.ToUpper(word)
}

// asProse puts "add" before words that read as prose although they begin with a verb,
// as in "stemma raw list of things": a word that says nothing by itself follows it,
// and no ref is among them.
func asProse(root *cobra.Command, args []string) []string {
	c, rest, err := root.Find(args)
	if err != nil || c.Parent() == nil || c.Parent().Annotations[takes] != takesProse || c.Name() == "add" {
		return args
	}
	if len(rest) < 2 || !words.Stop(rest[0]) || slices.ContainsFunc(rest, likeRef) {
		return args
	}
	at := len(args) - len(rest) - 1
	if at < 1 || args[at] != c.Name() || args[at-1] != c.Parent().Name() {
		return args
	}
	return slices.Insert(slices.Clone(args), at, "add")
}
