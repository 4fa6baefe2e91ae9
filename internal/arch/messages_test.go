package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// faces are called by people or other programs, and name their own verbs and flags.
// What is below them names operations, which each face puts into its own words.
var faces = []string{
	"cmd", "client", "internal/access", "internal/arch", "internal/carrier", "internal/cli",
	"internal/httpapi", "internal/hosts", "internal/lab", "internal/mcpserver", "internal/serve", "internal/settings",
}

// readers of what others run know other programs' flags.
var readers = []string{"internal/outside"}

var (
	typedVerb = regexp.MustCompile(`\bstemma (--\w+ \S+ )?(` + verbs + `)\b|^stemma [a-z]+ `)
	typedFlag = regexp.MustCompile(`\S[ (']--[a-z]|^--[a-z-]+[ ,]`)
)

// verbs are words that only the name of a verb follows the program's with.
const verbs = "anchor|approve|audit|capture|check|config|conflicts|consolidate|doctor|embed|entities|export|" +
	"forget|history|hub|import|init|key|list|log|purge|quarantine|raw|receipts|recover|release|remember|remote|" +
	"resolve|restore|review|revise|search|serve|show|store|suggestions|sync|tour|trace|trust|ui|verify|witness"

// typedIn finds the texts of a file that name a verb or a flag of the command line.
func typedIn(s source) []string {
	var found []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok && examples(pair.Key) {
			return false
		}
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && !strings.Contains(text, "git ") && (typedVerb.MatchString(text) || typedFlag.MatchString(text)) {
			found = append(found, fmt.Sprintf("%s:%d: %q: an operation in backquotes is what every face can put in "+
				"its own words", s.name, s.line(n), text))
		}
		return true
	})
	return found
}

// examples are what the form of a kind has for the command line's help.
func examples(key ast.Expr) bool {
	name, ok := key.(*ast.Ident)
	return ok && name.Name == "Examples"
}

func TestMessagesBelowTheFacesNameOperationsNotVerbs(t *testing.T) {
	for _, s := range sources(t) {
		if s.forTests() || under(s.dir(), faces...) || under(s.dir(), readers...) {
			continue
		}
		for _, wrong := range typedIn(s) {
			t.Error(wrong)
		}
	}
}
