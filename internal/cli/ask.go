package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// errQuit ends a conversation with a person.
var errQuit = errors.New("quit")

// ask asks a question and returns the answer; the end of input quits, and ends all later questions too.
func (a *app) ask(in *bufio.Reader, question string) (string, error) {
	if a.ended {
		return "", errQuit
	}
	fmt.Fprint(a.env.Stderr, question)
	text, err := in.ReadString('\n')
	if text == "" && errors.Is(err, io.EOF) {
		fmt.Fprintln(a.env.Stderr)
		a.ended = true
		return "", errQuit
	}
	return strings.TrimSpace(text), nil
}

// typing is what the person types, one reader for all questions of a run: what is typed ahead is lost to none.
func (a *app) typing() *bufio.Reader {
	if a.typed == nil {
		a.typed = bufio.NewReader(a.env.Stdin)
	}
	return a.typed
}

// unlessQuit returns an error that is no wish to stop.
func unlessQuit(err error) error {
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

// A choice is one answer to a question, by its first letter or whole.
type choice struct {
	word string
	do   func() error
}

// errSkip leaves things as they are.
var errSkip = errors.New("skip")

// choose asks until there is an answer that can be carried out: a mistake is
// said, and asked again. Skip and quit are always among the answers.
func (a *app) choose(in *bufio.Reader, choices ...choice) error {
	choices = append(choices, choice{"skip", func() error { return errSkip }},
		choice{"quit", func() error { return errQuit }})
	words, letters := make([]string, len(choices)), make([]string, len(choices))
	for i, c := range choices {
		words[i], letters[i] = c.word, c.word[:1]
	}
	last := len(words) - 1
	question := strings.Join(words[:last], ", ") + " or " + words[last] + "? [" + strings.Join(letters, "/") + "] "
	for {
		answer, err := a.ask(in, question)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(choices, func(c choice) bool {
			return strings.EqualFold(answer, c.word) || strings.EqualFold(answer, c.word[:1]) || answer == "" && c.word == "skip"
		})
		if i < 0 {
			a.hint("%s is not one of the answers", quoted(answer, 40))
			continue
		}
		switch err := choices[i].do(); {
		case errors.Is(err, errSkip):
			return nil
		case err == nil, errors.Is(err, errQuit):
			return err
		default:
			a.hint("stemma: %v", err)
		}
	}
}
