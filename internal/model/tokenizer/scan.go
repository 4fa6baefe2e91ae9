package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A vocabulary is most of a tokenizer.json, and encoding/json takes longer to read one than the rest of opening a
// model takes. So its two forms are read here, strings standing as parts of the text they came in.

// A scanner reads JSON from the front of a text.
type scanner struct {
	text string
	at   int
}

var errJSON = errors.New("it is not JSON, or is cut off")

// maxDepth bounds nesting. Real files have six levels.
const maxDepth = 64

func (s *scanner) space() {
	for s.at < len(s.text) && isSpace(s.text[s.at]) {
		s.at++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// take reads one character if it is next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// str reads a string.
func (s *scanner) str() (string, error) {
	if !s.take('"') {
		return "", errJSON
	}
	start, plain := s.at, true
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.at++
			if plain {
				return s.text[start : s.at-1], nil
			}
			var value string
			err := json.Unmarshal([]byte(s.text[start-1:s.at]), &value)
			return value, err
		case '\\':
			plain = false
			s.at++
		}
		s.at++
	}
	return "", errJSON
}

// literal reads a number or a word.
func (s *scanner) literal() (string, error) {
	s.space()
	start := s.at
	for s.at < len(s.text) && !isSpace(s.text[s.at]) && !isMark(s.text[s.at]) {
		s.at++
	}
	if s.at == start {
		return "", errJSON
	}
	return s.text[start:s.at], nil
}

func isMark(c byte) bool {
	return c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' || c == '{'
}

// raw passes over one value and gives its text.
func (s *scanner) raw() (string, error) {
	s.space()
	start := s.at
	if err := s.skip(0); err != nil {
		return "", err // where it stopped may be beyond the end
	}
	return s.text[start:s.at], nil
}

func (s *scanner) skip(depth int) error {
	if depth > maxDepth {
		return errJSON
	}
	s.space()
	if s.at >= len(s.text) {
		return errJSON
	}
	var err error
	switch s.text[s.at] {
	case '"':
		_, err = s.str()
	case '{':
		err = s.object(func(string) error { return s.skip(depth + 1) })
	case '[':
		err = s.array(func() error { return s.skip(depth + 1) })
	default:
		_, err = s.literal()
	}
	return err
}

// object reads an object; value is called at each value and must read it.
func (s *scanner) object(value func(key string) error) error {
	if !s.take('{') {
		return errJSON
	}
	if s.take('}') {
		return nil
	}
	for {
		key, err := s.str()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return errJSON
		}
		if err := value(key); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return errJSON
		}
	}
}

// array reads an array; value is called at each value and must read it.
func (s *scanner) array(value func() error) error {
	if !s.take('[') {
		return errJSON
	}
	if s.take(']') {
		return nil
	}
	for {
		if err := value(); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return errJSON
		}
	}
}

// fields returns the texts of an object's values.
func fields(text string) (map[string]string, error) {
	s := scanner{text: text}
	values := map[string]string{}
	err := s.object(func(key string) error {
		value, err := s.raw()
		values[key] = value
		return err
	})
	if s.space(); err == nil && s.at != len(s.text) {
		err = errJSON
	}
	return values, err
}

// unmarshal is json.Unmarshal of one field's text; one that is not there leaves into as it is.
func unmarshal(field, text string, into any) error {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	return nil
}
