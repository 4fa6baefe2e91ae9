// Package settings says what a person has set: by a flag, in the environment, in
// the project's file or in the user's own, or not at all. The earlier of these
// wins; without any file everything has its default.
//
// A project's file comes with the project, which may be a stranger's. It never
// decides whether and where memory leaves the machine.
package settings

import (
	"fmt"
	"maps"
	"strconv"
	"time"
)

const sourceDefault = "default"

// Settings are the values of all keys, checked, and where each is from.
type Settings struct {
	// Warnings say what was ignored in the files and why, in whole sentences.
	Warnings []string

	// Changes are values of the user's file that another program set and that wait for
	// a person.
	Changes []Change

	values map[string]value
}

type value struct{ text, source string }

// An Entry is one setting as it is shown to a person.
type Entry struct {
	Key    string
	Value  string // of a secret never the value, only "set"
	Source string
	Doc    string
}

// Load reads the files there are and the environment. What is wrong with a
// project's file is a warning, and that file then counts for nothing. An empty path or a missing
// file is no error; a file that cannot be read, is not TOML or holds a value that
// cannot be is one, and so is such a value in the environment, where empty means
// not set.
func Load(projectPath, userPath string, getenv func(string) string) (*Settings, error) {
	return LoadGuarded(projectPath, userPath, getenv, Guard{})
}

// A Guard says what of a person's settings is in force that somebody else can write
// too. The zero Guard believes all of it.
type Guard struct {
	User    *Confirmed // what a person confirmed in their own file; nil believes the file
	Project *Confirmed // and in the project's
	Agent   bool       // the environment may be an agent's, or a project's that starts a program
}

// LoadGuarded is Load, except that settings which only a person may set count only if a person
// set them.
func LoadGuarded(projectPath, userPath string, getenv func(string) string, g Guard) (*Settings, error) {
	s := &Settings{values: make(map[string]value, len(table))}
	for _, k := range table {
		s.values[k.Key] = value{k.Default, sourceDefault}
	}
	if err := s.take(userPath, false, nil); err != nil {
		return nil, err
	}
	s.confirm(g.User)
	own := maps.Clone(s.values)
	if err := s.take(projectPath, true, g.Project); err != nil {
		s.values = own // a stranger's file cannot keep stemma from working
		s.warn("%v; the project's settings are ignored", err)
	}
	for _, k := range table {
		if text := getenv(k.Env); text != "" {
			if err := k.check(text); err != nil {
				return nil, fmt.Errorf("environment %s: %w", k.Env, err)
			}
			if g.Agent && k.loosens(text, s.values[k.Key].text) {
				s.warn("%s in the environment is not in force: only a person sets %s", k.Env, k.Key)
				continue
			}
			s.values[k.Key] = value{text, "environment " + k.Env}
		}
	}
	return s, nil
}

// Flag puts what a flag says above everything else. The name of the flag is
// without its dashes. A secret is refused: other users can read command lines.
func (s *Settings) Flag(key, text, flag string) error {
	k, err := find(key)
	if err == nil && k.secret {
		err = fmt.Errorf("set %s instead: other users can read command lines", k.Env)
	}
	if err == nil {
		err = k.check(text)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	s.values[key] = value{text, "flag --" + flag}
	return nil
}

// Get returns the value of a key, of a secret too; "" for a key there is not.
func (s *Settings) Get(key string) string { return s.values[key].text }

// Int returns the value of a key for whole numbers, 0 for an empty one.
func (s *Settings) Int(key string) int {
	n, _ := strconv.Atoi(s.Get(key)) // checked
	return n
}

// Duration returns the value of a key for durations.
func (s *Settings) Duration(key string) time.Duration {
	d, _ := time.ParseDuration(s.Get(key)) // checked
	return d
}

// Source says where a value is from: "default", "environment STEMMA_…",
// "flag --…" or the path of a file.
func (s *Settings) Source(key string) string { return s.values[key].source }

// All returns every setting in the order of the table, secrets masked.
func (s *Settings) All() []Entry {
	all := make([]Entry, 0, len(table))
	for _, k := range table {
		v := s.values[k.Key]
		if k.secret && v.text != "" {
			v.text = "set"
		}
		all = append(all, Entry{k.Key, v.text, v.source, k.Doc})
	}
	return all
}

// Format keeps secrets out of output and logs.
func (s *Settings) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%d settings", len(s.values)) }
