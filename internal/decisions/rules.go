package decisions

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// How strongly a subject is worded as a decision. A weak one counts only with a reason.
const (
	none = iota
	weak
	strong
)

var (
	// prefix is what conventions put before a subject: "fix(api)!: ", "cmd/age: ".
	prefix = lazy.Regexp(`^[\w./*{}+-]{1,40}(\([^)]{1,30}\))?!?: `)
	number = lazy.Regexp(` \(#\d+\)$`)

	strongly = lazy.Regexp(`(?i)^(replac(e|es|ed|ing) \S.* (with|by) \S|switch(es|ed|ing)? (\S.* )?(from|to) |` +
		`migrat(e|es|ed|ing) (\S.* )?(from|to) |go back to |drop(s|ped)? support for |roll(ed|s)? back |back out |prefer ` +
		`\S|adopt \S|revert )|` +
		`\b(instead of|rather than|in favou?r of)\b|` +
		`\b(statt|anstatt|anstelle|au lieu d|plutôt que|en lugar de|en vez de|em vez de|invece di)|` +
		`вместо|の代わりに|ではなく|代替|替换|改用|取代`)
	weakly = lazy.Regexp(`(?i)^(drop|remov|deprecat|disabl|enabl|requir|forbid|disallow|allow|avoid|stop|keep|use|` +
		`make|add|store|limit|cache|rewrite)(p?ed|p?ing|e?s|e|d)? |^(do not|don't|never|always|only) `)

	// dull are subjects that decide nothing, whatever their words.
	dull = lazy.Regexp(`(?i)^(merge\b|bump\b|update\b|upgrade\b|prepr?a?[rt]\w*\b|wip\b|fixup!|squash!|v?\d+\.\d|` +
		`release\b|` +
		`version\b|changelog|readme|typo|format|lint|whitespace)|\b(bump|typos?|whitespace|nbsp|changelog)\b|` +
		`\b(lint|release)\)?!?:`)
	robot = lazy.Regexp(`(?i)\[bot\]|dependabot|renovate|greenkeeper|pre-commit-ci`)
	// passing are decisions that say themselves that they will not last.
	passing = lazy.Regexp(`(?i)\b(temporar(y|ily)|for now|wip)\b`)

	// whySubject is a reason within a subject.
	whySubject = lazy.Regexp(`(?i)\b(because|so that|otherwise|in order to|since (it|the|this|that|we|they))\b|` +
		`\b(can|could|must) no longer\b`)
	why = lazy.Regexp(`(?i)\b(because|since (it|the|this|that|we|they)|so that|due to|otherwise|in order to|therefore|` +
		`as (it|they|this|that|we|the|there)\b|(the )?(reason|problem|motivation) (is|was)|would (break|be|have)|` +
		`too (slow|large|big|many|much|long|complex|noisy|often)|(harder|easier|faster|slower|safer|simpler)\b|` +
		`no longer|unmaintained|deprecated|end of life|not (clear|worth|needed|supported)|never worked|breaks?\b|broke\b|` +
		`los(e|es|ing|t)\b|weil|damit|parce que|puisque|porque|perché)|потому что|так как|ため|ので|因为|由于|因為`)
)

// strength returns how strongly a subject is worded as a decision.
func strength(subject string) int {
	s := bare(subject)
	switch {
	case dull.Get().MatchString(subject) || dull.Get().MatchString(s):
		return none
	case strongly.Get().MatchString(s):
		return strong
	case weakly.Get().MatchString(s) || whySubject.Get().MatchString(s):
		return weak
	}
	return none
}

// subjectOf returns the first line of a message.
func subjectOf(message string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	return strings.TrimSpace(first)
}

// bare returns a subject without the convention's prefix and the number of its request.
func bare(subject string) string {
	s := number.Get().ReplaceAllString(subject, "")
	return strings.TrimSpace(s[len(prefix.Get().FindString(s)):])
}

// Bounds of a subject that can be quoted in one line, in columns.
const (
	leastSubject = 12
	mostSubject  = 100
)

// fit reports whether a commit can be quoted: a person wrote it, in plain words.
func fit(s Said) bool {
	plain := utf8.ValidString(s.Message) && !strings.ContainsFunc(s.Subject, func(r rune) bool {
		return !unicode.IsPrint(r)
	})
	long := columns(s.Subject)
	return plain && long >= leastSubject && long <= mostSubject && !strings.HasPrefix(s.Subject, "-") &&
		!strings.Contains(s.Message, "[redacted") && !robot.Get().MatchString(s.Author) &&
		!dull.Get().MatchString(s.Subject) && !dull.Get().MatchString(bare(s.Subject))
}

var (
	revertSubject = lazy.Regexp(`^(?:[\w()./-]{1,30}: )?[Rr]evert:? "(.+)"`)
	revertHash    = lazy.Regexp(`(?i)\brevert(?:s|ed|ing)? (?:commit |changeset )?([0-9a-f]{7,40})\b`)
	reapply       = lazy.Regexp(`^(?:Reapply|Reland|Revert "Revert) "(.+?)"`)
	fixHash       = lazy.Regexp(`(?im)^(?:fixes|fix for|fixed):? ([0-9a-f]{7,40})\b|` +
		`\b(?:broken? (?:by|in|since)|introduced (?:by|in)|regression (?:from|in)|undo(?:es)?) (?:commit )?([0-9a-f]{7,` +
		`40})\b`)
)

// undone returns what a message says it takes back, by subject or hash, or brings back.
func undone(subject, message string) (u undo) {
	if m := revertSubject.Get().FindStringSubmatch(subject); m != nil {
		u.subject = m[1]
	}
	if m := revertHash.Get().FindStringSubmatch(message); m != nil {
		u.hash = m[1]
	}
	if m := reapply.Get().FindStringSubmatch(subject); m != nil {
		u.again = m[1]
	}
	return u
}

// fixes returns the hashes of the commits that a message says it fixes.
func fixes(message string) []string {
	var hashes []string
	for _, m := range fixHash.Get().FindAllStringSubmatch(message, -1) {
		hashes = append(hashes, m[1]+m[2])
	}
	return hashes
}

// A choice is what a subject says was taken, and in place of what.
type choice struct{ to, from string }

// choices are ways to word one. The groups are named for their sides.
var choices = []*lazy.Pattern{
	lazy.Regexp(`(?i)^replac(?:e|es|ed|ing) (?P<from>.+?) (?:with|by) (?P<to>.+)$`),
	lazy.Regexp(`(?i)^(?:use|uses|using|prefer|adopt) (?P<to>.+?) (?:instead of|rather than|over|in place of) ` +
		`(?P<from>.+)$`),
	lazy.Regexp(`(?i)^(?:switch|migrate|move)(?:e?s|e?d|ing)? from (?P<from>.+?) to (?P<to>.+)$`),
	lazy.Regexp(`(?i)^(?:switch|migrate)(?:e?s|e?d|ing)? (?:back )?to (?P<to>.+)$`),
	lazy.Regexp(`(?i)^(?:drop|remove|retire)(?:p?e?s|p?e?d|p?ing)? (?:support for |the |use of )*(?P<from>.+)$`),
	lazy.Regexp(`(?i)^(?:add|adopt|introduce|use|start using)(?:e?s|e?d)? (?:support for |the )*(?P<to>.+)$`),
}

// vague are words that name nothing by themselves.
var vague = lazy.Words("tests test code it them support files file docs comments imports warnings")

// chosen reads the choice in a subject.
func chosen(subject string) choice {
	s := bare(subject)
	for _, p := range choices {
		re := p.Get()
		if m := re.FindStringSubmatch(s); m != nil {
			return choice{to: named(re, m, "to"), from: named(re, m, "from")}
		}
	}
	return choice{}
}

var afterName = lazy.Regexp(`( (for|in|as|on|from|to|and|when|because|so|where|again|crate|package|library)\b|[,` +
	`:;(]).*$`)

var article = lazy.Regexp(`^(the|a|an|our|one) `)

// named returns a side of a choice as a name that can be compared.
func named(re *regexp.Regexp, m []string, group string) string {
	i := re.SubexpIndex(group)
	if i < 0 {
		return ""
	}
	name := article.Get().ReplaceAllString(strings.ToLower(m[i]), "")
	name = strings.Trim(afterName.Get().ReplaceAllString(name, ""), "`'\"*. ")
	if len(name) < leastName || vague.Has(name) {
		return ""
	}
	return name
}

// usefulness is 0 for code, and more for what says less about a decision.
func usefulness(file string) int {
	base, low := path.Base(file), strings.ToLower(file)
	switch ext := path.Ext(low); {
	case strings.HasPrefix(low, ".") || base == "go.mod" || strings.Contains(base, "lock") || ext == ".sum":
		return 3
	case ext == ".md" || ext == ".rst" || ext == ".txt" || ext == ".html" || strings.HasPrefix(low, "doc"):
		return 2
	case ext == ".yml" || ext == ".yaml" || strings.Contains(low, "changelog"):
		return 2
	case strings.Contains(low, "test") || strings.Contains(low, "spec/") || strings.Contains(low, "example"):
		return 1
	}
	return 0
}
