package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/llm"
)

const (
	maxAnswer = 256 << 10 // bytes
	maxDepth  = 32        // objects and arrays in each other, the outermost counted
)

// Object returns the one JSON object that an answer is, or ErrNonsense.
func Object(a llm.Answer) (json.RawMessage, error) {
	if a.Cut {
		return nil, fmt.Errorf("the answer was cut off: %w", llm.ErrNonsense)
	}
	return One(a.Text)
}

// One returns the JSON object that a model's answer is. One Markdown fence around it is taken off. Any other text
// beside it, a second object, two keys that differ in case at most, more than 32 levels or 256 KiB are ErrNonsense:
// nothing is looked for inside an answer, since what is found there may have been put there.
//
// What the object says is not looked at.
func One(answer string) (json.RawMessage, error) {
	object, err := one(answer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrNonsense, err)
	}
	return object, nil
}

func one(answer string) (json.RawMessage, error) {
	switch {
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("an answer of more than %d KiB", maxAnswer>>10)
	case !utf8.ValidString(answer):
		return nil, errors.New("an answer that is not UTF-8")
	}
	text := unfenced(strings.TrimSpace(answer))
	if !strings.HasPrefix(text, "{") {
		return nil, errors.New("an answer that does not begin with an object")
	}
	// one pass for the depth first, so that what parses it need not be trusted with deep ones
	if depth(text) > maxDepth {
		return nil, fmt.Errorf("an answer of more than %d levels", maxDepth)
	}
	object := json.RawMessage(text)
	if !json.Valid(object) { // nor are two objects, or text behind one
		return nil, errors.New("an answer that is not exactly one object")
	}
	return object, twice(object)
}

// unfenced takes one Markdown fence off: a line of ``` and perhaps a word, and ``` at the end.
func unfenced(text string) string {
	const fence = "```"
	inside, ok := strings.CutPrefix(text, fence)
	if !ok {
		return text
	}
	inside, ok = strings.CutSuffix(inside, fence)
	word, rest, line := strings.Cut(inside, "\n")
	if !ok || !line || !isLabel(strings.TrimSpace(word)) {
		return text
	}
	return strings.TrimSpace(rest)
}

// isLabel says whether a word can name the language of what is fenced.
func isLabel(word string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return len(word) <= 64 && strings.Trim(word, letters) == ""
}

// depth is how many objects and arrays are open at once, at most.
func depth(text string) int {
	open, most, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open++
			most = max(most, open)
		case c == '}' || c == ']':
			open--
		}
	}
	return most
}

// twice says whether an object in valid JSON has a key twice. encoding/json takes keys of other case for the same.
func twice(valid []byte) error {
	type level struct {
		keys  map[string]bool // nil in an array
		value bool            // the next token is a value
	}
	d := json.NewDecoder(bytes.NewReader(valid))
	d.UseNumber()
	var levels []level
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the end: it was valid
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			levels = levels[:len(levels)-1]
			continue
		}
		if len(levels) > 0 {
			if l := &levels[len(levels)-1]; l.keys != nil && !l.value {
				key, _ := token.(string)
				key = strings.ToUpper(strings.ToLower(key)) // both, for letters whose cases are no pairs
				if l.keys[key] {
					return errors.New("an answer that has a key twice")
				}
				l.keys[key], l.value = true, true
				continue
			} else {
				l.value = false
			}
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{keys: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, level{})
		}
	}
}
