package symbol

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

// readGo takes Go's own parser. Of a file with errors it keeps what certainly
// ended before the first of them.
func readGo(f *File, src []byte) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, f.path, src, parser.SkipObjectResolution|parser.AllErrors)
	if tree == nil {
		f.unread(1, "no Go in it")
		return
	}
	g := goReader{file: f, set: set, certain: token.NoPos}
	if err != nil {
		g.certain = certainUntil(tree, set, err)
	}
	for _, decl := range tree.Decls {
		g.decl(decl, err != nil)
	}
	f.hidden = func(name string) int {
		if err != nil {
			return g.firstError(err)
		}
		return goMember(tree, set, name)
	}
	f.mentions = func(string) bool { return false }
	if tree.Name != nil {
		f.place = tree.Name.Name
	}
}

type goReader struct {
	file    *File
	set     *token.FileSet
	certain token.Pos // declarations that end before it are certain
}

// certainUntil returns the start of the last function before the first error. A
// brace too many or too few before it would have been an error there: a function
// with a name stands at the top only. What stands after it may be misread.
func certainUntil(tree *ast.File, set *token.FileSet, err error) token.Pos {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		return token.NoPos
	}
	first, last := list[0].Pos.Offset, token.NoPos
	for _, decl := range tree.Decls {
		if _, isFunc := decl.(*ast.FuncDecl); isFunc && set.Position(decl.Pos()).Offset < first {
			last = decl.Pos()
		}
	}
	return last
}

func (g *goReader) firstError(err error) int {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return max(list[0].Pos.Line, 1)
	}
	return 1
}

func (g *goReader) decl(decl ast.Decl, broken bool) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		path := []string{d.Name.Name}
		if d.Recv != nil && len(d.Recv.List) > 0 {
			path = []string{receiver(d.Recv.List[0].Type), d.Name.Name}
		}
		g.add(path, d.Type.Func, d.End(), broken)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			from, to := spec.Pos(), spec.End()
			if !d.Lparen.IsValid() {
				from = d.TokPos
			}
			switch s := spec.(type) {
			case *ast.TypeSpec:
				g.add([]string{s.Name.Name}, from, to, broken)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					g.add([]string{name.Name}, from, to, broken)
				}
			}
		}
	}
}

// add keeps a definition. Lines are the file's own, whatever //line says.
func (g *goReader) add(path []string, from, to token.Pos, broken bool) {
	if path[len(path)-1] == "_" {
		return
	}
	span := Span{g.set.PositionFor(from, false).Line, g.set.PositionFor(to-1, false).Line}
	g.file.defs = append(g.file.defs, def{path: path, span: span, shaky: broken && to > g.certain})
}

// receiver returns the name of a method's type: T of T, *T, T[K].
func receiver(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return "?"
		}
	}
}

// goMember returns the line of a field, a method of an interface or a local type
// of that name: they are there, but no symbols of their own.
func goMember(tree *ast.File, set *token.FileSet, name string) int {
	line := 0
	found := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.Name == name && line == 0 {
				line = set.PositionFor(id.Pos(), false).Line
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			goFields(n.Fields, found)
		case *ast.InterfaceType:
			goFields(n.Methods, found)
		case *ast.TypeSpec:
			found(n.Name)
		}
		return line == 0
	})
	return line
}

func goFields(list *ast.FieldList, found func(...*ast.Ident)) {
	for _, field := range list.List {
		found(field.Names...)
		if len(field.Names) == 0 { // embedded: its name is its type's
			if id, ok := embedded(field.Type); ok {
				found(id)
			}
		}
	}
}

func embedded(expr ast.Expr) (*ast.Ident, bool) {
	switch e := expr.(type) {
	case *ast.Ident:
		return e, true
	case *ast.StarExpr:
		return embedded(e.X)
	case *ast.SelectorExpr:
		return e.Sel, true
	case *ast.IndexExpr:
		return embedded(e.X)
	case *ast.IndexListExpr:
		return embedded(e.X)
	}
	return nil, false
}
