package anamnesis

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/stemma-memory/stemma/memory"
)

// Read returns the documents of a file: one, an array of them, or one after
// another, each beginning on a line of its own. It holds one of them in memory at
// a time. An error names which one it was, from 1, and ends the sequence; a file
// without any document, other than an empty array, is one too.
func Read(r io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		s := splitter{in: bufio.NewReader(r)}
		for {
			raw, err := s.next()
			if err == io.EOF {
				return
			}
			var d *Document
			if err == nil {
				d, err = Parse(raw)
			}
			if err != nil {
				yield(nil, fmt.Errorf("document %d: %w", s.count, err))
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// A splitter finds where one document of a file ends and the next begins. What
// is between is for Parse to check.
type splitter struct {
	in      *bufio.Reader
	count   int  // of the documents begun
	array   bool // they stand in one
	newLine bool // one has ended since the last document
}

func (s *splitter) bad(format string, args ...any) error {
	return &memory.FieldError{Field: "file", Problem: fmt.Sprintf(format, args...)}
}

// byte returns the next byte that is not white space, or io.EOF.
func (s *splitter) byte() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil || !isSpace(c) {
			return c, err
		}
		s.newLine = s.newLine || c == '\n'
	}
}

// next returns the bytes of the next document, or io.EOF after the last.
func (s *splitter) next() ([]byte, error) {
	c, err := s.byte()
	first := s.count == 0
	if err == nil && first && c == '[' {
		s.array = true
		c, err = s.byte()
		if err == nil && c == ']' {
			return nil, s.end()
		}
	} else if err == nil && s.array {
		if c == ']' {
			return nil, s.end()
		}
		if c != ',' {
			return nil, s.bad("must have a comma or ] after a document of a list")
		}
		c, err = s.byte()
	}
	switch {
	case err == io.EOF && s.array:
		return nil, s.bad("ends within a list")
	case err == io.EOF && first:
		return nil, s.bad("is empty")
	case err != nil:
		return nil, err
	}
	s.count++
	if c != '{' {
		return nil, s.bad("must hold objects, got %q", c)
	}
	if !first && !s.array && !s.newLine {
		return nil, s.bad("must begin a line with each document")
	}
	s.newLine = false
	return s.object()
}

// end reads what follows a list, which is nothing.
func (s *splitter) end() error {
	c, err := s.byte()
	if err == nil {
		return s.bad("has %q after its list", c)
	}
	return err
}

// object reads on to the end of the object that has begun.
func (s *splitter) object() ([]byte, error) {
	raw := []byte{'{'}
	at := nesting{depth: 1}
	for at.depth > 0 {
		chunk, err := s.in.Peek(max(1, s.in.Buffered()))
		if errors.Is(err, io.EOF) {
			return nil, s.bad("ends within a document")
		}
		if err != nil {
			return nil, err
		}
		n := 0
		for n < len(chunk) && at.depth > 0 {
			at.step(chunk[n])
			n++
		}
		if raw = append(raw, chunk[:n]...); len(raw) > MaxDocument {
			return nil, s.bad("holds a document of more than %d bytes", MaxDocument)
		}
		_, _ = s.in.Discard(n) // it has been peeked at
	}
	return raw, nil
}
