package mind

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// identity looks for what beliefs show of who holds them. What came from outside shows
// nothing of that.
func (s *synthesis) identity(ctx context.Context, all []*store.Item) error {
	trusted, err := s.e.trust.Rate(s.e.trust.Reading(ctx), all, false)
	if err != nil {
		return err
	}
	var items []*store.Item
	for _, it := range all {
		if v := trusted[it.Ref.ID]; v == nil || !v.Tainted {
			items = append(items, it)
		}
	}
	if n := len(all) - len(items); n > 0 {
		s.w.Noted(core.Plural(n, "belief") + " from outside, and unconfirmed, left out")
	}
	return s.find(ctx, items, paging{
		ask: func(ctx context.Context, page []*store.Item) ([]extract.Draft, error) {
			texts := make([]string, len(page))
			for i, it := range page {
				texts[i] = it.Record.Headline()
			}
			answer, err := s.e.lifecycle.Ask(ctx, extract.AskIdentity(texts, s.e.C.Seed))
			if err != nil {
				return nil, err
			}
			drafts, err := extract.ReadIdentity(answer.Text, len(page))
			if err != nil {
				s.e.lifecycle.Failed(ctx, err)
			}
			return drafts, err
		},
		rules: func() []extract.Draft {
			s.w.Noted(
				"rules read only priorities that are stated, and always and never in beliefs that you approved; other " +
					"values, goals and drives need a model",
			)
			var out []extract.Draft
			for i, it := range items {
				if d := statedValue(it.Record.Headline(), it.State.Review == state.ReviewApproved); d != nil {
					d.From = []int{i}
					out = append(out, *d)
				}
			}
			return out
		},
	})
}

// How priorities are stated in plain words, with what comes first in the first group.
var statedPriorities = []struct {
	pattern  *lazy.Pattern
	priority int
}{
	{lazy.Regexp(`(?i)^(.{2,60}?) (?:is|are) (?:my|our|the) (?:top|first|highest|main|number one) priority\b`), 90},
	{lazy.Regexp(`(?i)^(?:my|our|the) (?:top|first|highest|main|number one) priority is (.{2,60}?)[.!]?$`), 90},
	{lazy.Regexp(`(?i)^(.{2,60}?) matters? (?:the )?most\b`), 90},
	{lazy.Regexp(`(?i)^(.{2,60}?) (?:is|are) more important than .{2,60}$`), 70},
	{lazy.Regexp(`(?i)^(?:i|we) (?:value|put) (.{2,60}?) (?:over|above|before) .{2,60}$`), 70},
}

var (
	alwaysOrNever = lazy.Regexp(`(?i)^(?:(?:i|we|you|one) )?(?:(?:should|must) )?(?:always|never) \w+`)
	unsureWords   = lazy.Regexp(`(?i)\b(?:not|maybe|perhaps|might|could|if|unless|\w+n't)\b|\?`)
)

const approvedPriority = 50 // of an approved value without a priority of its own

// statedValue reads a value from a belief that states one plainly, or returns nil.
func statedValue(text string, approved bool) *extract.Draft {
	text = strings.TrimSpace(text)
	if unsureWords.Get().MatchString(text) {
		return nil
	}
	value := func(name, rule string, priority int, sure memory.Confidence) *extract.Draft {
		name = shorten.To(strings.Trim(name, " .!\""), memory.MaxNameBytes)
		if name == "" {
			return nil
		}
		d := extract.Draft{
			Kind: memory.KindValue, Text: capital(name), Body: text, Priority: &priority, Confidence: sure, Rule: rule,
		}
		if strings.EqualFold(d.Text, strings.TrimRight(text, ".!")) {
			d.Body = "" // the name says it all
		}
		return &d
	}
	for _, p := range statedPriorities {
		if m := p.pattern.Get().FindStringSubmatch(text); m != nil {
			return value(m[1], "priority", p.priority, 600)
		}
	}
	if approved && alwaysOrNever.Get().MatchString(text) {
		return value(text, "principle", approvedPriority, 500)
	}
	return nil
}

// capital begins a name with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
