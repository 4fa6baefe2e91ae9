package views

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/sorting"
)

// Blame says which session of an agent wrote lines of code, what it had been told and given, and who decided that. A
// line that no hook saw is a person's, or another program's.
func (e *Views) Blame(ctx context.Context, in api.BlameRequest) (api.BlameReply, error) {
	rd := e.trust.Reading(ctx)
	reply := api.BlameReply{Parts: []api.BlamePart{}, Sessions: []api.BlameSession{}}
	r, err := e.Repository(rd)
	if err != nil {
		return reply, err
	}
	reply.Root, reply.Commit = r.Dir, in.Commit
	source := Remembering(e.Edits(rd, r))
	var files []blame.File
	switch {
	case in.File == "" && in.Commit == "":
		return reply, core.Invalid("file: name a file, such as main.go:12, or a commit")
	case in.File == "":
		var more bool
		if files, reply.Commit, more, err = blame.Brought(rd, r, in.Commit, source, true); more {
			reply.Notes = append(reply.Notes, "the commit has more files than are looked at")
		}
		if err == nil && len(files) == 0 {
			err = core.Invalid("commit: %s brought no lines in", core.QuotedCut(in.Commit))
		}
	default:
		asked := blame.Asked{Repository: r, Rev: in.Commit, Notes: source}
		if asked.Path, asked.From, asked.To, err = e.place(r, in.File); err != nil {
			return reply, err
		}
		reply.File = asked.Path
		var lines []blame.Line
		lines, err = blame.Of(rd, asked)
		files = []blame.File{{Path: asked.Path, Lines: lines}}
	}
	if err != nil {
		if _, is := errors.AsType[*blame.Error](err); is {
			err = core.Invalid("%s", err)
		}
		return reply, err
	}
	for _, f := range files {
		for _, l := range f.Lines {
			addLine(&reply, f.Path, l)
		}
	}
	if slices.ContainsFunc(reply.Parts, func(p api.BlamePart) bool { return p.Seen == seenUnknown }) {
		reply.Notes = append(reply.Notes, "this clone is shallow: who wrote what is older than it cannot be told")
	}
	reply.Sessions, err = e.sessionsOf(rd, &reply)
	return reply, err
}

// The states of a line.
const (
	seenYes     = "yes"
	seenNo      = "no"
	seenUnknown = "unknown"
)

// Remembering asks a source once for the same paths.
func Remembering(s blame.Source) blame.Source {
	had := make(map[string][]*blame.Note)
	return func(paths []string) ([]*blame.Note, error) {
		key := strings.Join(paths, "\x00")
		if notes, ok := had[key]; ok {
			return notes, nil
		}
		notes, err := s(paths)
		if err == nil {
			had[key] = notes
		}
		return notes, err
	}
}

// Repository is the one around the user's directory.
func (e *Views) Repository(rd *trust.Reading) (git.Repository, error) {
	tree, _, err := e.trust.WorkTree(rd)
	switch {
	case err != nil:
		return git.Repository{}, err
	case tree == nil:
		return git.Repository{}, core.Invalid("nothing says where the code is; set Config.Dir")
	case tree.Plain() != "":
		return git.Repository{}, core.Invalid("there is no git repository here: %s", tree.Plain())
	}
	r, ok := git.Find(tree.Root())
	if !ok || r.Bare() {
		return r, core.Invalid("there is no git repository with files here")
	}
	return r, nil
}

var lineForm = regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`)

// place reads FILE, FILE:LINE and FILE:FROM-TO. The file is from where the user stands, or in full.
func (e *Views) place(r git.Repository, name string) (path string, from, to int, err error) {
	full := func(name string) string {
		name = filepath.FromSlash(name)
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.C.Dir, name)
		}
		return filepath.Join(git.Real(filepath.Dir(name)), filepath.Base(name))
	}
	if m := lineForm.FindStringSubmatch(name); m != nil {
		if _, err := os.Lstat(full(name)); err != nil { // a name may have a colon
			name = m[1]
			from, err = strconv.Atoi(m[2])
			if to = from; err == nil && m[3] != "" {
				to, err = strconv.Atoi(m[3])
			}
			if err != nil || from < 1 || to < from {
				return "", 0, 0, core.Invalid("file: %s: lines are FILE:LINE or FILE:FROM-TO, from 1", core.QuotedCut(m[0]))
			}
		}
	}
	rel, err := filepath.Rel(r.Dir, full(name))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", 0, 0, core.Invalid("file: %s is outside of the repository %s", core.QuotedCut(name), r.Dir)
	}
	path = filepath.ToSlash(rel)
	if path == ".git" || strings.HasPrefix(path, ".git/") {
		return "", 0, 0, core.Invalid("file: %s is git's own", core.QuotedCut(name))
	}
	return path, from, to, nil
}

func addLine(reply *api.BlameReply, path string, l blame.Line) {
	p := api.BlamePart{
		File: path, From: l.Number, To: l.Number, Commit: l.Commit, Summary: plainLine(l.Summary),
		Author: plainLine(l.Author), At: l.Committed, Seen: seenNo,
	}
	if l.Path != path {
		p.Path = l.Path
	}
	reply.Lines++
	switch n := l.Note; {
	case n != nil:
		reply.Seen++
		p.Seen, p.Session, p.Host, p.Agent, p.Edited = seenYes, n.Session, n.Host, n.Agent, n.At
		p.Noted, p.NotedBy = n.Ref, n.By
	case l.Boundary:
		p.Seen = seenUnknown
	}
	text := plainLine(l.Text)
	if k := len(reply.Parts) - 1; k >= 0 {
		last := &reply.Parts[k]
		if last.To+1 == p.From && samePart(last, &p) {
			last.To, last.Text, last.Edited = p.To, append(last.Text, text), max(last.Edited, p.Edited)
			return
		}
	}
	p.Text = []string{text}
	reply.Parts = append(reply.Parts, p)
}

func samePart(a, b *api.BlamePart) bool {
	return a.File == b.File && a.Commit == b.Commit && a.Path == b.Path && a.Seen == b.Seen && a.Session == b.Session &&
		a.Host == b.Host && a.Agent == b.Agent && a.Noted == b.Noted
}

// plainLine is a line of somebody's file as an answer may repeat it.
func plainLine(s string) string {
	s, _ = secrets.Redact(strings.ToValidUTF8(s, "\uFFFD"))
	return s
}

// written is what a session wrote, of an answer.
type written struct {
	session, host string
	lines         int
	last          string // when it edited
	signed        []string
	text          strings.Builder
	files         []string
}

// writers are the sessions of an answer, those with the most lines first.
func writers(reply *api.BlameReply) (out []*written) {
	by := make(map[string]*written)
	for _, p := range reply.Parts {
		if p.Session == "" {
			continue
		}
		key := p.Host + "\x00" + p.Session
		w := by[key]
		if w == nil {
			w = &written{session: p.Session, host: p.Host}
			by[key] = w
			out = append(out, w)
		}
		w.lines += p.To - p.From + 1
		w.last = max(w.last, p.Edited)
		if p.Noted != "" && !slices.Contains(w.signed, p.Noted) {
			w.signed = append(w.signed, p.Noted)
		}
		for _, f := range []string{p.File, p.Path} {
			if f != "" && !slices.Contains(w.files, f) {
				w.files = append(w.files, f)
			}
		}
		w.text.WriteString(p.Summary + "\n" + p.File + "\n" + strings.Join(p.Text, "\n") + "\n")
	}
	sorting.By(out, func(a, b *written) int { return b.lines - a.lines })
	return out
}
