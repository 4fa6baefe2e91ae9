// Package toolsettest is a model that follows a script, for tests of agent frameworks: it
// remembers, corrects, recalls what holds now and asks what that rests on.
package toolsettest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Asked is what the person says to the model.
const Asked = "We deploy on Fridays. No, sorry: on Tuesdays. So, when do we deploy?"

// Answered is what the model says in the end if memory works.
const Answered = `We deploy on Tuesdays. It rests on "We deploy on Fridays" (replaced) and "We deploy on Tuesdays".`

// A Turn is what the model does next: it calls a tool, or it says something.
type Turn struct {
	Tool      string // "" is that it says Text
	Arguments string // of the tool, as JSON
	Text      string
}

// Next returns what the model does after the answers that its calls had so far.
func Next(answers []string) (Turn, error) {
	type one struct {
		Ref, Text string
		Sources   []struct{ Text, Mark string } `json:"rests_on"`
	}
	var in struct {
		one
		Memories, Results []one
	}
	if n := len(answers); n > 0 {
		if err := json.Unmarshal([]byte(answers[n-1]), &in); err != nil {
			return Turn{}, fmt.Errorf("the answer of call %d is no JSON: %s", n, answers[n-1])
		}
	}
	first := func(all []one) string {
		if len(all) == 0 {
			return "none"
		}
		return all[0].Ref
	}
	arguments := func(tool, format string, a ...any) (Turn, error) {
		return Turn{Tool: tool, Arguments: fmt.Sprintf(format, a...)}, nil
	}
	switch len(answers) {
	case 0:
		return arguments("remember", `{"text": "We deploy on Fridays", "why": "the person said so"}`)
	case 1:
		return arguments("correct", `{"ref": %q, "text": "We deploy on Tuesdays"}`, first(in.Memories))
	case 2:
		return arguments("recall", `{"query": "when do we deploy"}`)
	case 3:
		return arguments("why", `{"ref": %q}`, first(in.Results))
	}
	var words []string
	for _, source := range in.Sources {
		word := strconv.Quote(firstLine(source.Text))
		if mark, _, replaced := strings.Cut(source.Mark, " by "); replaced {
			word += " (" + mark + ")"
		}
		words = append(words, word)
	}
	return Turn{Text: firstLine(in.Text) + ". It rests on " + strings.Join(words, " and ") + "."}, nil
}

// firstLine is what a memory says before the reason for it and who it is about.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ".")
}
