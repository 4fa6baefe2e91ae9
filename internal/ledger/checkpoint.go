package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Checkpoint says of a log how many ids it had and what their root was. Its
// form is C2SP's tlog-checkpoint.
type Checkpoint struct {
	Origin string   // which log
	Size   int64    // how many ids it had
	Root   Hash     // of the tree over them
	Extra  []string // further lines, which mean nothing here
}

// Bounds on a checkpoint, which is a stranger's.
const (
	maxOrigin = 512 // bytes
	maxExtra  = 16  // lines
	maxLine   = 512 // bytes
)

// Format returns the lines of a checkpoint, each with its line feed.
func (c Checkpoint) Format() (string, error) {
	if err := c.check(); err != nil {
		return "", fmt.Errorf("checkpoint: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d\n%s\n", c.Origin, c.Size, EncodeHash(c.Root))
	for _, l := range c.Extra {
		b.WriteString(l + "\n")
	}
	return b.String(), nil
}

func (c Checkpoint) check() error {
	if err := checkSize(c.Size); err != nil {
		return err
	}
	if c.Size == 0 && c.Root != EmptyRoot() {
		return errors.New("an empty log with a root that is not the empty tree's")
	}
	if len(c.Origin) > maxOrigin {
		return fmt.Errorf("origin of %d bytes", len(c.Origin))
	}
	if len(c.Extra) > maxExtra {
		return fmt.Errorf("%d further lines", len(c.Extra))
	}
	for _, l := range append([]string{c.Origin}, c.Extra...) {
		if err := checkLine(l); err != nil {
			return err
		}
	}
	return nil
}

// checkLine refuses what would be more than one line, or no line of a note.
func checkLine(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New("a line is blank")
	case len(s) > maxLine:
		return fmt.Errorf("a line of %d bytes", len(s))
	case !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("a line is not valid text")
	}
	return nil
}

// ParseCheckpoint reads what Format writes, and no other spelling of it.
func ParseCheckpoint(text string) (Checkpoint, error) {
	const most = maxOrigin + (maxExtra+2)*(maxLine+1) + 1
	if len(text) > most {
		return Checkpoint{}, fmt.Errorf("checkpoint: %d bytes", len(text))
	}
	body, ended := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	if !ended || len(lines) < 3 {
		return Checkpoint{}, errors.New("checkpoint: want lines of origin, size and root")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, errors.New("checkpoint: the size is not a plain number")
	}
	root, err := DecodeHash(lines[2])
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: root: %w", err)
	}
	c := Checkpoint{Origin: lines[0], Size: size, Root: root}
	if len(lines) > 3 {
		c.Extra = lines[3:]
	}
	if err := c.check(); err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return c, nil
}
