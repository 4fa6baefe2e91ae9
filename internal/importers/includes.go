package importers

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// deepestInclude is how many files may name each other in a row.
const deepestInclude = 5

// included is @path where a file of instructions names another.
var included = lazy.Regexp(
	`(?m)(?:^|[\s(])@((?:~/|\.{0,2}/)?[A-Za-z0-9._/-]*[A-Za-z0-9_-]\.[A-Za-z0-9]+|~/[A-Za-z0-9._/-]+)`,
)

// includes follows what files of instructions name. A file beside or below the one that was named to be
// imported is read with it; one outside is asked for by its name, and left out where no one says yes.
type includes struct {
	r    *reading
	seen map[string]bool
}

// isInstructions reports whether a file is one of instructions, or is named by one in the same folder.
func isInstructions(s *sight) bool {
	return looksInstructing(s.place()) || s.tree.dir && s.page() && s.tree.namedByRules()[s.name]
}

// namedByRules are the files of a folder that its files of instructions name.
func (t *tree) namedByRules() map[string]bool {
	if t.named != nil {
		return t.named
	}
	t.named = make(map[string]bool)
	for todo := t.files; len(todo) > 0; {
		var next []*file
		for _, f := range todo {
			if f.seen == nil || !looksInstructing(f.name) && !t.named[f.name] {
				continue
			}
			for _, m := range included.Get().FindAllStringSubmatch(uncoded(f.seen.head), -1) {
				name := path.Join(path.Dir(f.name), m[1])
				i := slices.IndexFunc(t.files, func(f *file) bool { return f.name == name })
				if i >= 0 && !t.named[name] {
					t.named[name], next = true, append(next, t.files[i])
				}
			}
		}
		todo = next
	}
	return t.named
}

// of reads the files that a page names.
func (in includes) of(h *heap, f *file, p *leaf, depth int) {
	if f.path == "" || in.r.tree.root == "" {
		return
	}
	root := in.r.tree.root
	if !in.r.tree.dir {
		root = filepath.Dir(root)
	}
	for _, name := range included.Get().FindAllStringSubmatch(uncoded(p.text), -1) {
		where := name[1]
		if rest, ok := strings.CutPrefix(where, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			where = filepath.Join(home, rest)
		} else if !filepath.IsAbs(where) {
			where = filepath.Join(filepath.Dir(f.path), where)
		}
		info, err := os.Stat(where)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
			continue // words with an @, such as an address
		}
		if where, err = realPath(where); err != nil || in.seen[where] {
			continue
		}
		in.seen[where] = true
		if depth == deepestInclude {
			h.lost.leaveOut(fmt.Sprintf("@%s: files that name each other, more than %d deep", name[1], deepestInclude))
			continue
		}
		inside, err := filepath.Rel(root, where)
		if err == nil && in.r.tree.dir && slices.ContainsFunc(in.r.tree.files, func(f *file) bool {
			return f.name == filepath.ToSlash(inside)
		}) {
			continue // it is read for itself
		}
		if err != nil || strings.HasPrefix(inside, "..") {
			if in.r.source.Ask == nil || !in.r.source.Ask(
				fmt.Sprintf("%s includes %s, which is outside of what you named. Read it too?", p.path, where)) {
				h.lost.leaveOut("@" + clean(name[1]) + ", outside of what was named; import it by its name")
				continue
			}
		}
		in.one(h, where, name[1], depth)
	}
}

// one reads a file that another names.
func (in includes) one(h *heap, where, name string, depth int) {
	f := in.r.tree.onDisk(name, where, 0)
	p, err := in.r.leaf(f)
	if err != nil {
		h.lost.bad("@%s: %s", clean(name), flat(err))
		return
	}
	w := pageWriter{heap: h, leaf: p, prefix: "instructions:" + clean(filepath.Base(where)) + "~" + digestOf(where)[:8]}
	w.was = w.prefix
	_ = w.statements()
	in.of(h, f, p, depth+1)
}

// uncoded returns a text without its code, where an @ means something else.
func uncoded(text string) string {
	var b strings.Builder
	fence := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
			continue
		}
		if !fence {
			for i, part := range strings.Split(line, "`") {
				if i%2 == 0 {
					b.WriteString(part)
				}
			}
		}
	}
	return b.String()
}
