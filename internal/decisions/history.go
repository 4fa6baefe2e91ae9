package decisions

import (
	"slices"
	"strings"
)

// history is commits, newest first, by what is looked for.
type history struct {
	commits  []Commit
	subjects []string
	bySubj   map[string][]int
	byFile   map[string][]int
	choices  []choice
	undoes   []undo
}

// An undo is what a commit says it takes back, or brings back.
type undo struct{ subject, hash, again string }

func newHistory(commits []Commit) *history {
	h := &history{commits: commits, bySubj: make(map[string][]int), byFile: make(map[string][]int)}
	for i, c := range commits {
		subject := subjectOf(c.Message)
		h.subjects = append(h.subjects, subject)
		h.bySubj[subject] = append(h.bySubj[subject], i)
		h.choices = append(h.choices, chosen(subject))
		h.undoes = append(h.undoes, undone(subject, c.Message))
		for _, f := range c.Files {
			h.byFile[f] = append(h.byFile[f], i)
		}
	}
	return h
}

func (h *history) said(i int) Said {
	c := &h.commits[i]
	return Said{Commit: c, Subject: h.subjects[i], Reason: reasonOf(c.Message)}
}

// older returns the first commit older than j that a hash or a subject names; -1 for none.
func (h *history) older(j int, hash, subject string) int {
	for i := j + 1; hash != "" && i < len(h.commits); i++ {
		if strings.HasPrefix(h.commits[i].Hash, hash) {
			return i
		}
	}
	for _, i := range h.bySubj[subject] {
		if i > j && subject != "" {
			return i
		}
	}
	return -1
}

// reverted returns the pair whose second commit, j, reverts the first.
func (h *history) reverted(j int) Found {
	u := h.undoes[j]
	if i := h.older(j, u.hash, u.subject); i >= 0 {
		return h.pair(i, j, Reverts)
	}
	return Found{}
}

// undoneAgain reports whether a commit newer than j reverts it, or brings back what it
// reverted.
func (h *history) undoneAgain(j int) bool {
	was := h.undoes[j].subject
	for _, u := range h.undoes[:j] {
		if u.subject != "" && u.subject == h.subjects[j] || u.again != "" && u.again == was ||
			u.hash != "" && strings.HasPrefix(h.commits[j].Hash, u.hash) {
			return true
		}
	}
	return false
}

// replaced returns the pair whose second commit, j, chooses something in place of what the
// first chose, in the same file.
func (h *history) replaced(j int) Found {
	from := h.choices[j].from
	if from == "" {
		return Found{}
	}
	for i := j + 1; i < len(h.commits); i++ {
		if h.choices[i].to == from && len(shared(h.commits[i].Files, h.commits[j].Files)) > 0 {
			return h.pair(i, j, Replaces)
		}
	}
	return Found{}
}

// fixed returns the pair whose second commit, j, says that it fixes the first, by its hash.
func (h *history) fixed(j int) Found {
	for _, hash := range fixes(h.commits[j].Message) {
		i := h.older(j, hash, "")
		if i >= 0 && len(shared(h.commits[i].Files, h.commits[j].Files)) > 0 {
			return h.pair(i, j, Fixes)
		}
	}
	return Found{}
}

// neighbour returns the commit nearest to i that touches one of files, later ones first, and
// has a subject of at most so many columns.
func (h *history) neighbour(i int, files []string, most int) (int, string) {
	for _, file := range files {
		list := h.byFile[file]
		at := slices.Index(list, i)
		if at < 0 {
			continue
		}
		later := slices.Clone(list[:at])
		slices.Reverse(later)
		for _, k := range append(later, list[at+1:]...) {
			if said := h.said(k); fit(said) && columns(said.Subject) <= most && said.Subject != h.subjects[i] {
				return k, file
			}
		}
	}
	return 0, ""
}
