package sentences

import (
	"regexp"
	"strings"
	"sync"
)

// Marks of what is no prose: code, a line of a log, a table, an item of a list, a path or an address by itself.
var (
	code = pattern(`[{}<>|\\=]|::|\w\(|\w\[|\[[\w ]*\]|^\W*\d+[.:)] ?\D?$|;$|:$|^[$#>*•|@/~-]|\?["')» ]*$`)
	logs = pattern(`^\W*\d{4}[-/]\d\d[-/]\d\d[T ]\d|^\W*\d\d:\d\d:\d\d|^(?:[A-Z][a-z]{2} )?\d\d \d\d:\d\d:\d\d|` +
		`^[A-Z]\d{4} |^(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|PASS|FAIL|GET|PUT|POST|HTTP|TODO|FIXME)\b|` +
		`^[\w.-]+\[\d+\]: `)
	item = pattern(`^\s*(?:[-*•+]|\d+[.)]|\w\)|\[.?\])\s`)
)

// Prose reports whether a text may be sentences that state something: it is no code, log, list, table or question.
func Prose(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !code().MatchString(text) && !logs().MatchString(text) && !item().MatchString(text)
}

// pattern compiles an expression at its first use.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
