package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// hooks are run by git after the commands that move HEAD to new bytes.
var hooks = []string{"post-commit", "post-merge"}

// What is ours in a hook stands between these lines.
const (
	hookBegin = "# >>> stemma >>>"
	hookEnd   = "# <<< stemma <<<"
	hookFirst = "#!/bin/sh\n"
	maxHook   = 1 << 20 // bytes
)

var (
	// shellForm is the first line of a script that sh understands what we add to.
	shellForm = lazy.Regexp(`^#! *(?:/[^ ]*/)?(?:env +)?(?:sh|bash|dash|ash|ksh|zsh)(?: [^\n]*)?\r?(?:\n|$)`)
	// leaves finds hooks that end before their end is reached.
	leaves = lazy.Regexp(`(?m)^(?:exit|exec)\b`)
)

// InstallHook has git run a command, a line of sh, after commits and merges of
// the repository at dir. It adds to hooks that are there and never replaces what
// is not ours; installing again only changes the command. The command cannot make
// a commit fail. It returns the files that run it.
func InstallHook(ctx context.Context, dir, line string) ([]string, error) {
	if strings.TrimSpace(line) == "" || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
		return nil, invalid("a hook's command is one line of text")
	}
	block := hookBegin + "\n(\n\t" + line + "\n) || true\n" + hookEnd + "\n"
	return eachHook(ctx, dir, func(path string, old []byte) ([]byte, error) {
		if old == nil {
			return []byte(hookFirst + block), nil
		}
		if !shellForm.Get().Match(old) {
			return nil, invalid("%s is no sh script: add this to it by hand: %s", path, line)
		}
		before, after, found, err := cutHook(path, old)
		switch {
		case err != nil:
			return nil, err
		case found:
			return joined(before, []byte(block), after), nil
		case leaves.Get().Match(old):
			first := bytes.IndexByte(old, '\n') + 1 // what comes last would never run
			return joined(old[:first], []byte(block), old[first:]), nil
		case !bytes.HasSuffix(old, []byte("\n")):
			old = joined(old, []byte("\n"))
		}
		return joined(old, []byte(block)), nil
	})
}

// RemoveHook takes out what InstallHook added, and hooks that held nothing else.
// It returns the files that it changed or deleted.
func RemoveHook(ctx context.Context, dir string) ([]string, error) {
	var removed []string
	_, err := eachHook(ctx, dir, func(path string, old []byte) ([]byte, error) {
		before, after, found, err := cutHook(path, old)
		if err != nil || !found {
			return old, err
		}
		removed = append(removed, path)
		rest := joined(before, after)
		if strings.TrimSpace(string(rest)) == strings.TrimSpace(hookFirst) {
			return nil, nil
		}
		return rest, nil
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// cutHook finds what is ours in a hook.
func cutHook(path string, hook []byte) (before, after []byte, found bool, err error) {
	begin := bytes.Index(hook, []byte(hookBegin+"\n"))
	end := bytes.Index(hook, []byte(hookEnd))
	if begin < 0 && end < 0 {
		return hook, nil, false, nil
	}
	if begin < 0 || end < begin || bytes.Count(hook, []byte(hookBegin)) > 1 || bytes.Count(hook, []byte(hookEnd)) > 1 {
		return nil, nil, false, invalid("%s was changed between %q and %q: put that right by hand", path, hookBegin, hookEnd)
	}
	after = bytes.TrimPrefix(hook[end+len(hookEnd):], []byte("\n"))
	return hook[:begin], after, true, nil
}

// eachHook edits each hook: edit gets what is there, nil if nothing, and returns
// what is to be there. Nothing is written unless all can be.
func eachHook(ctx context.Context, dir string, edit func(path string, old []byte) ([]byte, error)) ([]string, error) {
	at, err := hooksDir(ctx, dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	var olds, news [][]byte
	for _, name := range hooks {
		path := filepath.Join(at, name)
		old, err := readHook(path)
		if err != nil {
			return nil, err
		}
		text, err := edit(path, old)
		if err != nil {
			return nil, err
		}
		paths, olds, news = append(paths, path), append(olds, old), append(news, text)
	}
	for i, path := range paths {
		if err := writeHook(path, olds[i], news[i]); err != nil {
			return nil, fmt.Errorf("hook %s: %w", path, err)
		}
	}
	return paths, nil
}

// hooksDir is where git looks for the repository's hooks, if that is inside it.
func hooksDir(ctx context.Context, dir string) (string, error) {
	t, err := Open(ctx, dir, "")
	if err != nil {
		return "", err
	}
	if t.plain != "" {
		return "", invalid("%s has no hooks: %s", dir, t.plain)
	}
	top := t.root
	common, err := ask(ctx, top, "", "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return "", fmt.Errorf("find the hooks of %s: %w", dir, err)
	}
	common = filepath.FromSlash(strings.TrimSuffix(common, "\n"))
	at := filepath.Join(common, "hooks")
	// The guards of command set this to nothing: so ask what it is without them.
	set, err := configured(ctx, top, "core.hooksPath")
	if err != nil {
		return "", fmt.Errorf("find the hooks of %s: %w", dir, err)
	}
	if set != "" {
		if at = filepath.FromSlash(set); !filepath.IsAbs(at) {
			at = filepath.Join(top, at)
		}
	}
	there, err := resolved(at)
	if err != nil {
		return "", fmt.Errorf("find the hooks of %s: %w", dir, err)
	}
	if !inside(top, there) && !inside(common, there) {
		return "", invalid(
			"git runs the hooks of %s, which is outside of this repository and may serve others: add the command there by hand",
			at,
		)
	}
	return at, nil
}

// resolved follows links of the part of a path that exists.
func resolved(p string) (string, error) {
	real, err := filepath.EvalSymlinks(p)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(p) == p {
		return real, err
	}
	above, err := resolved(filepath.Dir(p))
	return filepath.Join(above, filepath.Base(p)), err
}

func inside(dir, path string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func readHook(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read hook: %w", err)
	case !info.Mode().IsRegular():
		return nil, invalid("%s is no regular file: add the command where it leads, by hand", path)
	case info.Size() > maxHook:
		return nil, invalid("%s is too big for a hook", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read hook: %w", err)
	}
	return append([]byte{}, text...), nil
}
