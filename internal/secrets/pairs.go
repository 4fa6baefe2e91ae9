package secrets

import "bytes"

// setters are commands before the name of a variable, whose value follows the name after a blank.
var setters = []string{"setx ", "setenv ", "set -x ", "set -gx ", "set -Ux ", "set -xg ", "/M ", "/m "}

// given says that the name at from comes after such a command.
func given(text []byte, from int) bool {
	for _, w := range setters {
		if hasEnd(text[:from], w) {
			return true
		}
	}
	return false
}

func hasEnd(text []byte, word string) bool {
	return len(text) >= len(word) && bytes.EqualFold(text[len(text)-len(word):], []byte(word))
}

// paired finds what assigns where a name and its value are two settings beside one another: "name": "X",
// "value": "…", and name=X value=…. It is 0 where there is none.
func paired(text []byte, from, at int, closes bool) int {
	begin := from
	if begin == 0 {
		return 0
	}
	if closes {
		begin--
		if begin > 0 && text[begin-1] == '\\' {
			begin--
		}
	}
	begin = runBack(text, begin, 4, func(c byte) bool { return c == ' ' })
	if begin == 0 || text[begin-1] != ':' && text[begin-1] != '=' {
		return 0
	}
	name := runBack(text, begin-1, 6, func(c byte) bool { return c == ' ' || c == '"' || c == '\'' || c == '\\' })
	if !hasEnd(text[:name], "name") && !hasEnd(text[:name], "key") {
		return 0
	}
	i := run(text[:min(len(text), at+nameLong)], at, func(c byte) bool {
		return c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '"' || c == '\''
	})
	if i == at || !hasWord(text[i:], "value") {
		return 0
	}
	i = run(text[:min(len(text), i+len("value")+3)], i+len("value"), func(c byte) bool {
		return c == '"' || c == '\'' || c == '\\'
	})
	if i = inline(text, i); i < len(text) && (text[i] == '=' || text[i] == ':') {
		return i
	}
	return 0
}
