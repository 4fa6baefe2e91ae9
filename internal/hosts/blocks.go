package hosts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A block is lines of ours in a file that people write, between two markers. Hosts
// that read the same file share one, and the marker names them.
type block struct {
	host         string
	opens, ends  string // how a comment begins and ends there
	body         string
	check        func(text string) error // that the whole is what it should be; nil asks nothing
	alreadyThere func(text string) bool  // somebody wrote by hand what we would
}

const (
	beginWord = "stemma begin"
	endWord   = "stemma end"
)

// markdown is a block in a page.
func markdown(host, body string) block {
	return block{host: host, opens: "<!-- ", ends: " -->", body: body}
}

// tomlTable is a block with a table, which may stand after everything else.
func tomlTable(host, body string, there func(string) bool) block {
	return block{host: host, opens: "# ", body: body, check: checkCodex, alreadyThere: there}
}

// find returns where our lines stand, from the beginning of the first to the beginning of
// the line after the last, and the hosts named there.
func (b block) find(text string) (start, end int, named []string, err error) {
	start = lineWith(text, 0, b.opens+beginWord)
	if start < 0 {
		return -1, -1, nil, nil
	}
	stop := lineWith(text, start, b.opens+endWord)
	if stop < 0 {
		return 0, 0, nil, at(
			text, start,
			"our lines begin here and have no end: take them out by hand, or put back the line '"+b.opens+endWord+b.ends+"'",
		)
	}
	first := text[start:]
	first, _, _ = strings.Cut(first, "\n")
	first = strings.TrimSuffix(strings.TrimSpace(first), strings.TrimSpace(b.ends))
	first, _, _ = strings.Cut(strings.TrimPrefix(first, b.opens+beginWord), ":")
	end = len(text)
	if n := strings.IndexByte(text[stop:], '\n'); n >= 0 {
		end = stop + n + 1
	}
	return start, end, strings.Fields(first), nil
}

// lineWith returns where a line begins that begins with some words, -1 for none.
func lineWith(text string, from int, words string) int {
	for i := from; i < len(text); {
		if strings.HasPrefix(strings.TrimPrefix(text[i:], bom), words) {
			return i + len(text[i:]) - len(strings.TrimPrefix(text[i:], bom))
		}
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return -1
}

func (b block) lines(named []string, nl string) string {
	slices.Sort(named)
	named = slices.Compact(named)
	all := fmt.Sprintf("%s%s %s: 'stemma init %s --remove' takes this out%s\n%s\n%s%s%s\n",
		b.opens, beginWord, strings.Join(named, " "), named[0], b.ends, strings.TrimSpace(b.body), b.opens, endWord, b.ends)
	return strings.ReplaceAll(all, "\n", nl)
}

func (b block) put(text string) (string, error) {
	if b.check != nil {
		if err := b.check(text); err != nil {
			return "", err
		}
	}
	start, end, named, err := b.find(text)
	if err != nil {
		return "", err
	}
	nl := newlineOf(text)
	var out string
	if start >= 0 {
		out = text[:start] + b.lines(append(named, b.host), nl) + text[end:]
	} else {
		if b.alreadyThere != nil && b.alreadyThere(text) {
			return text, nil
		}
		before := text
		if before != "" && before != bom {
			if !strings.HasSuffix(before, "\n") {
				before += nl
			}
			before += nl
		}
		out = before + b.lines([]string{b.host}, nl)
	}
	if b.check != nil {
		if err := b.check(out); err != nil {
			return "", fmt.Errorf("with our lines it would be no TOML: %w", err)
		}
	}
	return out, nil
}

func (b block) take(text string) (string, error) {
	start, end, named, err := b.find(text)
	if err != nil || start < 0 || !slices.Contains(named, b.host) {
		return text, err
	}
	nl := newlineOf(text)
	if left := slices.DeleteFunc(named, func(n string) bool { return n == b.host }); len(left) > 0 {
		return text[:start] + b.lines(left, nl) + text[end:], nil
	}
	before, after := text[:start], text[end:]
	if strings.HasSuffix(before, nl+nl) || before == nl {
		before = strings.TrimSuffix(before, nl) // the blank line that we put there
	}
	return before + after, nil
}

// shared reports whether something of ours is left for another host.
func (b block) shared(text string) bool { return lineWith(text, 0, b.opens+beginWord) >= 0 }

func (b block) empty(text string) bool { return strings.TrimSpace(strings.TrimPrefix(text, bom)) == "" }

// A whole is a file that is ours alone.
type whole struct{ body string }

// ownFile is what stands in every file that is ours alone.
const ownFile = "stemma init"

func (w whole) put(text string) (string, error) {
	if text != "" && !strings.Contains(text, ownFile) {
		return "", errors.New("it is there and not ours: move it away first")
	}
	return w.body, nil
}

func (w whole) take(text string) (string, error) {
	if text == w.body {
		return "", nil
	}
	if !strings.Contains(text, ownFile) {
		return text, nil
	}
	return "", nil
}

func (whole) shared(string) bool     { return false }
func (whole) empty(text string) bool { return text == "" }
