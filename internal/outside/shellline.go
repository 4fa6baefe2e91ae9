package outside

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unknown is put in a word for what only the shell knows: a variable of its own, a substitution.
const unknown = "\x00"

// ofPackages is an unknown that is the directory of a package: what "go list -m" prints.
const ofPackages = unknown + "package" + unknown

// locators are commands that print where packages lie.
var locators = []string{
	"go list -m", "go env GOMODCACHE", "go env GOROOT", "npm root", "npm prefix", "pip show", "pip3 show", "gem contents",
	"gem environment", "gem which", "bundle show", "bundle info", "brew --prefix", "yarn global dir", "pnpm root",
	"rustc --print",
}

// namesPackages reports whether a command prints where packages lie.
func (c *command) namesPackages() bool {
	line := c.program() + " " + strings.Join(c.args[1:], " ")
	return slices.ContainsFunc(locators, func(l string) bool { return strings.HasPrefix(line, l) })
}

// A command is one program that a shell line runs, or what a shell does itself.
type command struct {
	args   []string   // the program and its arguments, without quotes
	dir    string     // where it runs
	fed    []*command // those before it in its pipe
	here   string     // words that it is given on its input
	reads  []string   // files that it is given on its input
	writes []string   // files that its words go to
	group  int        // of those that write to one place
	vars   map[string]string
	handed bool // xargs adds arguments that are not in the line
}

// program is the name of the program, without its directory.
func (c *command) program() string { return programName(c.args[0]) }

func programName(word string) string {
	name := strings.ToLower(filepath.Base(filepath.ToSlash(word)))
	return strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd")
}

const (
	longestLine  = 64 << 10 // of a shell line that is looked at, in bytes
	mostCommands = 500
)

// commandsIn returns what a shell line runs, in its order. Vars are what variables are known to hold.
func commandsIn(line, dir string, vars map[string]string) []*command {
	if len(line) > longestLine {
		line = line[:longestLine]
	}
	if tooDeep(line) {
		return roughly(line, dir)
	}
	known := map[string]string{}
	for k, v := range vars {
		known[k] = v
	}
	r := &lineReader{dir: dir, vars: known}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(5))
	file, err := parser.Parse(strings.NewReader(line), "")
	if err != nil {
		return roughly(line, dir)
	}
	r.stmts(file.Stmts, nil, nil)
	return r.found
}

// tooDeep reports whether a line nests deeper than a parser that recurses should follow, or may by its words.
func tooDeep(line string) bool {
	const deepest, most = 200, 1000
	deep := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '(', '{':
			if deep++; deep > deepest {
				return true
			}
		case ')', '}':
			deep = max(deep-1, 0)
		}
	}
	opening := strings.Count(line, "()")
	for _, word := range []string{"if ", "while ", "until ", "for ", "case ", "| ", "! ", "time "} {
		opening += strings.Count(line, word)
	}
	return opening+strings.Count(line, "|") > most || strings.Count(line, "`") > most
}

// roughly splits a line that is not for a POSIX shell.
func roughly(line, dir string) []*command {
	var out []*command
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";|&\n(){}", r) }) {
		var args []string
		for _, w := range strings.Fields(part) {
			args = append(args, strings.Trim(w, "\"'`"))
		}
		if len(args) > 0 && len(out) < mostCommands {
			out = append(out, &command{args: args, dir: dir, group: len(out)})
		}
	}
	return out
}

// lineReader goes through a line as a shell would: directories and variables change on the way.
type lineReader struct {
	dir    string
	vars   map[string]string
	found  []*command
	groups int
}

func (r *lineReader) stmts(list []*syntax.Stmt, fed []*command, writes []string) {
	for _, s := range list {
		r.stmt(s, fed, writes)
	}
}

// stmt goes through a statement and returns the commands in it.
func (r *lineReader) stmt(s *syntax.Stmt, fed []*command, writes []string) []*command {
	if s == nil || len(r.found) >= mostCommands {
		return nil
	}
	begin := len(r.found)
	var reads []string
	here := ""
	for _, red := range s.Redirs {
		switch red.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			writes = append(writes[:len(writes):len(writes)], r.word(red.Word)) // of its words or its errors
		case syntax.RdrIn:
			if path := r.word(red.Word); path != "" {
				reads = append(reads, path)
			}
		case syntax.Hdoc, syntax.DashHdoc:
			here += r.word(red.Hdoc)
		case syntax.WordHdoc:
			here += r.word(red.Word)
		}
	}
	r.command(s.Cmd, fed, writes)
	if len(reads) > 0 || here != "" {
		if begin == len(r.found) { // "< file" alone
			r.add(&command{args: []string{"cat"}, writes: writes})
		}
		for _, c := range r.found[begin:] {
			c.reads = append(c.reads, reads...)
			if c.here == "" {
				c.here = here
			}
		}
	}
	return r.found[begin:]
}

func (r *lineReader) add(c *command) {
	c.dir, c.group = r.dir, r.groups
	c.vars = r.vars
	r.found = append(r.found, c)
}

func (r *lineReader) command(cmd syntax.Command, fed []*command, writes []string) {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		r.call(c, fed, writes)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			r.groups++
			left := r.stmt(c.X, fed, writes)
			r.stmt(c.Y, append(fed[:len(fed):len(fed)], left...), writes)
			return
		}
		r.stmt(c.X, fed, writes)
		r.stmt(c.Y, fed, writes)
	case *syntax.Subshell:
		dir := r.dir
		r.stmts(c.Stmts, fed, writes)
		r.dir = dir
	case *syntax.Block:
		r.stmts(c.Stmts, fed, writes)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.stmts(c.Cond, fed, writes)
			r.stmts(c.Then, fed, writes)
		}
	case *syntax.WhileClause:
		r.stmts(c.Cond, fed, writes)
		r.stmts(c.Do, fed, writes)
	case *syntax.ForClause:
		r.loop(c, fed, writes)
	case *syntax.CaseClause:
		r.word(c.Word)
		for _, item := range c.Items {
			r.stmts(item.Stmts, fed, writes)
		}
	case *syntax.FuncDecl:
		r.stmt(c.Body, fed, writes)
	case *syntax.TimeClause:
		r.stmt(c.Stmt, fed, writes)
	case *syntax.CoprocClause:
		r.stmt(c.Stmt, fed, writes)
	case *syntax.DeclClause:
		r.assign(c.Args)
	}
}

// loop goes through a loop once for each word that it names, for the first few.
func (r *lineReader) loop(c *syntax.ForClause, fed []*command, writes []string) {
	const most = 8
	words, ok := c.Loop.(*syntax.WordIter)
	if !ok || words.Name == nil || len(words.Items) == 0 {
		r.stmts(c.Do, fed, writes)
		return
	}
	for i, item := range words.Items {
		text := r.word(item)
		if i < most {
			r.vars = with(r.vars, words.Name.Value, text)
			r.stmts(c.Do, fed, writes)
		}
	}
}

func with(vars map[string]string, name, value string) map[string]string {
	out := make(map[string]string, len(vars)+1)
	for k, v := range vars {
		out[k] = v
	}
	out[name] = value
	return out
}

func (r *lineReader) assign(list []*syntax.Assign) {
	for _, a := range list {
		if a.Array != nil {
			for _, e := range a.Array.Elems {
				r.word(e.Value)
			}
		}
		if a.Name == nil || a.Naked {
			continue
		}
		value := unknown
		if a.Array == nil && !a.Append {
			value = r.word(a.Value)
		}
		r.vars = with(r.vars, a.Name.Value, value)
	}
}

func (r *lineReader) call(c *syntax.CallExpr, fed []*command, writes []string) {
	if len(c.Args) == 0 {
		r.assign(c.Assigns)
		return
	}
	for _, a := range c.Assigns {
		r.word(a.Value) // what it substitutes runs
	}
	var args []string
	for _, w := range c.Args {
		args = append(args, braces(r.word(w))...)
	}
	if len(writes) == 0 {
		r.groups++
	}
	r.add(&command{args: args, fed: fed, writes: writes})
	if (args[0] == "cd" || args[0] == "pushd") && len(args) > 1 {
		to := args[len(args)-1]
		switch {
		case strings.Contains(to, unknown) || to == "-":
		case filepath.IsAbs(to):
			r.dir = filepath.Clean(to)
		case to == "~" || strings.HasPrefix(to, "~/"):
			r.dir = filepath.Join(r.vars["HOME"], strings.TrimPrefix(to, "~"))
		default:
			r.dir = filepath.Join(r.dir, to)
		}
	}
}
