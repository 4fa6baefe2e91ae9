package anchor

import (
	"bytes"
	"context"
	"crypto/sha1" // the name of a commit, not a proof: its SHA-256 is kept beside
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

const (
	gitPatience = 60 * time.Second
	maxCommit   = 1 << 20 // bytes of a commit object
	maxLines    = 1 << 20 // bytes of any other answer
	trailer     = "Memory-Digest: sha256:"
	sha256Hex   = 2 * sha256.Size
	sha1Hex     = 2 * sha1.Size
)

var (
	// commitName is what people call a commit: HEAD, a branch, a tag, hex digits,
	// HEAD~2. It cannot be taken for an option.
	commitName = lazy.Regexp(`^[0-9A-Za-z@][0-9A-Za-z._/@{}~^+-]{0,255}$`)
	commitID   = lazy.Regexp(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	published  = []string{"refs/heads", "refs/tags", "refs/remotes"}
)

// Git anchors to a commit of the repository around o.Dir, which a branch or tag
// must hold. It keeps the commit object, so that what it says can be read and
// compared where the repository is not; a commit over 48 KiB is kept as its
// digest only.
func Git(ctx context.Context, commit string, of memory.Ref, o Options) (*memory.Anchor, error) {
	if !commitName.Get().MatchString(commit) {
		return nil, invalid("%q is no commit", commit)
	}
	if o.Dir == "" {
		return nil, invalid("a commit needs a repository")
	}
	out, err := ask(ctx, o.Dir, maxLines, "rev-parse", "--verify", "--quiet", commit+"^{commit}")
	if err != nil {
		return nil, missing(ctx, err, commit)
	}
	id := strings.TrimSpace(string(out))
	kept, err := object(ctx, o.Dir, id)
	if err != nil {
		return nil, missing(ctx, err, commit)
	}
	held, err := holder(ctx, o.Dir, id)
	if err != nil {
		return nil, missing(ctx, err, commit)
	}
	if held == "" {
		return nil, invalid("no branch or tag holds commit %s", id)
	}
	a := &memory.Anchor{Of: of, Type: typeGit, Reference: id, SHA256: digest(kept), Size: int64(len(kept))}
	if len(kept) <= maxProof {
		a.Proof = base64.StdEncoding.EncodeToString(kept)
	}
	return sound(a)
}

// missing says in the words of the one who asked that there is no such commit,
// unless it was he who gave up.
func missing(ctx context.Context, err error, commit string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return notFound("commit %s: %v", commit, err)
}

func checkGit(ctx context.Context, a *memory.Anchor, o Options, f *Finding) {
	if !commitID.Get().MatchString(a.Reference) {
		f.say(Unverifiable, "%q is no id of a commit", a.Reference)
		return
	}
	kept, ok := proof(a)
	if !ok || len(kept) > 0 && nameOf(kept, len(a.Reference)) != a.Reference {
		f.say(Changed, "the commit kept in the anchor is not the one it names")
		return
	}
	f.Bound = trails(kept, a.Of.ID)
	if o.Dir == "" {
		f.say(Unverifiable, "no repository at hand to look for the commit in")
		return
	}
	found, err := object(ctx, o.Dir, a.Reference)
	if err != nil {
		f.say(Unverifiable, "no repository at hand has this commit: %v", err)
		return
	}
	if !same(a, found) {
		f.say(Changed, "the repository has another commit of this name")
		return
	}
	f.Bound = trails(found, a.Of.ID)
	if held, err := holder(ctx, o.Dir, a.Reference); err != nil {
		f.say(Unverifiable, "cannot tell which branches hold the commit: %v", err)
	} else if held == "" {
		f.say(Gone, "no branch or tag holds the commit any more")
	} else if root, err := rootOf(ctx, o.Dir); err != nil {
		f.say(Unverifiable, "cannot tell which repository this is: %v", err)
	} else {
		if root != "" {
			f.Class = "git:" + root
		}
		f.say(Verified, "held by %s", held)
	}
}

// trails reports whether the message of a commit has a line that names the
// memory. Lines are not asked to stand in the last paragraph: merging and
// squashing put others below them.
func trails(object []byte, id memory.ID) bool {
	_, message, _ := bytes.Cut(object, []byte("\n\n"))
	want := []byte(trailer + id.String())
	for line := range bytes.Lines(message) {
		if bytes.Equal(bytes.TrimRight(line, "\r\n"), want) {
			return true
		}
	}
	return false
}

// nameOf computes the id of a commit object in so many digits.
func nameOf(object []byte, digits int) string {
	whole := append(fmt.Appendf(nil, "commit %d\x00", len(object)), object...)
	if digits == sha256Hex {
		return digest(whole)
	}
	sum := sha1.Sum(whole)
	return hex.EncodeToString(sum[:])
}

// object reads a commit and holds its bytes to its name.
func object(ctx context.Context, dir, id string) ([]byte, error) {
	if !commitID.Get().MatchString(id) {
		return nil, fmt.Errorf("%q is no id of a commit", plain(id))
	}
	out, err := ask(ctx, dir, maxCommit, "cat-file", "commit", id)
	if err == nil && nameOf(out, len(id)) != id {
		err = errors.New("git answered with another object")
	}
	return out, err
}

// holder names a branch or tag from which a commit can be reached, or "".
func holder(ctx context.Context, dir, id string) (string, error) {
	out, err := ask(ctx, dir, maxLines, append([]string{"for-each-ref", "--count=1",
		"--format=%(refname)", "--contains=" + id}, published...)...)
	return strings.TrimSpace(string(out)), err
}

// rootOf names a repository by the smallest of its first commits, or gives "" for
// a shallow clone, which does not have them.
func rootOf(ctx context.Context, dir string) (string, error) {
	out, err := ask(ctx, dir, maxLines, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(string(out)) != "false" {
		return "", err
	}
	out, err = ask(ctx, dir, maxLines, "rev-list", "--max-parents=0", "--branches", "--tags", "--remotes")
	roots := strings.Fields(string(out))
	if err != nil || len(roots) == 0 {
		return "", err
	}
	return slices.Min(roots), nil
}

// ask runs git and gives what it prints, of which there may be so much.
func ask(ctx context.Context, dir string, most int, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd, said := git.Command(ctx, dir, args...)
	out := &bounded{room: most}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		if words := shorten.FirstLine(said.String()); words != "" {
			return nil, errors.New(plain(words))
		}
		return nil, err
	}
	return out.kept.Bytes(), nil
}

// bounded keeps what it is given as long as there is room, then fails.
type bounded struct {
	kept bytes.Buffer // not embedded: its ReadFrom would take everything
	room int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.room {
		return 0, fmt.Errorf("more than %d bytes", b.room)
	}
	return b.kept.Write(p)
}
