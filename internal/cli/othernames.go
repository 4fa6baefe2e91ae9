package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// otherNames are verbs of other programs, and which verb does that here. "" is none: what is alike in letters is not
// meant.
var otherNames = map[string]string{
	"delete": "forget", "remove": "forget", "rm": "forget", "del": "forget", "erase": "purge", "wipe": "purge",
	"edit": "revise", "update": "revise", "change": "correct", "fix": "correct", "replace": "correct",
	"save": "remember", "add": "remember", "write": "remember", "keep": "remember", "learn": "remember",
	"memorize": "remember", "new": "remember", "insert": "remember",
	"find": "search", "query": "search", "grep": "search", "lookup": "search", "ask": "recall",
	"get": "show", "cat": "show", "view": "show", "print": "show", "ls": "list", "all": "list",
	"accept": "approve", "confirm": "approve", "deny": "reject", "decline": "reject",
	"revert": "undo", "rollback": "undo", "block": "quarantine", "tree": "trace", "origin": "trace",
	"setup": "init", "install": "init", "connect": "init", "disconnect": "uninstall",
	"web": "ui", "gui": "ui", "dashboard": "ui", "browser": "ui", "server": "serve", "start": "serve",
	"info": "status", "health": "doctor", "whoami": "identity show", "me": "identity show",
	"pull": "sync", "push": "sync", "dump": "export", "settings": "config", "options": "config",
	"tag": "revise", "tags": "search --tag", "session": "receipts list", "sessions": "receipts list",
	"project": "space", "projects": "space", "stores": "store list", "repair": "doctor",
	"login": "hub", "logout": "hub", "diff": "history", "who": "blame", "timeline": "recent",
	"reset": "", "upgrade": "", "quit": "", "exit": "", "bye": "",
}

// otherName returns the verb that a word means which other programs have; is reports whether it is one.
func otherName(root *cobra.Command, word string) (like string, is bool) {
	word = strings.ToLower(word)
	verb, is := otherNames[word]
	if !is || below(root, word) != nil {
		return "", false
	}
	if verb == "" {
		return "", true
	}
	return root.Name() + " " + verb, true
}

// hasFlag returns the verbs that have a flag of a name, at most so many.
func hasFlag(root *cobra.Command, name string, most int) (verbs []string) {
	often := []string{"search", "recent", "list", "recall", "export"}
	all := slices.SortedStableFunc(slices.Values(root.Commands()), func(a, b *cobra.Command) int {
		return placeOf(often, a.Name()) - placeOf(often, b.Name())
	})
	for _, c := range all {
		if f := c.LocalNonPersistentFlags().Lookup(name); f != nil && !f.Hidden && !c.Hidden && len(verbs) < most {
			verbs = append(verbs, "'"+c.CommandPath()+"'")
		}
	}
	return verbs
}

// placeOf is the place of a word in a list, behind all others if it does not.
func placeOf(list []string, word string) int {
	if i := slices.Index(list, word); i >= 0 {
		return i
	}
	return len(list)
}

// isFlag matches what can be a flag; a text that begins with a hyphen is none.
var isFlag = lazy.Regexp(`^--?[A-Za-z][\w-]*(=|$)`)

// textsLast puts texts that begin with a hyphen behind "--", where no flag is read: "- item one is blue". What stands
// behind a flag may be its value, and stays.
func textsLast(args []string) []string {
	var texts, rest []string
	for i, arg := range args {
		if arg == "--" {
			if len(texts) == 0 {
				return args
			}
			return slices.Concat(rest, []string{"--"}, texts, args[i+1:])
		}
		value := i > 0 && isFlag.Get().MatchString(args[i-1]) && !strings.Contains(args[i-1], "=")
		if strings.HasPrefix(arg, "-") && strings.IndexFunc(arg, unicode.IsSpace) >= 0 && !value &&
			!isFlag.Get().MatchString(arg) {
			texts = append(texts, arg)
			continue
		}
		if len(texts) > 0 && !strings.HasPrefix(arg, "-") && !value {
			texts = append(texts, arg) // words of the same text
			continue
		}
		rest = append(rest, arg)
	}
	if len(texts) == 0 {
		return args
	}
	return slices.Concat(rest, []string{"--"}, texts)
}

// asText says how a text is given that begins with a hyphen, if a flag that is not there looks like one: -5.
func asText(c *cobra.Command, given string) string {
	if strings.Trim(given, "-0123456789.,:°%") != "" || placeholder(c) == "" {
		return ""
	}
	return fmt.Sprintf("; a text that begins with a hyphen goes after --: %s -- %s …", c.CommandPath(), given)
}

// noID matches the message about words in the place of an ID.
var noID = lazy.Regexp(`^"(.+)" is not an ID \(example`)

// withFound adds to an error about words in the place of an ID which memories these words find.
func (a *app) withFound(ctx context.Context, err error) error {
	said := noID.Get().FindStringSubmatch(err.Error())
	if said == nil || strings.TrimSpace(said[1]) == "" || ctx.Err() != nil {
		return err
	}
	const most = 3
	found, failed := call(ctx, a, (*engine.Engine).Search, api.SearchRequest{Query: said[1], Limit: most})
	if failed != nil || len(found.Results) == 0 {
		return err
	}
	var list []string
	for _, r := range found.Results {
		if r.Perhaps {
			continue
		}
		list = append(list, shortRef(r.Ref)+" "+cited(line(r.Text, 60))+asideAll(r.Marks))
	}
	if len(list) == 0 {
		return err
	}
	text, _, _ := strings.Cut(err.Error(), " To find one: ")
	return ran{api.Invalid("%s These words find: %s", text, strings.Join(list, ", "))}
}
