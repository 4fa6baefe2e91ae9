package importers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/foreign"
)

// magic begins every database of SQLite.
var magic = []byte("SQLite format 3\x00")

// A sight is what can be seen of a file without reading it whole.
type sight struct {
	*file
	head string // its first words
	cut  bool   // there is more than the head

	// of JSON, what stands under each name of the first object, or of the first in its list: the
	// beginning of a text, "[" or "{". What is deeper is name.name, or name[].name in a list.
	names  map[string]string
	listed bool // the object stands in a list

	tables *foreign.File // of a database

	content string // tells its words from those of others; "" of what is longer than the head
}

// keptHead is how much of its head is kept of a file among many, in bytes.
const keptHead = 8 << 10

// forget keeps of a file among many what tells its format and its content.
func (s *sight) forget() {
	if !s.cut {
		s.content = digestOf(s.head)
	}
	if len(s.head) > keptHead {
		s.head, s.cut = strings.Clone(s.head[:keptHead]), true
	}
}

// look looks at a file once.
func (f *file) look(ctx context.Context) (*sight, error) {
	if f.seen != nil {
		return f.seen, nil
	}
	s := &sight{file: f}
	raw, err := f.raw()
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	first := bufio.NewReaderSize(raw, f.buffer())
	if begins, _ := first.Peek(len(magic)); bytes.Equal(begins, magic) {
		where, err := f.onPath()
		if err != nil {
			return nil, err
		}
		if s.tables, err = foreign.Open(ctx, where); err != nil {
			return nil, err
		}
		f.tree.close = append(f.tree.close, func() { s.tables.Close() })
		f.seen = s
		return s, nil
	}
	in, err := f.decode(first, nil)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(in, looked+1))
	if err != nil && len(head) == 0 {
		return nil, err
	}
	if s.cut = len(head) > looked; s.cut {
		head = head[:looked]
	}
	s.head = string(head)
	if t := strings.TrimLeft(s.head, " \t\r\n"); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
		s.readNames(t)
	}
	f.seen = s
	return s, nil
}

// deepest is how deep names are looked at.
const deepest = 4

// readNames learns the names of the first object.
func (s *sight) readNames(text string) {
	s.names = make(map[string]string)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	t, err := d.Token()
	if err == nil && t == json.Delim('[') {
		s.listed = true
		t, err = d.Token()
	}
	if err == nil && t == json.Delim('{') {
		s.object(d, "", 1)
	}
}

// object reads the rest of an object; it reports whether there is more to read.
func (s *sight) object(d *json.Decoder, under string, depth int) bool {
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return false
		}
		if !s.value(d, under+name, depth, true) {
			return false
		}
	}
	_, err := d.Token()
	return err == nil
}

// value reads one value; what it is stands under its name, if it is noted.
func (s *sight) value(d *json.Decoder, name string, depth int, noted bool) bool {
	note := func(what string) {
		if _, twice := s.names[name]; noted && !twice && depth <= deepest {
			s.names[name] = what
		}
	}
	t, err := d.Token()
	if err != nil {
		note("")
		return false
	}
	switch t := t.(type) {
	case json.Delim:
		note(t.String())
		if t == '{' {
			if !noted || depth >= deepest {
				return s.skip(d, 1)
			}
			return s.object(d, name+".", depth+1)
		}
		for first := true; d.More(); first = false {
			inner := name + "[]"
			if !first || !noted || depth >= deepest {
				if !s.value(d, inner, deepest+1, false) {
					return false
				}
				continue
			}
			if !s.value(d, inner, depth, true) {
				return false
			}
		}
		_, err := d.Token()
		return err == nil
	case string:
		if t == "" {
			t = " "
		}
		note(t[:min(len(t), 64)])
	case nil:
		note("null")
	case json.Number:
		note(t.String())
	case bool:
		note("bool")
	}
	return true
}

// skip passes the rest of objects and lists that are open.
func (s *sight) skip(d *json.Decoder, open int) bool {
	for open > 0 {
		t, err := d.Token()
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return true
}

// has reports whether all of some names are there.
func (s *sight) has(all ...string) bool {
	return !slices.ContainsFunc(all, func(n string) bool { _, ok := s.names[n]; return !ok })
}

// any reports whether one of some names is there.
func (s *sight) any(some ...string) bool {
	return slices.ContainsFunc(some, func(n string) bool { _, ok := s.names[n]; return ok })
}

// list reports whether a list stands under a name.
func (s *sight) list(name string) bool { return s.names[name] == "[" }

// is reports whether a text stands under a name that is one of some.
func (s *sight) is(name string, some ...string) bool { return slices.Contains(some, s.names[name]) }

// page reports whether a file is one of Markdown.
func (s *sight) page() bool { return slices.Contains([]string{".md", ".markdown", ".mdx"}, s.ext()) }

// database reports whether a table with some columns is there.
func (s *sight) database(table string, columns ...string) bool {
	return s.tables != nil && s.tables.Has(table, columns...)
}

// binary reports whether a file is no text.
func (s *sight) binary() bool {
	return s.tables != nil || strings.IndexByte(s.head[:min(len(s.head), 8192)], 0) >= 0
}

// looksLike says what an unknown file looks like and what to do about it.
func (s *sight) looksLike() string {
	low := strings.ToLower(s.head[:min(len(s.head), 4096)])
	switch {
	case len(s.head) == 0 && s.tables == nil:
		return "is empty"
	case s.database("records", "id") && s.tables.Has("spaces"):
		return "is a store of stemma itself: export it, and import what that writes"
	case s.tables != nil:
		return "is a database of a program that stemma does not know; export it as JSON or text"
	case strings.HasPrefix(low, "%pdf"):
		return "is a PDF; convert it to text first (pdftotext)"
	case strings.Contains(low, "<html") && strings.Contains(low, "my activity"):
		return "looks like Gemini's activity as HTML; ask Takeout for \"My Activity\" as JSON and import that"
	case strings.Contains(low, "<html") && strings.Contains(low, "jsondata"):
		return "looks like the page of a ChatGPT export; import the conversations.json beside it, or the whole zip"
	case strings.Contains(low, "<html") || strings.HasPrefix(low, "<!doctype"):
		return "is a web page; save its words as text or Markdown first"
	case s.binary():
		return "is no text"
	case s.names != nil && len(s.names) == 0 && !s.cut && !json.Valid([]byte(s.head)):
		return "looks like JSON and is cut or broken at its beginning"
	case s.names != nil:
		return "is JSON of a shape that stemma does not know; write one object a line, its words under \"text\", or name " +
			"its format"
	}
	return "is of no format that stemma knows"
}

// place is the name of a file, with the directories above it where it was named alone.
func (s *sight) place() string {
	if !s.tree.dir && s.tree.root != "" {
		return strings.ReplaceAll(s.tree.root, `\`, "/")
	}
	return s.name
}
