package extract

import (
	"slices"
	"strings"
	"time"

	parting "github.com/stemma-memory/stemma/internal/sentences"
)

// A listing is a list of which an item says nothing alone, with the line that introduces it.
type listing struct {
	text  string          // as it was written
	parts map[string]bool // its introduction and its items, as sentenceKey has them
}

// draft is the note of a list: a decision where its introduction is one.
func (l listing) draft(of []Draft) Draft {
	d := asSaid(l.text, nil)
	for _, one := range of {
		if one.Kind == d.Kind && one.Body == "" && l.parts[sentenceKey(one.Text)] {
			d.Type = one.Type
			break
		}
	}
	return d
}

// listings finds the lists of a text that are one statement: "1. database" is one only under "The deploy order is:".
func listings(speaker, text string, now time.Time) []listing {
	var out []listing
	var intro string
	var rows, items []string
	blank := false
	alone := func(item string) bool {
		_, drafts, left := remember(speaker, item, now)
		return len(kept(drafts))+len(left) > 0
	}
	flush := func() {
		if slices.ContainsFunc(items, func(item string) bool { return !alone(item) }) {
			l := listing{parts: make(map[string]bool)}
			if intro != "" {
				rows = append([]string{intro}, rows...)
				for _, s := range sentences(intro) {
					l.parts[sentenceKey(s.text)] = strings.HasSuffix(intro, s.text)
				}
			}
			for _, item := range items {
				l.parts[sentenceKey(item)] = true
			}
			l.text = strings.Join(rows, "\n")
			out = append(out, l)
		}
		intro, rows, items = "", nil, nil
	}
	for row := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		row = strings.TrimRight(row, " \t\n")
		words := strings.TrimLeft(row, " \t")
		n := parting.Marker(words)
		switch {
		case words == "":
			blank = true
			continue
		case n > 0:
			if len(items) == 0 && blank && !strings.HasSuffix(intro, ":") {
				intro = "" // it is about something else
			}
			rows, items = append(rows, row), append(items, strings.TrimLeft(words[n:], " \t"))
		case len(items) > 0 && !blank:
			rows = append(rows, row) // the item goes on
			items[len(items)-1] += " " + words
		default:
			flush()
			intro = words
		}
		blank = false
	}
	flush()
	return out
}

// sentenceKey is a sentence without what writing it in a list changes.
func sentenceKey(s string) string {
	return strings.ToLower(strings.TrimRight(line(keyboard(s)), ".:;,! "))
}
