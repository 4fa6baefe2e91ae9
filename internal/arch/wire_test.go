package arch

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// wireName returns a Go name as requests and replies write it: its words in small letters.
// An abbreviation such as ID is one word, and so is IDs.
func wireName(name string) string {
	letters := []rune(name)
	isUpper := func(i int) bool { return i < len(letters) && unicode.IsUpper(letters[i]) }
	var b strings.Builder
	for i, r := range letters {
		word := i+1 < len(letters) && unicode.IsLower(letters[i+1]) // it is in front of a small letter
		if word && letters[i+1] == 's' && (i+2 == len(letters) || isUpper(i+2)) {
			word = false // that makes several of an abbreviation
		}
		if i > 0 && isUpper(i) && (!isUpper(i-1) || word) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// otherWords returns the fields of a package's structs whose names on the wire are other
// words than theirs in Go. What is embedded without a tag has no name of its own, and what
// is never written has none on the wire; nor has what a type that writes itself consists of.
func otherWords(pkg *types.Package) (wrong []string, fields int) {
	seen := map[types.Type]bool{}
	var in func(where string, t types.Type)
	in = func(where string, t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Struct:
			for i := range t.NumFields() {
				f := t.Field(i)
				wire, _, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
				if !f.Exported() || wire == "-" || f.Embedded() && wire == "" {
					continue
				}
				fields++
				if wire != wireName(f.Name()) {
					wrong = append(wrong, fmt.Sprintf("%s.%s is %q on the wire", where, f.Name(), wire))
				}
				in(where+"."+f.Name(), f.Type())
			}
		case interface{ Elem() types.Type }: // pointers, slices, arrays, maps
			in(where, t.Elem())
		}
	}
	for _, name := range pkg.Scope().Names() {
		if of, is := pkg.Scope().Lookup(name).(*types.TypeName); is && !of.IsAlias() && !writesItself(of.Type()) {
			in(name, of.Type().Underlying())
		}
	}
	return wrong, fields
}

// writesItself reports whether a type has a method that writes it as JSON, or reads it.
func writesItself(t types.Type) bool {
	for method := range methods(t) {
		switch method.Name() {
		case "MarshalJSON", "UnmarshalJSON", "MarshalText":
			return true
		}
	}
	return false
}

// Who reads a reply in Go and who reads it as JSON read the same words. A field that has
// two names has them in the documents too, and one of them soon means something else.
func TestTheAPIHasOneNameForEachField(t *testing.T) {
	pkg := program(t).Package(module + "/api")
	if pkg == nil {
		t.Fatal("there is no package api")
	}
	wrong, fields := otherWords(pkg.Types)
	for _, w := range wrong {
		t.Error(w)
	}
	if fields == 0 {
		t.Error("the structs of package api have no fields")
	}
}

func TestWireNames(t *testing.T) {
	for name, want := range map[string]string{
		"Ref": "ref", "ID": "id", "IDs": "ids", "MS": "ms", "SourceRawIDs": "source_raw_ids", "AsOf": "as_of",
		"URLs": "urls", "ConsolidationID": "consolidation_id", "URLOfAHub": "url_of_a_hub", "SHA256": "sha256",
	} {
		if got := wireName(name); got != want {
			t.Errorf("%s is %s on the wire, want %s", name, got, want)
		}
	}
}

func TestTheRuleOfWireNamesBites(t *testing.T) {
	pkg := made(t, module+"/api", "package a\n"+
		"type E struct{ A int `json:\"a\"` }\n"+
		"type T struct {\n"+
		"\tE\n"+ // its fields are T's
		"\tNotMade int `json:\"not_made,omitempty\"`\n"+
		"\tNever int `json:\"-\"`\n"+
		"\thidden int\n"+
		"\tMade int `json:\"when\"`\n"+
		"\tBare int\n"+
		"\tIn []struct{ Deep int `json:\"shallow\"` } `json:\"in\"`\n"+
		"\tOf E `json:\"by\"`\n"+
		"}\n"+
		"type W struct{ A int }\n"+
		"func (*W) UnmarshalJSON([]byte) error { return nil }\n")
	wrong, fields := otherWords(pkg)
	want := []string{`T.Made is "when" on the wire`, `T.Bare is "" on the wire`, `T.In.Deep is "shallow" on the wire`,
		`T.Of is "by" on the wire`}
	if !slices.Equal(wrong, want) || fields != 7 {
		t.Errorf("%d fields, %q; want 7, %q", fields, wrong, want)
	}
}
