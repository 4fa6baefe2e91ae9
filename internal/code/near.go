package code

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/words"
)

const (
	maxNear   = 3      // names that are suggested
	maxWord   = 200    // characters of a stranger's text that are repeated
	maxListed = 50_000 // names that are looked through for a suggestion
)

// suggestion is the end of a sentence about a name that does not exist.
func suggestion(names []string) string {
	if len(names) == 0 {
		return ""
	}
	for i, name := range names {
		names[i] = shown(name, maxWord)
	}
	return "; is it " + strings.Join(names, " or ") + "?"
}

// near picks the names that somebody may have meant. last gives the part of a
// name that counts most.
func near(want string, names []string, last func(string) string) []string {
	type candidate struct {
		name string
		far  int
	}
	var list []candidate
	low := strings.ToLower(want)
	for _, name := range names {
		a, b := last(low), last(strings.ToLower(name))
		far := distance(a, b)
		if name == want || far > max(1, len(a)/3) {
			continue
		}
		list = append(list, candidate{name, 2*far + min(distance(low, strings.ToLower(name)), 100)})
	}
	sorting.By(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, c := range list[:min(maxNear, len(list))] {
		out = append(out, c.name)
	}
	return out
}

// distance is how far two names are apart; those of very different length are
// just far.
func distance(a, b string) int {
	if gap := len(a) - len(b); gap > 8 || gap < -8 || len(a) > maxWord {
		return 1 << 20
	}
	return words.Distance(a, b)
}

// nearFiles suggests files for a path at which there is none.
func (t *Tree) nearFiles(ctx context.Context, root *os.Root, p string) []string {
	var names []string
	if t.plain == "" {
		if out, err := ask(ctx, t.root, "", "ls-files", "-z"); err == nil {
			names = strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
		}
	}
	if len(names) == 0 || len(names) > maxListed {
		names = nil
		for _, dir := range []string{path.Dir(p), "."} {
			found, _ := fs.ReadDir(root.FS(), dir) // no folder, no suggestion
			for _, f := range found {
				if f.Type().IsRegular() {
					names = append(names, path.Join(dir, f.Name()))
				}
			}
		}
		slices.Sort(names)
		names = slices.Compact(names)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return wrongPath(name) != "" })
	return near(p, names, path.Base)
}
