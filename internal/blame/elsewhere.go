package blame

import (
	"bufio"
	"context"
	"strings"
)

// oldFile begins the line of a diff that names the file as it was.
var oldFile = strings.Repeat("-", 3) + " "

const (
	mostElsewhere = 20 // commits that are looked through for where lines stood before
	mostSources   = 20 // files of one of them
)

// elsewhere finds who wrote lines that a commit took out of another file and put into this one.
func elsewhere(ctx context.Context, a *Asked, rows []*row) {
	looked := make(map[string][]*version)
	for i := 0; i < len(rows) && len(looked) <= mostElsewhere; {
		j := i
		for j < len(rows) && rows[j].note == nil && rows[j].commit != "" && rows[j].commit == rows[i].commit {
			j++
		}
		if run := rows[i:j]; j > i && i < a.To && j >= a.From && says(run) {
			commit := rows[i].commit
			if _, had := looked[commit]; !had {
				looked[commit] = broughtOut(ctx, a.Repository.Dir, commit)
			}
			for _, v := range looked[commit] {
				if v.path != rows[i].path {
					cameFrom(ctx, a, run, v)
				}
			}
		}
		i = max(j, i+1)
	}
}

// broughtOut returns the files of which a commit took lines out.
func broughtOut(ctx context.Context, dir, commit string) (out []*version) {
	var v *version
	args := append([]string{"diff-tree", "--root", "-m", "--first-parent", "--no-commit-id", "-r"}, diffing...)
	_ = run(ctx, dir, "", func(r *bufio.Reader) error {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return nil
			}
			switch {
			case strings.HasPrefix(line, oldFile):
				path, is := strings.CutPrefix(unquoted(strings.TrimRight(line[4:], "\t\n")), "a/")
				if len(out) == mostSources {
					return nil
				}
				if v = nil; is {
					v = &version{commit: commit, path: path}
					out = append(out, v)
				}
			case strings.HasPrefix(line, "@@ "):
				e, err := readEdit(r, strings.TrimSuffix(line, "\n"))
				if err != nil {
					return err
				}
				if v != nil {
					v.edits = append(v.edits, e)
				}
			}
		}
	}, append(args, "--end-of-options", commit)...)
	return out
}

// cameFrom gives lines the authors that they had in another file before a commit.
func cameFrom(ctx context.Context, a *Asked, run []*row, v *version) {
	some := false
	for _, e := range v.edits {
		var block []*row
		for _, text := range e.gone {
			block = append(block, &row{text: text, hash: hash(text)})
		}
		some = some || says(block)
	}
	if !some {
		return
	}
	if notes, err := a.Notes([]string{v.path}); err != nil || len(notes) == 0 {
		return
	}
	parent, err := commitOf(ctx, a.Repository.Dir, v.commit+"^")
	if err != nil {
		return
	}
	text, err := committedFile(ctx, a.Repository.Dir, parent, v.path)
	if err != nil {
		return
	}
	before := &Asked{Repository: a.Repository, Path: v.path, Rev: parent, Notes: a.Notes}
	was, err := owners(ctx, before, parent, lines(text))
	if err != nil {
		return
	}
	_, gone := apply(was, *v)
	for _, r := range run {
		r.added = true
	}
	match(run, gone, func(r, old *row) { r.note, r.added = old.note, false })
	for _, r := range run {
		r.added = false
	}
}
