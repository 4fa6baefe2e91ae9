package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// setMember returns a text with a member in the object that path names, made where it is
// not there. A member of that name is replaced.
func setMember(text string, path []string, name string, value any) (string, error) {
	text, on, err := objectAt(text, path)
	if err != nil {
		return "", err
	}
	if old := on.get(name); old != nil {
		written := format(value, indentOf(text), depthOf(text, old.start), newlineOf(text))
		return text[:old.start] + written + text[old.end:], nil
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		return "", err
	}
	var last *node
	if k := len(on.members); k > 0 {
		last = on.members[k-1].value
	}
	return insert(text, on, last, string(quoted)+": ", value)
}

// addItem returns a text with an item at the end of the list that path and name lead to.
func addItem(text string, path []string, name string, value any) (string, error) {
	text, on, err := objectAt(text, path)
	if err != nil {
		return "", err
	}
	list := on.get(name)
	if list == nil {
		return setMember(text, path, name, []any{value})
	}
	if list.kind != '[' {
		return "", at(text, list.start, fmt.Sprintf("%q is no list", name))
	}
	var last *node
	if k := len(list.items); k > 0 {
		last = list.items[k-1]
	}
	return insert(text, list, last, "", value)
}

// objectAt finds the object that path names, and makes what is not there of it.
func objectAt(text string, path []string) (string, *node, error) {
	root, err := parseJSONC(text)
	if err != nil {
		return "", nil, err
	}
	if root == nil { // nothing yet, or comments alone
		nl := newlineOf(text)
		if text != "" && text != bom && !strings.HasSuffix(text, "\n") {
			text += nl
		}
		text += "{" + nl + "}" + nl
		if root, err = parseJSONC(text); err != nil {
			return "", nil, err
		}
	}
	if root.kind != '{' {
		return "", nil, at(text, root.start, "want an object")
	}
	on := root
	for i, name := range path {
		next := on.get(name)
		if next == nil {
			if text, err = setMember(text, path[:i], name, json.RawMessage("{}")); err != nil {
				return "", nil, err
			}
			return objectAt(text, path)
		}
		if next.kind != '{' {
			return "", nil, at(text, next.start, fmt.Sprintf("%q is no object", name))
		}
		on = next
	}
	return text, on, nil
}

// insert puts a value before the end of an object or a list. Last is its last value, nil
// where it is empty.
func insert(text string, on, last *node, name string, value any) (string, error) {
	nl, indent, depth := newlineOf(text), indentOf(text), depthOf(text, on.start)
	end := on.end - 1
	head, tail := text[:end], text[end:]
	inside := strings.TrimRight(head, " \t\r\n")
	comma := ""
	if last != nil && last.comma == 0 {
		comma = ","
	}
	body := nl + strings.Repeat(indent, depth+1) + name + format(value, indent, depth+1, nl)
	closing := nl + strings.Repeat(indent, depth)
	if own := head[len(inside):]; strings.Contains(own, "\n") && last != nil {
		closing = own[strings.LastIndexAny(own, "\n"):] // as its end stood before
		if strings.HasSuffix(own[:len(own)-len(closing)], "\r") {
			closing = "\r" + closing
		}
	}
	if last != nil {
		inside = inside[:last.end] + comma + inside[last.end:]
	}
	return inside + body + closing + tail, nil
}

// removeMember takes a member away, and removeItem an item of a list.
// Comments stay.
func removeMember(text string, on *node, k int) string {
	var before *node
	if k > 0 {
		before = on.members[k-1].value
	}
	return removeSpan(text, on.members[k].start, on.members[k].value, before)
}

func removeItem(text string, on *node, k int) string {
	var before *node
	if k > 0 {
		before = on.items[k-1]
	}
	return removeSpan(text, on.items[k].start, on.items[k], before)
}

// removeSpan takes a value away with one comma, and the line it leaves empty. Start is where
// its name stands, or it.
func removeSpan(text string, start int, value, before *node) string {
	end := value.end
	lineStart := start
	for lineStart > 0 && strings.ContainsRune(" \t", rune(text[lineStart-1])) {
		lineStart--
	}
	if value.comma > 0 {
		between := text[end:value.comma]
		after := value.comma + 1
		if strings.TrimSpace(between) == "" {
			between = ""
		}
		rest := text[after:]
		if lineStart > 0 && text[lineStart-1] == '\n' && between == "" {
			// the whole line goes, unless something else stands on it
			trimmed := strings.TrimLeft(rest, " \t")
			if strings.HasPrefix(trimmed, "\n") || strings.HasPrefix(trimmed, "\r\n") {
				return text[:lineStart] + strings.TrimPrefix(strings.TrimPrefix(trimmed, "\r"), "\n")
			}
		}
		return text[:start] + between + strings.TrimLeft(rest, " \t")
	}
	head := text[:start]
	if before != nil { // it is the last: the comma before it goes
		head = text[:before.comma] + text[before.comma+1:start]
	}
	tail := text[end:]
	if trimmed := strings.TrimRight(head, " \t"); strings.HasSuffix(trimmed, "\n") {
		if rest := strings.TrimLeft(tail, " \t"); strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") {
			return strings.TrimSuffix(strings.TrimSuffix(trimmed, "\n"), "\r") + rest // the line is empty
		}
	}
	return head + tail
}

// newlineOf returns how a text ends its lines.
func newlineOf(text string) string {
	if strings.Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// indentOf returns what a text puts before the members of its outer object.
func indentOf(text string) string {
	root, err := parseJSONC(text)
	if err != nil || root == nil || len(root.members) == 0 {
		return "  "
	}
	start := root.members[0].start
	begin := strings.LastIndexByte(text[:start], '\n') + 1
	if own := text[begin:start]; begin > 0 && own != "" && strings.Trim(own, " \t") == "" {
		return own
	}
	return "  "
}

// depthOf counts the brackets that are open at a place.
func depthOf(text string, i int) int {
	root, err := parseJSONC(text)
	if err != nil || root == nil {
		return 0
	}
	depth, on := 0, root
	for on != nil && on.start < i {
		var next *node
		for _, m := range on.members {
			if m.value.start <= i && i < m.value.end {
				next = m.value
			}
		}
		for _, item := range on.items {
			if item.start <= i && i < item.end {
				next = item
			}
		}
		if next == nil {
			break
		}
		on = next
		depth++
	}
	return depth
}

// format writes a value as it stands at a depth.
func format(value any, indent string, depth int, nl string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat(indent, depth), indent)
	if err := enc.Encode(value); err != nil {
		return "null" // our own values can be written
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", nl)
}

// An object is one whose members keep the order in which they are given.
type object []pair

type pair struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		var v bytes.Buffer
		enc := json.NewEncoder(&v)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(p.value); err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(v.Bytes()))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// sameValue reports whether a value in a text is the one given, however it is written.
func sameValue(text string, n *node, value any) bool {
	want, err := json.Marshal(value)
	if err != nil || n == nil {
		return false
	}
	return sameJSON(plainJSON(text, n), want)
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	a, errA := json.Marshal(x)
	b, errB := json.Marshal(y)
	return errors.Join(errA, errB) == nil && bytes.Equal(a, b)
}
