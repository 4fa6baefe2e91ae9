package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// A mutant is one change of one file.
type mutant struct {
	name, room string // of the file, and of its package, from the module's root
	what       string // in words
	text       string // of the file before
	line       int
	from, to   int    // what is replaced
	by         string // and by what
	lot        [32]byte
	turn       int // how many changes of its package have a lower lot
}

func (m mutant) place() string { return fmt.Sprintf("%s:%d", m.name, m.line) }

// changed is the file's text after the change.
func (m mutant) changed() string { return m.text[:m.from] + m.by + m.text[m.to:] }

// lines returns the lines that change, before and after, without what they share at
// their ends.
func (m mutant) lines() (before, after string) {
	begin := strings.LastIndexByte(m.text[:m.from], '\n') + 1
	end := m.to
	if at := strings.IndexByte(m.text[m.to:], '\n'); at >= 0 {
		end += at
	} else {
		end = len(m.text)
	}
	return m.text[begin:end], m.text[begin:m.from] + m.by + m.text[m.to:end]
}

// diff shows the lines that change.
func (m mutant) diff() string {
	before, after := m.lines()
	var b strings.Builder
	for _, line := range strings.Split(before, "\n") {
		fmt.Fprintf(&b, "-%s\n", line)
	}
	for _, line := range strings.Split(after, "\n") {
		fmt.Fprintf(&b, "+%s\n", line)
	}
	return b.String()
}

// others are the operators that one operator is changed to.
var others = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.MUL}, token.AND: {token.OR}, token.OR: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// A finder collects the changes of one file.
type finder struct {
	set  *token.FileSet
	info *types.Info
	text string
	all  []mutant
}

// mutantsOf returns the changes of a file in the order in which they stand there. Generated
// files have none.
func mutantsOf(set *token.FileSet, file *ast.File, info *types.Info, text string) []mutant {
	if ast.IsGenerated(file) {
		return nil
	}
	f := &finder{set: set, info: info, text: text}
	ast.Inspect(file, f.visit)
	return f.all
}

func (f *finder) offset(at token.Pos) int { return f.set.Position(at).Offset }

// add notes that what stands between two places becomes something else.
func (f *finder) add(from, to token.Pos, by, what string) {
	f.all = append(f.all, mutant{
		what: what, text: f.text, line: f.set.Position(from).Line, from: f.offset(from), to: f.offset(to), by: by,
	})
}

// operator notes the changes of an operator.
func (f *finder) operator(at token.Pos, op token.Token) {
	for _, other := range others[op] {
		f.add(at, at+token.Pos(len(op.String())), other.String(), fmt.Sprintf("%s becomes %s", op, other))
	}
}

func (f *finder) source(n ast.Node) string { return f.text[f.offset(n.Pos()):f.offset(n.End())] }

// goes notes that a statement is left out.
func (f *finder) goes(s ast.Stmt) { f.add(s.Pos(), s.End(), "", "the statement goes") }

// negated notes that a condition is turned round. A comparison is among the operators.
func (f *finder) negated(cond ast.Expr) {
	switch c := cond.(type) {
	case nil:
		return
	case *ast.BinaryExpr:
		if c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return
		}
	}
	f.add(cond.Pos(), cond.End(), "!("+f.source(cond)+")", "the condition is turned round")
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Field: // a tag, the length of an array in a type
		return false
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if lit, is := n.X.(*ast.BasicLit); is && n.Op == token.SUB && lit.Value == "1" {
			f.add(n.Pos(), n.End(), "0", "one more") // all that is below says the same
			return false
		}
		if n.Op == token.NOT {
			f.add(n.OpPos, n.OpPos+1, "", "the condition is turned round")
		}
	case *ast.BasicLit:
		f.number(n)
	case *ast.IfStmt:
		f.negated(n.Cond)
	case *ast.ForStmt:
		f.negated(n.Cond)
	case *ast.CallExpr:
		return !f.isHint(n)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.FuncDecl:
		if n.Body == nil {
			return false
		}
	}
	return true
}

// statements notes that statements go, where what is left can compile.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.goes(s)
			}
		case *ast.ExprStmt:
			if call, is := s.X.(*ast.CallExpr); !is || !f.isHint(call) {
				f.goes(s)
			}
		case *ast.IncDecStmt, *ast.BranchStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.SendStmt:
			f.goes(s)
		}
	}
}

// number notes that a number is another one: one more or one less of a whole one, a tenth
// more of another.
func (f *finder) number(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		n, err := strconv.ParseInt(lit.Value, 0, 64)
		if err != nil {
			return
		}
		f.add(lit.Pos(), lit.End(), strconv.FormatInt(n+1, 10), "one more")
		if n > 0 {
			f.add(lit.Pos(), lit.End(), strconv.FormatInt(n-1, 10), "one less")
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(lit.Value, 64); err == nil && x != 0 {
			f.add(lit.Pos(), lit.End(), strconv.FormatFloat(x*1.1, 'g', 6, 64), "a tenth more")
		}
	}
}

// isHint reports whether a call only says how much room something will need: another
// number there changes nothing that can be seen, except for a make of a list with a length.
func (f *finder) isHint(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if _, builtin := f.info.Uses[fun].(*types.Builtin); !builtin || fun.Name != "make" || len(call.Args) < 2 {
			return false
		}
		if len(call.Args) == 3 {
			length, is := call.Args[1].(*ast.BasicLit)
			return is && length.Value == "0"
		}
		_, list := f.typeOf(call.Args[0]).(*types.Slice)
		return !list
	case *ast.SelectorExpr:
		return fun.Sel.Name == "Grow"
	}
	return false
}

// typeOf returns the type that an expression in a make names, nil for one without a name.
func (f *finder) typeOf(e ast.Expr) types.Type {
	switch e := e.(type) {
	case *ast.ArrayType:
		return &types.Slice{}
	case *ast.Ident:
		if of, is := f.info.Uses[e].(*types.TypeName); is {
			return of.Type().Underlying()
		}
	case *ast.SelectorExpr:
		return f.typeOf(e.Sel)
	}
	return nil
}
