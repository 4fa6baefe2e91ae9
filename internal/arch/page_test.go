package arch

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	architecture  = "docs/architecture.md"
	oneRequest    = "docs/lab/reads.md"
	mostPageWords = 900
)

var (
	row    = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| .+ \\|$")
	quoted = regexp.MustCompile("`([^`]+)`")
	blank  = regexp.MustCompile(`\n\n|\n(\d+\. )`)
	letter = regexp.MustCompile(`[\pL\pN]`)
)

// A tree is what a page is held to: the files with what they declare at their top.
type tree map[string][]string

// treeOf returns the project's Go files with the names that each declares.
func treeOf(all []source) tree {
	declared := tree{}
	for _, s := range all {
		declared[s.name] = []string{}
		for _, d := range s.file.Decls {
			declared[s.name] = append(declared[s.name], declaredBy(d)...)
		}
	}
	return declared
}

// declaredBy returns the names of one declaration.
func declaredBy(d ast.Decl) []string {
	if f, ok := d.(*ast.FuncDecl); ok {
		return []string{f.Name.Name}
	}
	var found []string
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			found = append(found, spec.Name.Name)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				found = append(found, name.Name)
			}
		}
	}
	return found
}

// dirs returns the directories with Go files.
func (tr tree) dirs() map[string]bool {
	found := map[string]bool{}
	for file := range tr {
		found[source{name: file}.dir()] = true
	}
	return found
}

// rowsWrong compares the tables of a page with the directories of the code.
func rowsWrong(page string, dirs map[string]bool) []string {
	var wrong []string
	listed := map[string]bool{}
	last := ""
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		dir := m[1]
		if listed[dir] {
			wrong = append(wrong, dir+" is on the page twice")
		}
		listed[dir] = true
		if !dirs[dir] {
			wrong = append(wrong, dir+" is on the page and has no Go files")
		}
		if last != "" && floors[dir] > floors[last] {
			wrong = append(wrong, fmt.Sprintf("%s (floor %d) is below %s (floor %d)", dir, floors[dir], last, floors[last]))
		}
		last = dir
	}
	for dir := range dirs {
		if !listed[dir] {
			wrong = append(wrong, dir+" is not on the page")
		}
	}
	return wrong
}

// textWrong checks what the text outside the tables names as code: directories, Go files,
// and identifiers, each of which a file named in the same point or paragraph declares.
func textWrong(page string, tr tree) []string {
	var wrong []string
	dirs := tr.dirs()
	for _, block := range blank.Split(row.ReplaceAllString(page, ""), -1) {
		var names, declared []string
		for _, m := range quoted.FindAllStringSubmatch(block, -1) {
			code := m[1]
			if in, is := tr[code]; is {
				declared = append(declared, in...)
			} else if !dirs[code] && !strings.HasPrefix(code, "git grep ") {
				names = append(names, code)
			}
		}
		for _, name := range names {
			if !slices.Contains(declared, name) {
				wrong = append(wrong, fmt.Sprintf("%q is no Go file or directory, and no file named beside it declares it", name))
			}
		}
	}
	return wrong
}

// withoutTests leaves out test files: the page names none.
func withoutTests(all []source) []source {
	return slices.DeleteFunc(slices.Clone(all), source.isTest)
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheArchitecturePageNamesWhatThereIs(t *testing.T) {
	page, all := readPage(t, architecture), sources(t)
	for _, wrong := range rowsWrong(page, treeOf(all).dirs()) {
		t.Errorf("%s: %s", architecture, wrong)
	}
	for _, name := range []string{architecture, oneRequest} {
		for _, wrong := range textWrong(readPage(t, name), treeOf(withoutTests(all))) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

func TestTheArchitecturePageIsShort(t *testing.T) {
	n := 0
	for field := range strings.FieldsSeq(readPage(t, architecture)) {
		if letter.MatchString(field) {
			n++
		}
	}
	if n > mostPageWords {
		t.Errorf("%s has %d words, at most %d", architecture, n, mostPageWords)
	}
}

func TestTheRuleOfThePageBites(t *testing.T) {
	tr := tree{"api/a.go": {"Ask"}, "memory/b.go": {"Kind", "kinds"}}
	const whole = "| `api` | requests |\n| `memory` | records |\n\n" +
		"1. `Ask` in `api/a.go`.\n2. `kinds` in `memory/b.go` of `memory`.\n"
	for name, tt := range map[string]struct {
		page string
		want int
	}{
		"as it is":                    {whole, 0},
		"a directory is missing":      {strings.Replace(whole, "| `api` | requests |\n", "", 1), 1},
		"a directory that is not":     {strings.Replace(whole, "\n\n", "\n| `llm` | x |\n\n", 1), 1},
		"a directory twice":           {strings.Replace(whole, "\n\n", "\n| `memory` | x |\n\n", 1), 1},
		"a floor above another":       {"| `memory` | records |\n| `api` | requests |\n", 1},
		"a function that is not":      {strings.Replace(whole, "`Ask`", "`Tell`", 1), 1},
		"a function of another point": {strings.Replace(whole, "`Ask`", "`Kind`", 1), 1},
		"a file that is not":          {strings.Replace(whole, "`memory/b.go`", "`memory/c.go`", 1), 2},
		"other code":                  {whole + "\nRun `make`.\n", 1},
	} {
		if got := append(rowsWrong(tt.page, tr.dirs()), textWrong(tt.page, tr)...); len(got) != tt.want {
			t.Errorf("%s: found %q, want %d", name, got, tt.want)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(tr.dirs())) {
		if _, known := floors[dir]; !known {
			t.Errorf("%s is on no floor: the rows above prove nothing", dir)
		}
	}
}

// conformity names the tests that show a demand met.
const conformity = "docs/reference/conformity.md"

// Each test that the page on conformity names is there, and each demand is met, in part or not met.
func TestTheConformityPageNamesWhatThereIs(t *testing.T) {
	text := readPage(t, conformity)
	declared := map[string]bool{}
	for _, names := range treeOf(sources(t)) {
		for _, name := range names {
			declared[name] = true
		}
	}
	tests, demands := 0, 0
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "Test") {
			if tests++; !declared[m[1]] {
				t.Errorf("%s: there is no %s", conformity, m[1])
			}
		}
	}
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| 8.") {
			if demands++; len(cells) != 4 || !slices.Contains([]string{"met", "in part", "not met"}, cells[2]) {
				t.Errorf("%s: %s", conformity, line)
			}
		}
	}
	if tests < 8 || demands != 11 {
		t.Errorf("%s: %d tests and %d demands, want at least 8 and all 11", conformity, tests, demands)
	}
}
