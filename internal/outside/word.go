package outside

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is what a word says, with unknown for what only the shell knows. The commands in its
// substitutions are taken along.
func (r *lineReader) word(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range w.Parts {
		r.part(&b, p, false)
	}
	return b.String()
}

func (r *lineReader) part(b *strings.Builder, p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(unescaped(p.Value, quoted))
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			r.part(b, inner, true)
		}
	case *syntax.ParamExp:
		b.WriteString(r.value(p))
	case *syntax.CmdSubst:
		begin := len(r.found)
		r.aside(p.Stmts)
		if slices.ContainsFunc(r.found[begin:], (*command).namesPackages) {
			b.WriteString(ofPackages)
		} else {
			b.WriteString(unknown)
		}
	case *syntax.ProcSubst:
		r.aside(p.Stmts)
		b.WriteString(unknown)
	case *syntax.ExtGlob:
		b.WriteString("*")
	default:
		b.WriteString(unknown)
	}
}

// aside goes through what is substituted: its directory is its own.
func (r *lineReader) aside(list []*syntax.Stmt) {
	dir := r.dir
	r.stmts(list, nil, nil)
	r.dir = dir
}

func (r *lineReader) value(p *syntax.ParamExp) string {
	if p.Param == nil || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return unknown
	}
	value, known := r.vars[p.Param.Value]
	if p.Param.Value == "PWD" {
		value, known = r.dir, true
	}
	switch {
	case p.Exp == nil && known:
		return value
	case p.Exp == nil:
		return unknown
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if instead := r.word(p.Exp.Word); !known {
			return instead
		}
		return value
	}
	return unknown
}

// unescaped is a word's text without the backslashes that a shell takes out.
func unescaped(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// braces are the words that one with {a,b} in it is for.
func braces(word string) []string {
	open := strings.IndexByte(word, '{')
	if open < 0 || strings.ContainsAny(word, " \n\"") {
		return []string{word}
	}
	length := strings.IndexByte(word[open:], '}')
	if length < 0 || !strings.Contains(word[open:open+length], ",") || strings.Contains(word[open+1:open+length], "{") {
		return []string{word}
	}
	var out []string
	for _, one := range strings.Split(word[open+1:open+length], ",") {
		out = append(out, word[:open]+one+word[open+length+1:])
	}
	return out
}
