package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// resultsAsked is how many results a question asks for.
const resultsAsked = 5

// found is one result of a search.
type found struct {
	Ref    string
	Text   string
	marked bool // it says of itself that it may not be so any more
	open   bool // it says that something about it is undecided
	weak   bool // it says that it answers little
}

// marks are the members of a result by which it says that it may not be so any more.
var marks = []string{
	"disputed", "doubt", "marks", "until", "hidden", "undecided", "superseded_by", "replaced_by",
}

// markWords are those words in a line of text.
var markWords = []string{
	"replaced by", "update proposed", "disputed", "until ", "decided against", "superseded", "contradict", "no longer",
	"rejected", "is proposed in place of", "said otherwise",
}

// weakWords are those by which a result says that it answers little.
var weakWords = []string{"weak", "perhaps, in other words"}

// undecidedWords are those in the mark of a result about which nobody has decided.
var undecidedWords = []string{
	"perhaps replace", "update proposed", "proposed as an update", "contradicts", "undecided",
	"said otherwise",
}

// openWords are those in the line of a conflict that a person has not decided.
var openWords = []string{"is proposed in place of", "contradicts"}

// piecesOf takes an answer apart into what it says and whether that is marked. An answer
// is JSON, of which every object with words is a piece, or text, of which every line is.
func piecesOf(answer string) []found {
	var value any
	if json.Unmarshal([]byte(answer), &value) == nil {
		return walk(value, nil)
	}
	var out []found
	perhaps := false // it is below that heading
	for line := range strings.Lines(answer) {
		if !strings.HasPrefix(line, " ") {
			perhaps = strings.HasPrefix(line, "Perhaps, ")
		}
		if line = strings.TrimSpace(line); line != "" {
			marked := slices.ContainsFunc(markWords, func(m string) bool { return strings.Contains(line, m) })
			out = append(out, found{Text: line, marked: marked, weak: perhaps || saysAny(line, weakWords)})
		}
	}
	return out
}

func walk(value any, out []found) []found {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			out = walk(one, out)
		}
	case map[string]any:
		if text, ok := v["text"].(string); ok {
			f := found{Text: text}
			f.Ref, _ = v["ref"].(string)
			for _, m := range marks {
				f.marked = f.marked || !empty(v[m])
			}
			why, _ := v["why"].(string)
			mark, _ := v["mark"].(string)
			f.marked = f.marked || saysAny(why, markWords) || saysAny(mark, markWords) || saysAny(text, openWords)
			f.open = saysAny(mark, undecidedWords)
			f.weak = !empty(v["weak"]) || saysAny(mark+" "+why, weakWords)
			return append(out, f)
		}
		before := len(out)
		for _, key := range slices.Sorted(keysOf(v)) {
			out = walk(v[key], out)
		}
		for i := before; i < len(out) && v["name"] == "perhaps"; i++ {
			out[i].weak = true // of that section of a pack
		}
	}
	return out
}

func keysOf(v map[string]any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range v {
			if !yield(k) {
				return
			}
		}
	}
}

// empty reports whether a member says nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// recall asks as an agent does. It returns the results, and what is given whatever the question is.
func (r *running) recall(ctx context.Context, query string) (results, always []found, err error) {
	text, err := r.talk.call(ctx, "recall", map[string]any{"query": query, "limit": resultsAsked})
	if err != nil {
		return nil, nil, err
	}
	all := piecesOf(text)
	if len(all) == resultsAsked {
		r.out.Tokens.Hits = max(r.out.Tokens.Hits, r.o.Tokens(text))
	}
	var parts struct{ Constraints, Results any }
	if json.Unmarshal([]byte(text), &parts) == nil {
		return walk(parts.Results, nil), walk(parts.Constraints, nil), nil
	}
	return all, nil, nil
}

// ask asks a question as an agent does, then in every other way that there is, and looks at
// the answers.
func (r *running) ask(ctx context.Context, s *Step) error {
	if err := r.talk.rest(ctx); err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	hits, always, err := r.recall(ctx, s.Text)
	if err != nil {
		return err
	}
	r.undecided(hits)
	search, err := r.talk.look(ctx, "search", map[string]any{"query": s.Text, "limit": resultsAsked})
	if err != nil {
		return err
	}
	pack, err := r.talk.look(ctx, "context", map[string]any{"query": s.Text})
	if err != nil {
		return err
	}
	load, err := r.talk.look(ctx, "load", map[string]any{})
	if err != nil {
		return err
	}
	given := slices.Concat(hits, always, piecesOf(search), piecesOf(pack), piecesOf(load))
	if !r.acted {
		given = append(given, piecesOf(r.told)...)
	}
	if len(s.Never) > 0 {
		r.out.Stale.Asked++
		if i := slices.IndexFunc(given, func(f found) bool { return !f.marked && saysAny(f.Text, s.Never) }); i >= 0 {
			r.out.Stale.Given++
			r.miss(s, fmt.Sprintf("given as current: %s", clip(given[i].Text)))
		}
		if len(hits) > 0 && saysAny(hits[0].Text, s.Never) && !saysAny(hits[0].Text, s.Now) {
			r.out.Stale.First++
			if len(s.Now) == 0 {
				r.miss(s, fmt.Sprintf("first is: %s", clip(hits[0].Text)))
			}
		}
	}
	if s.Silent {
		r.out.Silence.Wanted++
		answers := slices.DeleteFunc(slices.Concat(hits, piecesOf(pack)), func(f found) bool { return f.weak })
		if len(answers) == 0 {
			r.out.Silence.Found++
		} else {
			r.miss(s, fmt.Sprintf("answered with: %s", clip(answers[0].Text)))
		}
	}
	if len(s.Now) > 0 {
		r.current(s, hits)
	}
	return nil
}

// current looks where among the results what is so now stands.
func (r *running) current(s *Step, hits []found) {
	r.out.Current.Asked++
	at := slices.IndexFunc(hits, func(f found) bool { return saysAny(f.Text, s.Now) })
	if at == 0 {
		r.out.Current.First++
	}
	if at >= 0 && at < 3 {
		r.out.Current.Third++
	}
	switch {
	case len(hits) == 0:
		r.miss(s, "nothing found")
	case at != 0:
		r.miss(s, fmt.Sprintf("first is: %s", clip(hits[0].Text)))
	}
}

// says reports whether a text has some words in it, in whatever case and spacing.
func says(text, words string) bool {
	return strings.Contains(folded(text), strings.TrimRight(folded(words), ".!"))
}

func saysAny(text string, any []string) bool {
	return slices.ContainsFunc(any, func(words string) bool { return says(text, words) })
}

func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// clip shortens a text for a list of misses.
func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
