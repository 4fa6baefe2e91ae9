package carrier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/peer"
)

// GitScheme begins the address of a clone on this machine.
const GitScheme = "git+file://"

// mostPushes is how often a push is tried that others keep coming before.
const mostPushes = 5

// inGit is the directory of a clone in which memory lies: others' files in it are
// theirs.
const inGit = "stemma"

// Git opens a clone as a folder that travels: what others pushed is pulled first, and
// what this store gave is committed and pushed when it hangs up. Each store writes
// in its own directory, so that nothing is merged by anybody.
func Git(ctx context.Context, address string, self peer.Self) ([]peer.Endpoint, func() error, error) {
	dir, err := gitDir(address)
	if err != nil {
		return nil, nil, err
	}
	g := &clone{ctx: ctx, dir: dir}
	if mail, err := g.run("config", "user.email"); err != nil || mail == "" {
		g.who = []string{"-c", "user.name=stemma", "-c", "user.email=stemma@localhost"}
	}
	if err := g.pull(); err != nil {
		return nil, nil, err
	}
	const dirMode = 0o755
	inside := filepath.Join(dir, inGit)
	if err := os.MkdirAll(inside, dirMode); err != nil {
		return nil, nil, err
	}
	// a link that somebody pushed would lead out of the clone
	if info, err := os.Lstat(inside); err != nil || !info.IsDir() {
		return nil, nil, errors.Join(fmt.Errorf("%s is no folder", inside), err)
	}
	ends, err := Folder(ctx, inside, self)
	return ends, func() error { return g.give(self.Store) }, err
}

// gitDir returns the directory that an address names.
func gitDir(address string) (string, error) {
	dir, ok := strings.CutPrefix(address, GitScheme)
	if !ok || !filepath.IsAbs(dir) {
		return "", fmt.Errorf("want %s/path/of/a/clone, got %.200q", GitScheme, address)
	}
	return dir, nil
}

// clone is a repository that somebody cloned, with a branch that follows another's.
type clone struct {
	ctx context.Context
	dir string
	who []string // settings that say who commits, where the person's own do not
}

// run runs git. What it asks the network is what the person's own settings and the
// clone's remote say: it is the person's, who named it at a terminal.
func (g *clone) run(args ...string) (string, error) {
	set := append(
		[]string{"-c", "protocol.allow=user", "-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"},
		g.who...,
	)
	c, said := git.Command(g.ctx, g.dir, append(set, args...)...)
	kept := c.Env[:0:0]
	for _, v := range c.Env {
		if !strings.HasPrefix(v, "GIT_ALLOW_PROTOCOL=") && !strings.HasPrefix(v, "GIT_OPTIONAL_LOCKS=") {
			kept = append(kept, v)
		}
	}
	c.Env = append(kept, "GIT_PROTOCOL_FROM_USER=1", "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh")
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w: %s", args[0], g.dir, err, plainly(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// plainly leaves out what git advises whoever types its commands.
func plainly(said string) string {
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(l string) bool { return strings.HasPrefix(l, "hint:") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// pull takes what others pushed. What was committed here and not pushed is put
// after it: the files of two stores are never the same.
func (g *clone) pull() error {
	switch under, err := g.run("rev-parse", "--show-prefix"); {
	case err != nil:
		return fmt.Errorf("%s is no clone: %w", g.dir, err)
	case under != "":
		return fmt.Errorf("%s is a folder inside a clone: name the clone itself, used for nothing else", g.dir)
	}
	if _, err := g.run("fetch", "--quiet"); err != nil {
		return err
	}
	if _, err := g.run("rev-parse", "--verify", "--quiet", "@{upstream}"); err != nil {
		return nil // nobody has pushed yet
	}
	if _, err := g.run("merge", "--quiet", "--ff-only", "@{upstream}"); err == nil {
		return nil
	}
	// a merge would always do, and bring back what somebody took out of the history
	_, err := g.run("rebase", "--quiet", "--autostash", "@{upstream}")
	if err != nil {
		_, undone := g.run("rebase", "--abort")
		return errors.Join(fmt.Errorf("the local commits do not fit the pushed history, which was "+
			"probably rewritten: replace %s by a new clone and sync again; the store has everything: %w",
			g.dir, err), undone)
	}
	return nil
}

// give commits what the store wrote, and nothing else, and pushes it.
func (g *clone) give(store string) error {
	own := inGit + "/" + store
	if _, err := os.Stat(filepath.Join(g.dir, own)); err != nil {
		return nil // it gave nothing yet
	}
	if _, err := g.run("add", "--", own); err != nil {
		return err
	}
	changed, err := g.run("diff", "--cached", "--name-only", "--", own)
	if err != nil {
		return err
	}
	if changed != "" {
		if _, err := g.run(
			"commit", "--quiet", "--no-verify", "-m", "memory of "+store[:min(8, len(store))], "--", own,
		); err != nil {
			return err
		}
	}
	if ahead, err := g.run("rev-list", "--count", "@{upstream}..HEAD"); err == nil && ahead == "0" {
		return nil
	}
	for try := 1; ; try++ {
		if _, err = g.run("push", "--quiet", "--set-upstream", "origin", "HEAD"); err == nil || try == mostPushes {
			return err
		}
		if pulled := g.pull(); pulled != nil { // somebody else was faster
			return errors.Join(err, pulled)
		}
	}
}
