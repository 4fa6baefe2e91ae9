package secrets

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// most is how many anchors a rule may have.
const most = 32

// prefixes are texts one of which everything begins with that a pattern matches.
type prefixes struct {
	texts  []string
	fold   bool // in lower case
	border bool
	whole  bool // nothing of the pattern is left after them
}

func prefixesOf(t *testing.T, pattern string, fold bool) prefixes {
	t.Helper()
	if fold {
		pattern = `(?i)(?:` + pattern + `)`
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	p := leading(re)
	p.fold = p.fold || fold
	if p.fold {
		for i := range p.texts {
			p.texts[i] = strings.ToLower(p.texts[i])
		}
	}
	slices.Sort(p.texts)
	p.texts = slices.Compact(p.texts)
	return p
}

// leading goes down a pattern as far as its beginning is a few certain texts.
func leading(re *syntax.Regexp) prefixes {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return prefixes{texts: []string{""}, whole: true}
	case syntax.OpWordBoundary:
		return prefixes{texts: []string{""}, whole: true, border: true}
	case syntax.OpLiteral:
		return prefixes{texts: []string{string(re.Rune)}, fold: re.Flags&syntax.FoldCase != 0, whole: true}
	case syntax.OpCharClass:
		return ofClass(re)
	case syntax.OpCapture:
		return leading(re.Sub[0])
	case syntax.OpPlus:
		p := leading(re.Sub[0])
		p.whole = false
		return p
	case syntax.OpRepeat:
		if re.Min == 0 {
			break
		}
		p := leading(re.Sub[0])
		p.whole = p.whole && re.Min == 1 && re.Max == 1
		return p
	case syntax.OpQuest:
		p := leading(re.Sub[0])
		p.texts = append(p.texts, "")
		return p
	case syntax.OpAlternate:
		out := prefixes{whole: true}
		for _, sub := range re.Sub {
			p := leading(sub)
			out.texts = append(out.texts, p.texts...)
			out.fold, out.whole, out.border = out.fold || p.fold, out.whole && p.whole, out.border || p.border
		}
		return out
	case syntax.OpConcat:
		return ofConcat(re)
	}
	return prefixes{texts: []string{""}}
}

func ofClass(re *syntax.Regexp) prefixes {
	out := prefixes{whole: true}
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(out.texts) == 6 || r > unicode.MaxASCII && r != 'ſ' && r != '\u212a' {
				return prefixes{texts: []string{""}}
			}
			if r <= unicode.MaxASCII {
				out.texts = append(out.texts, string(r))
			}
		}
	}
	return out
}

func ofConcat(re *syntax.Regexp) prefixes {
	out := prefixes{texts: []string{""}, whole: true}
	for i, sub := range re.Sub {
		p := leading(sub)
		var next []string
		for _, a := range out.texts {
			for _, b := range p.texts {
				next = append(next, a+b)
			}
		}
		if len(next) > most {
			out.whole = false
			return out
		}
		out.texts, out.fold, out.border = next, out.fold || p.fold, out.border || p.border && i == 0
		if out.whole = p.whole; !out.whole {
			return out
		}
	}
	return out
}

// longestOf is how many bytes a pattern can match, 0 if there is no limit.
func longestOf(t *testing.T, pattern string) int {
	t.Helper()
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	n, limited := longest(re)
	if !limited {
		return 0
	}
	return n
}

func longest(re *syntax.Regexp) (n int, limited bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(string(re.Rune)), true
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		if len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] <= unicode.MaxASCII {
			return 1, true
		}
		return 4, true
	case syntax.OpStar, syntax.OpPlus:
		return 0, false
	case syntax.OpRepeat:
		n, limited = longest(re.Sub[0])
		return n * re.Max, limited && re.Max >= 0
	}
	limited = true
	for _, sub := range re.Sub {
		m, l := longest(sub)
		limited = limited && l
		if re.Op == syntax.OpAlternate {
			n = max(n, m)
		} else {
			n += m
		}
	}
	return n, limited
}
