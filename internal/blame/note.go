// Package blame says which session of an agent wrote a line of code. Hooks note what a session edited, as hashes of
// lines. The history of a file is then gone through from its beginning: each line that a commit brings in is looked
// for among the notes that no earlier commit used up.
package blame

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"github.com/stemma-memory/stemma/internal/secrets"
)

// A Note says that a session edited a file. It holds no words: lines are hashes, and one with a secret has none.
type Note struct {
	ID      string `json:"id,omitempty"`
	At      string `json:"at"`
	Host    string `json:"host,omitempty"`
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"` // the sub-agent
	Path    string `json:"path"`            // in the repository, with slashes
	Tree    string `json:"tree,omitempty"`  // the checkout
	Head    string `json:"head,omitempty"`  // the commit that was checked out
	Call    string `json:"call,omitempty"`  // what the host calls the use of the tool
	Hunks   []Hunk `json:"hunks"`

	Commit string `json:"commit,omitempty"` // of a note that was signed at a commit
	Ref    string `json:"-"`                // of the signed record
	By     string `json:"-"`                // who signed it, where that is another person
	Key    string `json:"-"`                // and the key that began their history

	order int  // of the newest commit that was there before it
	spent bool // a commit used some of it
	lines []*piece
}

// A Hunk is lines as a diff has them: a sign and a hash each. The signs are " ", "+" and "-"; "^" and "$" alone are the
// beginning and the end of the file.
type Hunk []string

const (
	fileBegins, fileEnds = "^", "$"

	secret  = "*" // the hash of a line that may hold a secret
	strong  = 16  // digits of a hash
	weak    = 8   // digits of the hash of a line that says little: "}"
	little  = 4   // letters and digits that say little
	around  = 3   // lines of context
	MostIn  = 4000
	MaxFile = 4 << 20 // bytes of a file that is looked at
)

// squeezed is a line without its white space, which formatters change.
func squeezed(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, line)
}

// hash is what is kept of a line without white space.
func hash(squeezed string) string {
	if squeezed == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(squeezed))
	n := 0
	for _, r := range squeezed {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	if n < little {
		return hex.EncodeToString(sum[:weak/2])
	}
	return hex.EncodeToString(sum[:strong/2])
}

// A Change is lines of a file as a diff has them: a sign in front of each line.
type Change []string

// Hunks hashes changes, so many lines at most.
func Hunks(changes []Change) (out []Hunk) {
	left := MostIn
	for _, c := range changes {
		if len(c) > left {
			c = c[:left]
		}
		left -= len(c)
		if h := hashed(c); h != nil {
			out = append(out, h)
		}
	}
	return out
}

// hashed is nil for a change without a change.
func hashed(c Change) Hunk {
	texts := make([]string, len(c))
	changes := false
	for i, line := range c {
		if line != "" && line != fileBegins && line != fileEnds {
			texts[i] = strings.ToValidUTF8(line[1:], "\uFFFD")
		}
		changes = changes || strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")
	}
	if !changes {
		return nil
	}
	hides := secretLines(texts)
	h := make(Hunk, len(c))
	for i, line := range c {
		switch {
		case line == "":
			h[i] = " "
		case line == fileBegins, line == fileEnds:
			h[i] = line
		case hides[i]:
			h[i] = line[:1] + secret
		default:
			h[i] = line[:1] + hash(squeezed(texts[i]))
		}
	}
	return h
}

// secretLines says which lines may hold a part of a secret or of what is marked as private.
func secretLines(lines []string) []bool {
	hides := make([]bool, len(lines))
	text := strings.Join(lines, "\n")
	starts := make([]int, len(lines)+1)
	for i, line := range lines {
		starts[i+1] = starts[i] + len(line) + 1
	}
	hide := func(from, to int) {
		for i := range lines {
			if starts[i] < to && from < starts[i+1] {
				hides[i] = true
			}
		}
	}
	for _, f := range secrets.Find(text) {
		hide(f.Start, f.End)
	}
	if open := secrets.Private(text); open != text {
		from := 0
		for from < min(len(open), len(text)) && open[from] == text[from] {
			from++
		}
		to := 0
		for to < min(len(open), len(text))-from && open[len(open)-1-to] == text[len(text)-1-to] {
			to++
		}
		hide(from, len(text)-to+1)
	}
	return hides
}

// lines parts a text into lines without their ends.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

// Changed returns how two texts of a file differ.
func Changed(before, after string) []Change {
	old, now := lines(before), lines(after)
	if len(now) == 0 && len(old) == 0 {
		return nil
	}
	return changedIn(now, old, 0, len(now))
}

// Replaced returns what changed in a file in which old words were replaced by new ones; text is the file as it is now.
func Replaced(text, old, now string, all bool) (out []Change) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	old, now = strings.ReplaceAll(old, "\r\n", "\n"), strings.ReplaceAll(now, "\r\n", "\n")
	n := strings.Count(text, now)
	if now == "" || n == 0 || n > 1 && !all { // where it stands is not known
		for _, c := range Changed(old, now) {
			out = append(out, slices.DeleteFunc(c, func(line string) bool { return line == fileBegins || line == fileEnds }))
		}
		return out
	}
	whole := lines(text)
	for at := 0; ; {
		next := strings.Index(text[at:], now)
		if next < 0 {
			return out
		}
		at += next
		first := strings.LastIndexByte(text[:at], '\n') + 1
		last := at + len(now)
		if text[last-1] != '\n' {
			if end := strings.IndexByte(text[last:], '\n'); end >= 0 {
				last += end + 1
			} else {
				last = len(text)
			}
		}
		was := lines(text[first:at] + old + text[at+len(now):last])
		from := strings.Count(text[:first], "\n")
		out = append(out, changedIn(whole, was, from, min(from+len(lines(text[first:last])), len(whole)))...)
		at += len(now)
	}
}

// changedIn returns how some lines of a file differ from those that stood there, with lines around them.
func changedIn(whole, was []string, from, to int) []Change {
	now := whole[from:to]
	same, tail := 0, 0
	for same < min(len(was), len(now)) && was[same] == now[same] {
		same++
	}
	for tail < min(len(was), len(now))-same && was[len(was)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	if same == len(was) && same == len(now) {
		return nil
	}
	if same+tail == len(was) { // of equal ends either may be the new one: a block begins behind a blank line
		up := 0
		for k := 0; k < same && now[same-1-k] == now[len(now)-tail-1-k]; k++ {
			if k+1 == same || squeezed(now[same-2-k]) == "" {
				up = k + 1
				break
			}
		}
		if same > 0 && squeezed(now[same-1]) != "" {
			same, tail = same-up, tail+up
		}
	}
	return between(whole, was[same:len(was)-tail], from+same, to-tail)
}

// between is the same of lines that differ from the first to the last.
func between(whole, was []string, from, to int) (out []Change) {
	before, after := strings.Join(append(was, ""), "\n"), strings.Join(append(whole[from:to:to], ""), "\n")
	d, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), around)
	if err != nil {
		return nil
	}
	for _, h := range d.Hunks {
		var c Change
		at := from + max(h.ToLine-1, 0)
		lead := 0
		for lead < len(h.Lines) && h.Lines[lead].Kind == udiff.Equal {
			lead++
		}
		first := max(at-(around-lead), 0)
		if first == 0 {
			c = append(c, fileBegins)
		}
		for _, line := range whole[first:at] {
			c = append(c, " "+line)
		}
		behind := around
		for _, l := range h.Lines {
			sign := map[udiff.OpKind]string{udiff.Equal: " ", udiff.Insert: "+", udiff.Delete: "-"}[l.Kind]
			c = append(c, sign+strings.TrimSuffix(l.Content, "\n"))
			if behind--; l.Kind != udiff.Equal {
				behind = around
			}
			if l.Kind != udiff.Delete {
				at++
			}
		}
		last := min(at+max(behind, 0), len(whole))
		for _, line := range whole[at:last] {
			c = append(c, " "+line)
		}
		if last == len(whole) {
			c = append(c, fileEnds)
		}
		out = append(out, c)
	}
	return out
}
