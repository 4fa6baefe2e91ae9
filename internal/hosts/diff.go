package hosts

import (
	"fmt"
	"strings"
)

const (
	around   = 3    // lines shown before and after what changes
	mostDiff = 3000 // lines between the first and the last change that are compared one by one
)

// Diff shows what changes in a text, as diff -u does; "" where nothing does.
func Diff(path, before, after string) string {
	if before == after {
		return ""
	}
	a, b := lines(before), lines(after)
	ops := compare(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", path, path)
	for i := 0; i < len(ops); {
		if ops[i].mark == ' ' {
			i++
			continue
		}
		start := max(0, i-around)
		end := i
		for same := 0; end < len(ops) && same <= 2*around; end++ {
			if ops[end].mark == ' ' {
				same++
			} else {
				same = 0
			}
		}
		for end > i && ops[end-1].mark == ' ' {
			end--
		}
		end = min(len(ops), end+around)
		hunk(&out, ops[start:end])
		i = end
	}
	return out.String()
}

// An op is one line of a diff.
type op struct {
	mark byte // ' ', '-' or '+'
	text string
	a, b int // its number before and after, from 1
}

func hunk(out *strings.Builder, ops []op) {
	var before, after int
	for _, o := range ops {
		if o.mark != '+' {
			before++
		}
		if o.mark != '-' {
			after++
		}
	}
	a, b := ops[0].a, ops[0].b
	if before == 0 {
		a-- // diff counts from the line before what is not there
	}
	if after == 0 {
		b--
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", a, before, b, after)
	for _, o := range ops {
		out.WriteByte(o.mark)
		out.WriteString(strings.TrimRight(o.text, "\r\n"))
		out.WriteByte('\n')
		if !strings.HasSuffix(o.text, "\n") {
			out.WriteString("\\ no newline at the end\n")
		}
	}
}

func lines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, line)
	}
	return out
}

// compare finds the longest lines in common, after what is the same at both ends.
func compare(a, b []string) []op {
	head, tail := 0, 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	var ops []op
	add := func(mark byte, text string, i, j int) { ops = append(ops, op{mark, text, i + 1, j + 1}) }
	for i := range head {
		add(' ', a[i], i, i)
	}
	common := table(x, y)
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case common != nil && i < len(x) && j < len(y) && x[i] == y[j]:
			add(' ', x[i], head+i, head+j)
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common == nil || common[i+1][j] >= common[i][j+1]):
			add('-', x[i], head+i, head+j)
			i++
		default:
			add('+', y[j], head+i, head+j)
			j++
		}
	}
	for k := range tail {
		add(' ', a[len(a)-tail+k], len(a)-tail+k, len(b)-tail+k)
	}
	return ops
}

// table counts the lines in common of each two ends; nil is too long to be counted.
func table(x, y []string) [][]int {
	if len(x) > mostDiff || len(y) > mostDiff {
		return nil
	}
	t := make([][]int, len(x)+1)
	for i := range t {
		t[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}
