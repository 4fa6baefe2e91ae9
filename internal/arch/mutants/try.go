package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// A verdict is what came of a change.
type verdict string

const (
	passed verdict = "passed" // the change is alive
	failed verdict = "failed"
	late   verdict = "late"
	broken verdict = "broken" // it compiles, and the tests do not with it: a key stands twice in a map
)

// atOnce is how many changes are tried at a time: more of them would be slow enough to look endless.
const atOnce = 2

// passAll runs the tests of each change, and says what came of it in the order of the changes.
func passAll(ctx context.Context, dir string, all []mutant, limit time.Duration, say func(mutant, verdict)) error {
	type end struct {
		said verdict
		err  error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ends, slots := make([]chan end, len(all)), make(chan struct{}, atOnce)
	for i := range all {
		ends[i] = make(chan end, 1)
	}
	go func() {
		for i := range all {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				said, err := pass(ctx, dir, all[i].room, &all[i], limit)
				ends[i] <- end{said, err}
			}()
		}
	}()
	for i, m := range all {
		end := <-ends[i]
		if end.err != nil {
			return end.err
		}
		say(m, end.said)
	}
	return nil
}

// pass runs the tests of a package with a change, or as it is.
func pass(ctx context.Context, dir, room string, m *mutant, limit time.Duration) (verdict, error) {
	tmp, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return failed, err
	}
	defer os.RemoveAll(tmp)
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-ldflags=-s -w", "-timeout", limit.String()}
	if m != nil {
		overlay, err := m.overlay(dir, tmp)
		if err != nil {
			return failed, err
		}
		args = append(args, "-overlay", overlay)
	}
	args = append(args, "./"+room)
	if rapid(dir, room) {
		args = append(args, "-rapid.nofailfile") // what a change failed at is not kept in the tree
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return failed, ctx.Err()
	case err == nil:
		return passed, nil
	case !errors.As(err, &exit):
		return failed, err
	case bytes.Contains(said.Bytes(), []byte("[build failed]")), bytes.Contains(said.Bytes(), []byte("[setup failed]")):
		if m != nil {
			return broken, nil
		}
		return failed, fmt.Errorf("%s does not compile: %s", room, said.Bytes())
	case bytes.Contains(said.Bytes(), []byte("panic: test timed out after")):
		return late, nil
	}
	return failed, nil
}

// rapid reports whether the tests of a package use the library that keeps what they failed at.
func rapid(dir, room string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(room), "*_test.go"))
	return slices.ContainsFunc(names, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && bytes.Contains(text, []byte(`"pgregory.net/rapid"`))
	})
}

// overlay writes the changed file and the list that puts it in the place of the other.
func (m *mutant) overlay(dir, tmp string) (string, error) {
	file := filepath.Join(tmp, "changed.go")
	if err := os.WriteFile(file, []byte(m.changed()), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(dir, filepath.FromSlash(m.name)): file},
	})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(tmp, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// A checker says which changes compile.
type checker struct {
	program *typed.Program
	known   map[string]*types.Package
}

func newChecker(p *typed.Program) *checker {
	c := &checker{program: p, known: map[string]*types.Package{"unsafe": types.Unsafe}}
	for _, pkg := range p.Packages {
		c.known[pkg.Path] = pkg.Types
		for _, of := range pkg.Types.Imports() {
			c.known[of.Path()] = of
		}
	}
	return c
}

// Import returns a package that the program has.
func (c *checker) Import(path string) (*types.Package, error) {
	if pkg := c.known[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not in the program", path)
}

// compiles reports whether a package has the right types with a change.
func (c *checker) compiles(m mutant) bool {
	pkg := c.program.Package(c.program.Module + "/" + m.room)
	files := make([]*ast.File, len(pkg.Files))
	set := token.NewFileSet()
	for i, old := range pkg.Files {
		name := c.program.File(old.Pos())
		var text any
		if strings.HasSuffix(filepath.ToSlash(name), "/"+m.name) {
			text = m.changed()
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files[i] = file
	}
	_, err := typed.Check(set, pkg.Path, files, c)
	return err == nil
}
