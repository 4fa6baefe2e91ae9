package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// Forms in which paths are written for other programs: for a shell, which hosts do not run, and for Windows.
var (
	variable        = lazy.Regexp(`\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)`)
	windowsVariable = lazy.Regexp(`%[A-Za-z_]\w*(?:\(\w+\))?%`)
	windowsDrive    = lazy.Regexp(`^[A-Za-z]:[\\/]|^\\\\`)
)

// expanded returns a path as a person means it who wrote it for a shell: ~ is the home directory, and $NAME a
// variable. What means nothing here is refused by its name, so that no directory "~" or "C:" is made. A file that has
// such a name is that file. From says where it was written.
func (a *app) expanded(from, path string) (string, error) {
	scheme := ""
	if rest, is := strings.CutPrefix(path, "sqlite:"); is {
		scheme, path = "sqlite:", rest
	}
	if _, err := os.Lstat(path); path == "" || err == nil || strings.HasPrefix(path, "postgres") && scheme == "" &&
		strings.Contains(path, "://") {
		return scheme + path, nil
	}
	refuse := func(what, do string) (string, error) {
		return "", api.Invalid("%s: %s in %s %s", from, clean(what), quoted(path, 200), do)
	}
	windows := runtime.GOOS == "windows"
	if low := strings.ToLower(path); strings.HasPrefix(low, "file:") {
		return refuse(path[:len("file:")], "means nothing here; write the path alone")
	} else if at := strings.Index(path, "://"); at > 0 && !strings.ContainsAny(path[:at], `/\`) {
		return refuse(path[:at+len("://")], "is no store; write the path of a file, or postgres://…")
	}
	if drive := windowsDrive.Get().FindString(path); drive != "" && !windows {
		return refuse(drive, "is a path of Windows; write the path here")
	}
	path, err := a.withVariables(from, path, windows)
	if err != nil {
		return "", err
	}
	if path == "~" || strings.HasPrefix(path, "~/") || windows && strings.HasPrefix(path, `~\`) {
		home := or(a.env.Getenv("HOME"), a.env.Getenv("USERPROFILE"))
		if home == "" {
			return refuse("~", "means nothing: HOME is not set")
		}
		path = filepath.Join(home, path[1:])
	} else if name, _, _ := strings.Cut(path, "/"); strings.HasPrefix(name, "~") {
		return refuse(name, "is not looked up; write the path out")
	}
	return scheme + path, nil
}

// withVariables replaces the variables in a path.
func (a *app) withVariables(from, path string, windows bool) (string, error) {
	forms := []*regexp.Regexp{variable.Get()}
	if found := windowsVariable.Get().FindString(path); windows {
		forms = append(forms, windowsVariable.Get())
	} else if found != "" {
		return "", api.Invalid("%s: %s in %s is a variable of Windows; write the path here", from, clean(found),
			quoted(path, 200))
	}
	var unset string
	for _, form := range forms {
		path = form.ReplaceAllStringFunc(path, func(found string) string {
			name := strings.Trim(found, "${}%")
			value := a.env.Getenv(name)
			if value == "" && unset == "" {
				unset = found
			}
			return value
		})
	}
	if unset != "" {
		return "", api.Invalid("%s: %s is not set, so its path is not known", from, clean(unset))
	}
	return path, nil
}
