package keys

import "strings"

// quote makes a path one word of a shell's command.
func quote(path string) string {
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
