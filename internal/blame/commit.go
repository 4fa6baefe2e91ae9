package blame

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// A Record is what a session wrote of one commit: it is signed when the commit is made.
type Record struct {
	V       int          `json:"v"`
	Commit  string       `json:"commit"`
	Host    string       `json:"host,omitempty"`
	Session string       `json:"session"`
	Agent   string       `json:"agent,omitempty"`
	At      string       `json:"at"` // of its last edit there
	Files   []RecordFile `json:"files"`
}

// A RecordFile is one file of a commit.
type RecordFile struct {
	Path  string `json:"path"`
	Lines string `json:"lines"` // in the commit: "3-7,12"
	Hunks []Hunk `json:"hunks"`
}

const recordVersion = 1

// Notes returns what a record says as notes, nil where it cannot be read.
func (r *Record) Notes() (out []*Note) {
	if r.V != recordVersion {
		return nil
	}
	for _, f := range r.Files {
		out = append(out, &Note{
			At: r.At, Host: r.Host, Session: r.Session, Agent: r.Agent, Path: f.Path, Commit: r.Commit, Hunks: f.Hunks,
		})
	}
	return out
}

// Encode writes a record.
func (r *Record) Encode() (string, error) {
	r.V = recordVersion
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return strings.TrimSpace(b.String()), err
}

// InRecord is a path as a record has it.
func InRecord(path string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(path) != nil {
		return path
	}
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}

// mostFiles is of how many files of a commit something is said.
const mostFiles = 500

// A File is what a commit brought into a file.
type File struct {
	Path  string
	Lines []Line
	all   []string
}

// Brought returns what a commit brought into each file; all is of files without a note, too.
func Brought(
	ctx context.Context, r git.Repository, rev string, notes Source, all bool,
) (out []File, commit string, more bool, err error) {
	if commit, err = commitOf(ctx, r.Dir, rev); err != nil {
		return nil, "", false, err
	}
	text, err := output(ctx, r.Dir, "", "diff-tree", "--root", "-m", "--first-parent", "--no-commit-id", "-r", "-z", "-M",
		"--name-status", "--diff-filter=AMRC", "--end-of-options", commit)
	if err != nil {
		return nil, commit, false, err
	}
	fields := strings.Split(text, "\x00")
	had := make(map[string]bool) // of a merge git names a file for each parent
	for i := 0; i+1 < len(fields); i += 2 {
		path, names := fields[i+1], []string{fields[i+1]}
		if strings.HasPrefix(fields[i], "R") || strings.HasPrefix(fields[i], "C") {
			if i+2 >= len(fields) {
				break
			}
			path, names = fields[i+2], append(names, fields[i+2])
			i++
		}
		if had[path] {
			continue
		}
		had[path] = true
		if !all {
			if some, err := notes(names); err != nil || len(some) == 0 {
				continue
			}
		}
		if len(out) == mostFiles {
			return out, commit, true, nil
		}
		f, err := brought(ctx, r, commit, path, notes)
		if ctx.Err() != nil {
			return nil, commit, false, ctx.Err()
		}
		if err == nil && len(f.Lines) > 0 { // one that is binary has no lines
			out = append(out, f)
		}
	}
	return out, commit, false, nil
}

func brought(ctx context.Context, r git.Repository, commit, path string, notes Source) (f File, err error) {
	text, err := committedFile(ctx, r.Dir, commit, path)
	if err != nil {
		return f, err
	}
	f = File{Path: path, all: lines(text)}
	rows, err := owners(ctx, &Asked{Repository: r, Path: path, Rev: commit, Notes: notes}, commit, f.all)
	for i, row := range rows {
		if row.commit == commit {
			f.Lines = append(f.Lines, Line{Number: i + 1, Text: f.all[i], Commit: commit, Path: path, Note: row.note})
		}
	}
	return f, err
}

// Records makes of what a commit brought in one record for each session.
func Records(commit string, files []File) (out []*Record) {
	by := make(map[string]*Record)
	for _, f := range files {
		of := make(map[string][]Line)
		for _, l := range f.Lines {
			if l.Note == nil {
				continue
			}
			id := l.Note.Host + "\x00" + l.Note.Session
			if by[id] == nil {
				by[id] = &Record{Commit: commit, Host: l.Note.Host, Session: l.Note.Session, Agent: l.Note.Agent}
				out = append(out, by[id])
			}
			by[id].At = max(by[id].At, l.Note.At)
			of[id] = append(of[id], l)
		}
		for id, some := range of {
			by[id].Files = append(by[id].Files, RecordFile{Path: f.Path, Lines: spans(some), Hunks: hunksOf(f.all, some)})
		}
	}
	return out
}

// runs calls f with each run of lines that stand one after the other.
func runs(some []Line, f func(from, to int)) {
	for i := 0; i < len(some); {
		j := i
		for j+1 < len(some) && some[j+1].Number == some[j].Number+1 && j-i < mostRun {
			j++
		}
		f(some[i].Number, some[j].Number)
		i = j + 1
	}
}

const mostRun = 1000 // lines that stand together in a record

func spans(some []Line) string {
	var out []string
	runs(some, func(from, to int) {
		if from == to {
			out = append(out, fmt.Sprint(from))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", from, to))
		}
	})
	return strings.Join(out, ",")
}

func hunksOf(all []string, some []Line) []Hunk {
	var changes []Change
	runs(some, func(from, to int) {
		var c Change
		first, last := max(from-1-around, 0), min(to+around, len(all))
		if first == 0 {
			c = append(c, fileBegins)
		}
		for i := first; i < last; i++ {
			sign := " "
			if i+1 >= from && i < to {
				sign = "+"
			}
			c = append(c, sign+all[i])
		}
		if last == len(all) {
			c = append(c, fileEnds)
		}
		changes = append(changes, c)
	})
	return Hunks(changes)
}

// Staged returns the notes that wrote lines of what is about to be committed; index is its file, "" for the usual one.
func Staged(ctx context.Context, r git.Repository, index string, notes Source) (out []*Note, err error) {
	if index != "" {
		ctx = context.WithValue(ctx, indexFile{}, index)
	}
	text, err := output(ctx, r.Dir, "", "diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--diff-filter=AMR")
	if err != nil {
		return nil, err
	}
	head, err := commitOf(ctx, r.Dir, "HEAD")
	if err != nil && !errors.Is(err, errNone) {
		return nil, err
	}
	had := make(map[*Note]bool)
	for path := range strings.SplitSeq(strings.Trim(text, "\x00"), "\x00") {
		if some, err := notes([]string{path}); path == "" || err != nil || len(some) == 0 {
			continue
		}
		var versions []version
		if head != "" {
			if versions, err = history(ctx, r.Dir, head, path); err != nil {
				return nil, err
			}
		}
		now, err := changed(ctx, r.Dir, path, "--cached")
		if err != nil {
			return nil, err
		}
		versions = append(versions, now)
		some, err := notes(paths(versions, path))
		if err == nil {
			err = order(ctx, r.Dir, head, versions, some)
		}
		if err != nil {
			return nil, err
		}
		for _, row := range replay(versions, some) {
			if row.commit == "" && row.note != nil && !had[row.note] {
				had[row.note] = true
				out = append(out, row.note)
			}
		}
	}
	return out, nil
}
