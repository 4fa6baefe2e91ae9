package memory

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// Evidence is something outside the store that a memory rests on: a piece of
// code pinned to its bytes, a page, a file.
type Evidence struct {
	Type      string `json:"type"`             // code, url, file or text
	Path      string `json:"path,omitempty"`   // relative to the repository root
	Symbol    string `json:"symbol,omitempty"` // the function or type
	Start     int    `json:"start,omitempty"`  // first line, from 1
	End       int    `json:"end,omitempty"`    // last line
	SHA256    string `json:"sha256,omitempty"` // of the span's bytes, CRLF made LF
	Commit    string `json:"commit,omitempty"` // where it was seen
	Dirty     bool   `json:"dirty,omitempty"`  // pinned from uncommitted work
	Repo      string `json:"repo,omitempty"`   // which repository
	Reference string `json:"reference,omitempty"`
	Note      string `json:"note,omitempty"`
}

// EvidenceTypes are the kinds of evidence.
var evidenceTypes = []string{"code", "url", "file", "text"}

// maxLine bounds the number of a line, the same on every machine.
const maxLine = 1<<31 - 1

// checkEvidence stops at the first piece that is wrong: there may be many.
func checkEvidence(list []Evidence) error {
	if len(list) > maxEvidence {
		return bad("evidence", "has %d entries, at most %d are allowed", len(list), maxEvidence)
	}
	if len(list) == 0 {
		return nil
	}
	seen := make(map[Evidence]bool, len(list))
	for _, e := range list {
		if err := e.check(); err != nil {
			return err
		}
		if seen[e] {
			return bad("evidence", "has the same entry twice")
		}
		seen[e] = true
	}
	return nil
}

func (e *Evidence) check() error {
	var err error
	if e.Type == "" {
		err = bad("evidence.type", "is missing")
	}
	none := e.Start == 0 && e.End == 0
	if !none && (e.Start < 1 || e.End < e.Start || e.End > maxLine) {
		err = errors.Join(err, bad("evidence.start", "lines %d to %d are no range", e.Start, e.End))
	}
	if e.Path != "" {
		err = errors.Join(err, checkPath(e.Path))
	}
	return errors.Join(err, oneOf("evidence.type", e.Type, evidenceTypes),
		text("evidence.path", e.Path), text("evidence.symbol", e.Symbol),
		hexDigest("evidence.sha256", e.SHA256), textUpTo("evidence.commit", e.Commit, MaxNameBytes),
		text("evidence.repo", e.Repo), text("evidence.reference", e.Reference), text("evidence.note", e.Note))
}

// checkPath refuses paths that could leave the repository, and every spelling
// of a path but the shortest.
func checkPath(p string) error {
	drive := len(p) > 1 && p[1] == ':'
	if strings.HasPrefix(p, "/") || drive || strings.Contains(p, "\\") || slices.Contains(strings.Split(p, "/"), "..") {
		return bad("evidence.path", "must be relative to the repository and stay inside it, got %q", clip(p))
	}
	if path.Clean(p) != p || p == "." {
		return bad("evidence.path", "must have no '.', no empty part and no '/' at its end, got %q", clip(p))
	}
	return nil
}

func (w *writer) evidence(list []Evidence) {
	if len(list) == 0 {
		return
	}
	w.name("evidence")
	w.b = append(w.b, '[')
	for i := range list {
		e := &list[i]
		w.comma('[')
		w.open()
		w.text("commit", e.Commit)
		if e.Dirty {
			w.name("dirty")
			w.b = append(w.b, "true"...)
		}
		w.count("end", int64(e.End))
		w.text("note", e.Note)
		w.text("path", e.Path)
		w.text("reference", e.Reference)
		w.text("repo", e.Repo)
		w.text("sha256", e.SHA256)
		w.count("start", int64(e.Start))
		w.text("symbol", e.Symbol)
		w.say("type", e.Type)
		w.close()
	}
	w.b = append(w.b, ']')
}
