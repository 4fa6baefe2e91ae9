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

// hooks are run by git after the commands that move HEAD to new bytes. The last is run before a commit, to add to its
// message.
var hooks = []string{"post-commit", "post-merge", messageHook}

const messageHook = "prepare-commit-msg"

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
// the repository at dir, and some further ones before it in hooks of their own. It adds to hooks that are there and
// never replaces what is not ours; installing again only changes the commands. They cannot make
// a commit fail. It returns the files that run them.
func InstallHook(ctx context.Context, dir, line string, also map[string]string) ([]string, error) {
	wrong := func(line string) bool {
		return strings.TrimSpace(line) == "" || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl)
	}
	for _, one := range also {
		if wrong(one) {
			return nil, invalid("a hook's command is one line of text")
		}
	}
	if wrong(line) {
		return nil, invalid("a hook's command is one line of text")
	}
	var installed []string
	_, err := eachHook(ctx, dir, func(path string, old []byte) ([]byte, error) {
		name, lines := filepath.Base(path), ""
		if also[name] != "" {
			lines = "\t" + also[name] + "\n"
		}
		if name != messageHook {
			lines += "\t" + line + "\n"
		}
		if lines == "" {
			rest, _, err := without(path, old)
			return rest, err
		}
		installed = append(installed, path)
		block := hookBegin + "\n(\n" + lines + ") || true\n" + hookEnd + "\n"
		if old == nil {
			return []byte(hookFirst + block), nil
		}
		if !shellForm.Get().Match(old) {
			return nil, invalid("%s is no sh script: add this to it by hand: %s", path, strings.TrimSpace(lines))
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
	if err != nil {
		return nil, err
	}
	return installed, nil
}

// without takes out of a hook what is ours; nil is that it held nothing else.
func without(path string, old []byte) (rest []byte, found bool, err error) {
	before, after, found, err := cutHook(path, old)
	if err != nil || !found {
		return old, false, err
	}
	if rest = joined(before, after); strings.TrimSpace(string(rest)) == strings.TrimSpace(hookFirst) {
		return nil, true, nil
	}
	return rest, true, nil
}

// RemoveHook takes out what InstallHook added, and hooks that held nothing else.
// It returns the files that it changed or deleted.
func RemoveHook(ctx context.Context, dir string) ([]string, error) {
	var removed []string
	_, err := eachHook(ctx, dir, func(path string, old []byte) ([]byte, error) {
		rest, found, err := without(path, old)
		if found {
			removed = append(removed, path)
		}
		return rest, err
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
