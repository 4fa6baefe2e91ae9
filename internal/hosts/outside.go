package hosts

import (
	"slices"
	"strings"
	"unicode"
)

// outsideTools are words in the names of tools that give what strangers wrote.
var outsideTools = []string{
	"web", "webfetch", "websearch", "fetch", "http", "https", "url", "browser", "browse", "crawl", "scrape", "playwright",
	"puppeteer", "internet",
}

// downloads are commands that give what lies at an address.
var downloads = []string{"curl", "wget", "lynx", "w3m", "xh", "httpie"}

// fromOutside reports whether a tool gave what strangers wrote: its name has one of those words
// (WebFetch, google_web_search, mcp__browser__open), or it ran a command that downloads. asked is
// what it was asked for.
func fromOutside(tool, asked string) bool {
	if slices.ContainsFunc(nameWords(tool), func(w string) bool { return slices.Contains(outsideTools, w) }) {
		return true
	}
	commands := strings.FieldsFunc(asked, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Contains(asked, "://") &&
		slices.ContainsFunc(commands, func(w string) bool { return slices.Contains(downloads, w) })
}

// nameWords splits a name at capitals and at what is no letter, and joins nothing.
func nameWords(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}
