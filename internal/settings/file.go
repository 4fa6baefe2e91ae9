package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"
)

const (
	// What a file of settings may be: one that comes with a project can be made
	// for harm, and the parser takes minutes for tables ten thousand deep.
	mostBytes = 64 << 10
	mostDeep  = 200

	mostUnknown   = 10 // unknown keys of a file that are named
	mostPrintable = 120
)

// take puts the values of a file above those there are; of a project's only what a
// person confirmed where it makes less be kept.
func (s *Settings) take(path string, project bool, c *Confirmed) error {
	text, err := read(path)
	if err != nil {
		return err
	}
	tree, err := parse(path, text)
	if err != nil {
		return err
	}
	unknown := 0
	for _, l := range leaves(nil, tree) {
		k, err := find(strings.Join(l.path, "."))
		if err != nil || len(l.path) != 2 {
			if unknown++; unknown <= mostUnknown {
				s.warn("%s: unknown setting %s%s", path, printable(l.path.String()), suggestion(strings.Join(l.path, ".")))
			}
			continue
		}
		if project && !k.ProjectMay {
			advice := ""
			if k.secret { // nobody else can say where one belongs
				advice = "; " + insteadOf(k)
			}
			s.warn("%s: %s is ignored: a project does not decide where memory is sent%s", path, k.Key, advice)
			continue
		}
		if k.secret {
			return fmt.Errorf("%s: %s is refused: %s", path, k.Key, insteadOf(k))
		}
		text, err := l.text()
		if err == nil {
			err = k.check(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path, k.Key, err)
		}
		if own := s.values[k.Key]; project && k.adds && c != nil && c.values[k.Key] != text {
			s.Changes = append(s.Changes, Change{Key: k.Key, Value: text, Set: true, Before: own.text, Project: true})
			s.warn("%s: %s is not in force until you confirm it: `config_confirm`", path, k.Key)
			continue
		}
		if own := s.values[k.Key]; project && k.adds && own.text != "" {
			if both := own.text + "," + text; k.check(both) == nil {
				s.values[k.Key] = value{both, own.source + " and " + path}
			} else {
				s.warn("%s: %s is ignored: with yours it is too long", path, k.Key)
			}
			continue
		}
		if own := s.values[k.Key].text; project && k.looser(text, own) {
			s.warn("%s: %s is ignored: a project may make it stricter, and yours is %s", path, k.Key, own)
			continue
		}
		s.values[k.Key] = value{text, path}
	}
	if unknown > mostUnknown {
		s.warn("%s: %d more unknown settings", path, unknown-mostUnknown)
	}
	return nil
}

func (s *Settings) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// read returns the text of a file, "" if there is none.
func read(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path) // links are followed: people keep settings elsewhere
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err != nil {
		return "", err
	}
	if len(text) > mostBytes {
		return "", fmt.Errorf("%s is longer than %d bytes", path, mostBytes)
	}
	return string(text), nil
}

// deep counts what can make tables in tables: dots and braces, but those of
// comments.
func deep(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			n += strings.Count(line, ".") + strings.Count(line, "{")
		}
	}
	return n
}

// parse reads TOML. Its error names the file and the line, and never repeats a
// secret.
func parse(path, text string) (map[string]any, error) {
	if deep(text) > mostDeep {
		return nil, fmt.Errorf("%s has more than %d dots and braces", path, mostDeep)
	}
	tree := map[string]any{}
	_, err := toml.Decode(text, &tree)
	var wrong toml.ParseError
	switch {
	case err == nil:
		return tree, nil
	case !errors.As(err, &wrong):
		return nil, fmt.Errorf("%s is not TOML: %s", path, printable(err.Error()))
	}
	message := printable(wrong.Message)
	if strings.Contains(strings.ToLower(wrong.LastKey), "key") { // the message may repeat the value
		message = "the value cannot be read"
	}
	// The parser's own line is one too many where a line ends too early.
	line := 1 + strings.Count(text[:max(0, min(wrong.Position.Start, len(text)))], "\n")
	return nil, fmt.Errorf("%s is not TOML: line %d: %s", path, line, message)
}

// A leaf is a value that is no table.
type leaf struct {
	path  toml.Key
	value any
}

// leaves returns all values below a table, sorted by their keys.
func leaves(path toml.Key, tree map[string]any) []leaf {
	var all []leaf
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		here := append(slices.Clone(path), key)
		if below, ok := tree[key].(map[string]any); ok {
			all = append(all, leaves(here, below)...)
		} else {
			all = append(all, leaf{here, tree[key]})
		}
	}
	return all
}

func (l leaf) text() (string, error) {
	switch v := l.value.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	return "", errors.New("want text in quotes or a whole number")
}

// printable makes a stranger's text safe to show, and not too long.
func printable(s string) string {
	if len(s) > mostPrintable {
		s = strings.ToValidUTF8(s[:mostPrintable], "") + "…"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return strconv.QuoteToGraphic(s)
	}
	return s
}
