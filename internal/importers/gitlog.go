package importers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds of what is read of one commit. Together they fit the text of a raw.
const (
	maxFiles   = 200       // file lines
	maxPath    = 2 << 10   // bytes of the name in one
	maxMessage = 512 << 10 // bytes
	cutMark    = "… (cut)"
)

// logFormat has git end every field with a NUL, which no field can hold. The
// message comes last of the four; after it come pairs of status and path.
const logFormat = "%H%x00%at%x00%an%x00%B%x00"

// A loggedCommit is one entry of the log.
type loggedCommit struct {
	hash    string
	at      memory.Time
	author  string
	message string
	files   []string // "M path", at most maxFiles
	touched int      // how many files there were
}

var errLog = errors.New("git wrote a log that cannot be parsed")

// readLog reads what git log -z --name-status wrote in logFormat.
func readLog(r io.Reader) iter.Seq2[*loggedCommit, error] {
	return func(yield func(*loggedCommit, error) bool) {
		in := &fields{bufio.NewReader(r)}
		hash, err := in.next()
		for err == nil {
			var c *loggedCommit
			if c, hash, err = in.commit(hash); c != nil && !yield(c, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	}
}

// fields are texts that end with a NUL each.
type fields struct{ r *bufio.Reader }

// next returns the next field, cut to maxMessage bytes, so that what a stranger's
// repository holds cannot fill the memory. The error is io.EOF after the last.
func (in *fields) next() (string, error) {
	var field []byte
	whole := true
	for {
		part, err := in.r.ReadSlice(0)
		full := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !full {
			if errors.Is(err, io.EOF) && (len(part) > 0 || len(field) > 0) {
				return "", fmt.Errorf("%w: it ends in the middle", errLog)
			}
			return "", err
		}
		if !full {
			part = part[:len(part)-1]
		}
		if room := maxMessage - len(field); len(part) > room {
			part, whole = part[:room], false
		}
		field = append(field, part...)
		if full {
			continue
		}
		if !whole { // perhaps within a character
			return clip(string(field), len(field)-utf8.UTFMax), nil
		}
		return string(field), nil
	}
}

// commit reads the commit that begins with hash and gives the hash of the one
// after it. With the last commit comes io.EOF.
func (in *fields) commit(hash string) (*loggedCommit, string, error) {
	if !isHash(hash) {
		return nil, "", fmt.Errorf("%w: no commit has the id %q", errLog, shorten.To(hash, 80))
	}
	c := &loggedCommit{hash: hash}
	var rest [3]string
	for i := range rest {
		var err error
		if rest[i], err = in.next(); err != nil {
			return nil, "", cutOff(err)
		}
	}
	c.at, c.author, c.message = secondsToTime(rest[0]), rest[1], rest[2]
	for {
		status, err := in.next()
		if err != nil {
			return c, "", err
		}
		if status = strings.TrimLeft(status, "\n"); status == "" {
			continue // what git puts between a message and its files, or the next commit
		}
		if !isStatus(status) {
			return c, status, nil
		}
		path, err := in.next()
		if err != nil {
			return nil, "", cutOff(err)
		}
		if c.touched++; len(c.files) < maxFiles {
			c.files = append(c.files, status+" "+clip(printable(path), maxPath))
		}
	}
}

// clip cuts s to n bytes and says so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return shorten.To(s, n) + cutMark
}

// cutOff is err, where the end must not come.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends in the middle", errLog)
	}
	return err
}

// isHash reports whether a text is a SHA-1 or a SHA-256 in hex.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// isStatus says what was done to a file: one letter, for a merge one for each
// parent.
func isStatus(s string) bool {
	return s != "" && strings.Trim(s, "ACDMRTUXB") == ""
}

// printable returns a name that stays on its line: as it is, or quoted as a string
// of Go if that would not.
func printable(name string) string {
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if strings.HasPrefix(name, `"`) || strings.ContainsFunc(name, odd) {
		return strconv.Quote(name)
	}
	return name
}
