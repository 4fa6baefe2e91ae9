//go:build !race

package main

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
)

// A filled is one kind of memory with every field that it has.
type filled struct {
	kind   string
	fields []filledField
	atWork bool // it belongs to what is given when work begins
}

// A filledField is a field, the flag or the member by which it is written, and its words.
type filledField struct {
	name, flag string
	words      []string
}

// rare is a word that stands nowhere else.
func rare(parts ...string) string {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(parts, "/")))
	n := h.Sum64()
	var b strings.Builder
	for range 5 {
		b.WriteByte("bdfgklmnprtvz"[n%13])
		n /= 13
		b.WriteByte("aou"[n%3])
		n /= 3
	}
	return b.String() + "k"
}

func fieldsOf(kind string, names ...string) []filledField {
	var out []filledField
	for _, n := range names {
		name, flag, _ := strings.Cut(n, "=")
		f := filledField{name: name, flag: flag}
		one, many := false, 1
		switch name {
		case "tag", "about", "emotion", "name", "goal type", "speaker":
			one = true // a name, not a sentence
		case "step", "lesson":
			many = 3
		}
		if (kind == "drive" || kind == "relationship") && name == "text" {
			one = true
		}
		for i := range many {
			first, last := rare(kind, name, fmt.Sprint(i), "first"), rare(kind, name, fmt.Sprint(i), "last")
			if one {
				f.words = append(f.words, first)
			} else {
				text := fmt.Sprintf("Here %s comes before the others. Far behind all of them waits %s", first, last)
				f.words = append(f.words, text)
			}
		}
		out = append(out, f)
	}
	return out
}

var everyField = []filled{
	{"belief", fieldsOf("belief", "text", "about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"note", fieldsOf("note", "text", "body=--body", "reason=--reason", "alternative=--alternative", "speaker=--speaker",
		"about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"episode", fieldsOf("episode", "text", "outcome=--outcome", "lesson=--lesson", "repeat=--repeat", "avoid=--avoid",
		"emotion=--emotion", "about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"goal", fieldsOf("goal", "text", "description=--description", "goal type=--type", "about=--about", "tag=--tag",
		"trigger=--trigger"), true},
	{"value", fieldsOf("value", "text", "name=--name", "about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"drive", fieldsOf("drive", "text", "focus=--focus", "about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"relationship", fieldsOf("relationship", "text", "description=--description", "about=--about", "tag=--tag",
		"trigger=--trigger"), true},
	{"playbook", fieldsOf("playbook", "text", "when=--when", "step=--step", "failure mode=--failure-mode",
		"recovery=--recovery", "about=--about", "tag=--tag", "trigger=--trigger"), true},
	{"raw", fieldsOf("raw", "text", "caption=caption", "speaker=speaker"), false}, // of what was said, it is the words
}

// Every field of every kind is given whole, and found by its words: an entry is the memory, not its headline.
func TestEveryFieldArrives(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	for _, k := range everyField {
		if k.kind == "raw" {
			args := map[string]any{"text": k.fields[0].words[0]}
			for _, f := range k.fields[1:] {
				args[f.flag] = f.words[0]
			}
			ada.tool("capture", args)
			continue
		}
		args := []string{k.kind, k.fields[0].words[0], "--approve"}
		for _, f := range k.fields[1:] {
			for _, w := range f.words {
				args = append(args, f.flag, w)
			}
		}
		switch k.kind {
		case "note":
			args = append(args, "--type", "decision")
		case "relationship":
			args = append(args, "--type", "person")
		}
		ada.types(args...)
	}
	ask := map[string]func(question string) string{
		"recall":           func(q string) string { return ada.ask("recall", q) },
		"context":          func(q string) string { return ada.ask("context", q) },
		"search with JSON": func(q string) string { return ada.ask("search", "--json", q) },
		"recall over MCP":  func(q string) string { return ada.tool("recall", map[string]any{"query": q}) },
	}
	atWork := map[string]string{"load": ada.ask("load"), "start": ada.start(), "load over MCP": ada.tool("load", nil)}
	for _, k := range everyField {
		for face, answer := range ask {
			for _, f := range k.fields {
				for i, words := range f.words {
					t.Run(fmt.Sprintf("%s/%s/%s", k.kind, face, f.name), func(t *testing.T) {
						question := rare(k.kind, f.name, fmt.Sprint(i), "first")
						if got := answer(question); !holds(got, words) {
							t.Errorf("%q: %q is not in it: %.600s", question, words, got)
						}
					})
				}
			}
			t.Run(fmt.Sprintf("%s/%s/all of it", k.kind, face), func(t *testing.T) {
				lacking(t, k, answer(rare(k.kind, "text", "0", "first")))
			})
		}
		if !k.atWork {
			continue
		}
		for face, answer := range atWork {
			t.Run(k.kind+"/"+face, func(t *testing.T) { lacking(t, k, answer) })
		}
	}
}

// lacking names the fields that an answer does not give whole.
func lacking(t *testing.T, k filled, answer string) {
	t.Helper()
	var names []string
	for _, f := range k.fields {
		for _, words := range f.words {
			if !holds(answer, words) {
				names = append(names, f.name)
			}
		}
	}
	if len(names) > 0 {
		t.Errorf("of this %s it gives no %s", k.kind, strings.Join(names, ", "))
	}
}
