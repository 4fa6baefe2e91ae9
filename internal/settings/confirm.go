package settings

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/seal"
)

// confirmedFile lies in the data directory: what a person set, by file of settings.
const confirmedFile = "settings.json"

// purposeSetting is what a mark in it is for.
const purposeSetting = "setting"

// Confirmed are the values of a user's file that a person set or confirmed, of those
// settings that are a person's. Another program can edit the file of settings, but
// cannot make the mark. A nil one knows nothing: then every value is in force.
type Confirmed struct {
	path string // of the marks
	user string // the file of settings
	seal *seal.Seal

	values map[string]string // by key, with a valid mark
}

// marked is one value in the file of marks.
type marked struct {
	Value string `json:"value"`
	Mark  string `json:"mark"`
}

// OpenConfirmed reads the marks for a user's file of settings in a data directory. At
// the first run there are none: then the values that are there are taken as the
// person's and marked, once. Where marks were made before and their file is gone,
// nothing is confirmed. Where there is no data directory yet it gives nil, and
// makes none unless it is told to.
func OpenConfirmed(data, user string, make bool) (*Confirmed, error) {
	if info, err := os.Stat(data); user == "" || !make && (err != nil || !info.IsDir()) {
		return nil, nil
	}
	c := &Confirmed{path: filepath.Join(data, confirmedFile), user: filepath.Clean(user), values: map[string]string{}}
	if _, err := os.Lstat(c.path); errors.Is(err, fs.ErrNotExist) {
		return c.begin(data)
	}
	return c, c.known(data)
}

// begin marks the existing values at the first run. It is not the first where there is a
// seal already: then somebody took the marks away.
func (c *Confirmed) begin(data string) (*Confirmed, error) {
	_, err := seal.Load(data)
	first := errors.Is(err, fs.ErrNotExist)
	if c.seal, err = seal.Open(data); err != nil {
		return nil, err
	}
	if first {
		if c.values, err = persons(c.user); err != nil {
			return nil, err
		}
	}
	text, err := c.text(nil)
	if err != nil {
		return nil, err
	}
	tmp, err := written0600(data, text)
	if err != nil {
		return nil, err
	}
	defer os.Remove(tmp)
	// a link fails where the name is taken: of two first runs one marks
	if err := os.Link(tmp, c.path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return c, durable.Names(data)
}

// persons returns the values of a file that are a person's to set.
func persons(path string) (map[string]string, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	values := make(map[string]string)
	for _, l := range leaves(nil, tree) {
		k, err := find(strings.Join(l.path, "."))
		if err != nil || !k.PersonOnly {
			continue
		}
		if text, err := l.text(); err == nil {
			values[k.Key] = text
		}
	}
	return values, nil
}

func (c *Confirmed) read() (map[string]map[string]marked, error) {
	text, err := os.ReadFile(c.path)
	if err != nil {
		return nil, err
	}
	var all map[string]map[string]marked
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", c.path, err)
	}
	return all, nil
}

// text is the file of marks, with those of other files of settings as they are.
func (c *Confirmed) text(all map[string]map[string]marked) ([]byte, error) {
	if all == nil {
		all = make(map[string]map[string]marked)
	}
	own := make(map[string]marked, len(c.values))
	for key, value := range c.values {
		mark := c.seal.Mark(purposeSetting, []byte(c.user), []byte(key), []byte(value))
		own[key] = marked{value, hex.EncodeToString(mark[:])}
	}
	all[c.user] = own
	return json.MarshalIndent(all, "", "  ")
}

// written0600 writes a text into a file beside the one it is to become.
func written0600(dir string, text []byte) (string, error) {
	tmp, err := os.CreateTemp(dir, ".settings-*") // with mode 0600
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(append(text, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		os.Remove(tmp.Name())
		return "", err
	}
	return tmp.Name(), nil
}

// Confirm marks what a person wants of a key; without a value that it is not set.
func (c *Confirmed) Confirm(key, value string, set bool) error {
	k, err := find(key)
	if err != nil || !k.PersonOnly {
		return err
	}
	if c.seal == nil {
		if c.seal, err = seal.Open(filepath.Dir(c.path)); err != nil {
			return err
		}
	}
	if set {
		c.values[key] = value
	} else {
		delete(c.values, key)
	}
	all, err := c.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		all = nil // what cannot be read confirms nothing
	}
	text, err := c.text(all)
	if err != nil {
		return err
	}
	tmp, err := written0600(filepath.Dir(c.path), text)
	if err != nil {
		return err
	}
	return durable.Rename(tmp, c.path)
}

// A Change is a value of a user's file that waits for a person.
type Change struct {
	Key    string `json:"key"`
	Value  string `json:"value"`    // what the file says
	Set    bool   `json:"set"`      // it says something
	Before string `json:"in_force"` // what is in force

	Project bool `json:"project,omitempty"` // it is in the project's file
}

// loosens reports whether a value is a person's to set where another is in force.
func (k *Known) loosens(text, inForce string) bool {
	return k.PersonOnly && text != inForce && (k.order == nil || k.looser(text, inForce)) && !k.quiet(text)
}

// quiet reports whether any program may set a value: the default, or that there is none.
func (k *Known) quiet(text string) bool { return k.calm && (text == k.Default || text == "none") }

// OpenProject reads the marks for a project's file. Where a person never confirmed
// anything of it, nothing in it that is a person's to set is in force.
func OpenProject(data, project string) (*Confirmed, error) {
	c := &Confirmed{path: filepath.Join(data, confirmedFile), user: filepath.Clean(project), values: map[string]string{}}
	return c, c.known(data)
}

// known reads what was confirmed of the file.
func (c *Confirmed) known(data string) error {
	all, err := c.read()
	if err != nil {
		return readable(err)
	}
	if c.seal, err = seal.Load(data); err != nil {
		return readable(err)
	}
	for key, m := range all[c.user] {
		if mark, err := hex.DecodeString(m.Mark); err == nil &&
			c.seal.Is(mark, purposeSetting, []byte(c.user), []byte(key), []byte(m.Value)) {
			c.values[key] = m.Value
		}
	}
	return nil
}

// readable is an error, unless it says that there is nothing yet.
func readable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ConfirmAll marks all values of a file that only a person may set.
func (c *Confirmed) ConfirmAll() error {
	values, err := persons(c.user)
	for key, text := range values {
		err = errors.Join(err, c.Confirm(key, text, true))
	}
	return err
}

// judge says which value of a key is in force: what the file says, if a person set it
// or it loosens nothing, and what was confirmed last, or the default, otherwise.
func (c *Confirmed) judge(k Known, text string, set bool) (value string, is bool) {
	before, known := c.values[k.Key]
	if !known {
		before = k.Default
	}
	now := text
	if !set {
		now = k.Default
	}
	switch {
	case now == before:
	case k.order != nil && !k.looser(now, before):
	case k.quiet(now):
	default:
		return before, false
	}
	return now, true
}

// confirm puts what is in force in the place of what no one confirmed, and tells of it
// in one line.
func (s *Settings) confirm(c *Confirmed) {
	if c == nil {
		return
	}
	var keys []string
	for _, k := range table {
		own := s.values[k.Key]
		set := own.source != sourceDefault
		value0, ok := c.judge(k, own.text, set)
		if !k.PersonOnly || ok {
			continue
		}
		keys = append(keys, k.Key)
		s.Changes = append(s.Changes, Change{Key: k.Key, Value: own.text, Set: set, Before: value0})
		source := sourceDefault
		if _, known := c.values[k.Key]; known {
			source = "confirmed before"
		}
		s.values[k.Key] = value{value0, source}
	}
	switch len(keys) {
	case 0:
	case 1:
		s.warn("%s was changed by another program; it is not in force until you confirm it: `config_confirm`", keys[0])
	default:
		s.warn(
			"%s were changed by another program; they are not in force until you confirm them: `config_confirm`",
			strings.Join(keys, ", "),
		)
	}
}

// Person says whether only a person may set a key, or take it out. An agent may make
// stricter what has an order; inForce is the value there is.
func Person(key, text, inForce string, unset bool) bool {
	k, err := find(key)
	return err == nil && k.PersonOnly && (unset || k.order == nil || k.looser(text, inForce))
}
