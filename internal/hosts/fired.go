package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Fired is the directory in which a hook leaves, for its host, that it ran.
type Fired struct{ Dir string }

// Mark notes that a hook of a host runs now.
func (f Fired) Mark(host string) error {
	path, now := filepath.Join(f.Dir, host), time.Now()
	if os.Chtimes(path, now, now) == nil {
		return nil
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}

// Last returns when a hook of a host ran last, the zero time for never.
func (f Fired) Last(host string) time.Time {
	info, err := os.Stat(filepath.Join(f.Dir, host))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Hooked reports whether a host's files have our hooks.
func (p Place) Hooked(host string) bool {
	list, _, err := p.targets(host)
	if err != nil {
		return false
	}
	for _, t := range list {
		c, err := read(t)
		if err != nil || c.Old == nil || !strings.Contains(t.what, "hooks") {
			continue
		}
		switch e := t.editor.(type) {
		case entries:
			root, _ := parseJSONC(string(c.Old))
			if _, _, found := e.takeOne(string(c.Old), root.get("hooks")); found {
				return true
			}
		case sharedFile:
			for _, named := range e.named(string(c.Old)) {
				if named == host {
					return true
				}
			}
		case whole:
			if strings.Contains(string(c.Old), ownFile) {
				return true
			}
		}
	}
	return false
}

// WhyNever says why a host's hooks may never have run, "" for no particular reason.
func WhyNever(host string) string {
	if host == Codex {
		return "Codex runs only hooks that you trust: type /hooks in it"
	}
	return ""
}
