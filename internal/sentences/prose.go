package sentences

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// Marks of what is no prose: code, a line of a log, a table, an item of a list, a path or an address by itself.
var (
	code = lazy.Regexp(`[{}<>|\\=]|::|\w\(|\w\[|\[[\w ]*\]|^\W*\d+[.:)] ?\D?$|;$|:$|^[$#>*•|@/~-]|\?["')» ]*$`)
	logs = lazy.Regexp(`^\W*\d{4}[-/]\d\d[-/]\d\d[T ]\d|^\W*\d\d:\d\d:\d\d|^(?:[A-Z][a-z]{2} )?\d\d \d\d:\d\d:\d\d|` +
		`^[A-Z]\d{4} |^(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|PASS|FAIL|GET|PUT|POST|HTTP|TODO|FIXME)\b|` +
		`^[\w.-]+\[\d+\]: `)
	item = lazy.Regexp(`^\s*(?:[-*•+]|\d+[.)]|\w\)|\[.?\])\s`)
)

// Prose reports whether a text may be sentences that state something: it is no code, log, list, table or question.
func Prose(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !code.Get().MatchString(text) && !logs.Get().MatchString(text) && !item.Get().MatchString(text)
}
