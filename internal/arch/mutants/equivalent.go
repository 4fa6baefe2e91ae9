package main

import (
	"fmt"
	"os"
	"strings"
)

// A same is a change that nothing can see, so that no test can be written for it.
type same struct {
	name          string // of the file
	before, after string // the lines that change, without the space around them
	count         int    // of the lines before: more than those that change say where they stand
	why           string
}

// is reports whether a change is this one. Lines move, so their numbers do not count.
func (m mutant) is(s same) bool {
	if m.name != s.name {
		return false
	}
	before, after := m.lines()
	above := m.text[:strings.LastIndexByte(m.text[:m.from], '\n')+1]
	for range s.count - strings.Count(before, "\n") - 1 {
		at := strings.LastIndexByte(strings.TrimSuffix(above, "\n"), '\n') + 1
		before, after, above = above[at:]+before, above[at:]+after, above[:at]
	}
	return flat(before) == s.before && flat(after) == s.after
}

// flat is lines as one, with single spaces.
func flat(lines string) string { return strings.Join(strings.Fields(lines), " ") }

// equivalents reads a list of such changes: the file's name, the line before behind "-",
// the line after behind "+", and the reason behind ":".
func equivalents(file string) ([]same, error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []same
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		var into *string
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.HasSuffix(line, ".go"):
			all = append(all, same{name: line})
			continue
		case len(all) == 0:
		case line[0] == '-':
			into = &all[len(all)-1].before
			all[len(all)-1].count++
		case line[0] == '+':
			into = &all[len(all)-1].after
		case line[0] == ':':
			into = &all[len(all)-1].why
		}
		if into == nil {
			return nil, fmt.Errorf("%s:%d: %q is no part of a change", file, n+1, line)
		}
		*into = flat(*into + " " + line[1:])
	}
	return all, nil
}
