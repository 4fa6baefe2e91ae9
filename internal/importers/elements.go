package importers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/strict"
)

// longestPart bounds one element of a list or one line, in bytes.
const longestPart = 128 << 20

// An element is one object of a file.
type element struct {
	members
	n     int    // which one, from 1
	under string // the name of the list in which it stands, "" at the top
	row   string // how it is named in what is said about it
}

// each calls do with each object of a file: those of its list, those of the lists that stand under
// some names of its one object, or those that stand one a line. With no names, objects at the top
// are elements themselves. The file is never held as a whole. An object that do refuses is noted
// and costs only itself; where a file is cut or broken, what stands before that is read.
func (r *reading) each(f *file, what string, names []string, do func(e element) error) error {
	in, err := r.open(f)
	if err != nil {
		return r.bad(r.where(f), err)
	}
	defer in.Close()
	e := &elements{r: r, f: f, what: what, names: names, do: do}
	text := bufio.NewReaderSize(in, 64<<10)
	first, more := firstLine(text)
	if names == nil && bytes.HasPrefix(first, []byte("{")) && (json.Valid(first) || more) {
		return e.lines(text)
	}
	return e.stream(text)
}

// firstLine returns the first line of a text, and whether it may be longer than what was looked at.
func firstLine(text *bufio.Reader) ([]byte, bool) {
	head, err := text.Peek(text.Size())
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, ended := bytes.Cut(head, []byte("\n"))
	return bytes.TrimSpace(line), !ended && err == nil
}

// elements is one run through the objects of a file.
type elements struct {
	r     *reading
	f     *file
	what  string
	names []string
	do    func(element) error
	n     map[string]int
}

func (e *elements) one(under string, m members) error {
	row := e.next(under)
	if m == nil {
		return e.r.bad(row, errors.New("must be an object"))
	}
	return e.r.bad(row, e.do(element{m, e.n[under], under, row}))
}

// next counts an element, and names it.
func (e *elements) next(under string) string {
	if e.n == nil {
		e.n = make(map[string]int)
	}
	e.n[under]++
	what := e.what
	if under != "" {
		what = strings.TrimSuffix(under, "s")
	}
	row := fmt.Sprintf("%s %d", what, e.n[under])
	if where := e.r.where(e.f); where != "" {
		row = where + ", " + row
	}
	return row
}

// lines reads objects that stand one a line.
func (e *elements) lines(in *bufio.Reader) error {
	for n := 1; ; n++ {
		line, err := readLine(in)
		ended := errors.Is(err, io.EOF)
		row := fmt.Sprintf("line %d", n)
		if where := e.r.where(e.f); where != "" {
			row = where + ", " + row
		}
		switch line = bytes.TrimSpace(line); {
		case err != nil && !ended:
			if bad := e.r.bad(row, err); bad != nil || !errors.Is(err, errLongPart) {
				return bad
			}
		case len(line) > 0:
			m, err := parseObject(line)
			if err != nil {
				err = fmt.Errorf("is no JSON object: %w", err)
			} else {
				err = e.do(element{m, n, "", row})
			}
			if err := e.r.bad(row, err); err != nil {
				return err
			}
		}
		if ended {
			return nil
		}
	}
}

var errLongPart = fmt.Errorf("is longer than %d MiB", longestPart>>20)

// readLine returns a line, or passes one that is too long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestPart; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil && long {
			return nil, errLongPart
		}
		return line, err
	}
}

// stream reads objects of lists.
func (e *elements) stream(in io.Reader) error {
	budget := &partReader{in: in}
	d := json.NewDecoder(budget)
	d.UseNumber()
	err := e.values(d, budget)
	if err == nil || errors.Is(err, io.EOF) && d.InputOffset() == 0 {
		return err
	}
	if !isBroken(err) {
		return err
	}
	n := 0
	for _, k := range e.n {
		n += k
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		text = "the file ends in the middle"
	}
	if n > 0 {
		text += fmt.Sprintf("; the %d parts before that were taken", n)
	}
	return e.r.bad(e.r.where(e.f), fmt.Errorf("broken at byte %d: %s", d.InputOffset(), text))
}

// isBroken reports whether an error is about what a file says.
func isBroken(err error) bool {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.As(err, &syntax) ||
		errors.As(err, &wrong) || errors.Is(err, api.ErrInvalid) || errors.Is(err, errNotJSON)
}

var errNotJSON = errors.New("is neither a list nor an object")

// values reads the values at the top of a file.
func (e *elements) values(d *json.Decoder, budget *partReader) error {
	for {
		budget.left = longestPart
		if e.names == nil {
			m, err := e.topObject(d, budget)
			if errors.Is(err, io.EOF) && len(e.n) > 0 {
				return nil
			}
			if err != nil {
				return err
			}
			if m == nil {
				continue
			}
			if err := e.one("", m); err != nil {
				return err
			}
			continue
		}
		t, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case t == json.Delim('['):
			err = e.list(d, budget, "")
		case t == json.Delim('{'):
			err = e.object(d, budget)
		default:
			err = errNotJSON
		}
		if err != nil {
			return err
		}
	}
}

// topObject reads one object at the top; a list is gone through, and gives nil.
func (e *elements) topObject(d *json.Decoder, budget *partReader) (members, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		if e.n == nil {
			e.n = make(map[string]int)
		}
		return nil, e.list(d, budget, "")
	case json.Delim('{'):
		v, err := built(d, t)
		m, _ := v.(map[string]any)
		return m, err
	}
	return nil, errNotJSON
}

// built reads the rest of a value whose first token was read.
func built(d *json.Decoder, t json.Token) (any, error) {
	switch t {
	case json.Delim('{'):
		m := make(map[string]any)
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			m[key.(string)] = v // a decoder gives no other key
		}
		_, err := d.Token()
		return m, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return t, nil
}

// object goes through the members of the one object of a file. A member that is no list among the
// names is taken whole, if it is an object or a text, under its name.
func (e *elements) object(d *json.Decoder, budget *partReader) error {
	some := false
	for d.More() {
		budget.left = longestPart
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		wanted := false
		for _, n := range e.names {
			wanted = wanted || n == name
		}
		some = some || wanted
		if !wanted {
			var over json.RawMessage
			if err := d.Decode(&over); err != nil {
				return err
			}
			continue
		}
		if t, err = d.Token(); err != nil {
			return err
		}
		if t != json.Delim('[') {
			v, err := built(d, t)
			if err != nil {
				return err
			}
			if m, ok := v.(map[string]any); ok {
				err = e.one(name, m)
			} else if v != nil {
				err = e.r.bad(e.r.where(e.f), fmt.Errorf("%s: must be a list", name))
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := e.list(d, budget, name); err != nil {
			return err
		}
	}
	_, err := d.Token()
	if err == nil && !some {
		err = e.r.bad(e.r.where(e.f), fmt.Errorf("none of %s is in it", strings.Join(e.names, ", ")))
	}
	return err
}

// list goes through a list whose bracket was read.
func (e *elements) list(d *json.Decoder, budget *partReader, under string) error {
	for d.More() {
		budget.left = longestPart
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := strict.Check(raw, nil); err != nil { // something of it would be lost
			if err := e.r.bad(e.next(under), err); err != nil {
				return err
			}
			continue
		}
		var m members
		part := json.NewDecoder(bytes.NewReader(raw))
		part.UseNumber()
		if err := part.Decode(&m); err != nil {
			m = nil // it is no object
		}
		if err := e.one(under, m); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// partReader ends a stream whose parts are too long to be held.
type partReader struct {
	in   io.Reader
	left int64
}

func (p *partReader) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, api.Invalid("a part is longer than %d MiB", longestPart>>20)
	}
	n, err := p.in.Read(b)
	p.left -= int64(n)
	return n, err
}
