package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is where pages are named from.
const repository = "../.."

// toGo are pages of the documentation's former order. Each goes, or is rewritten, when a
// tutorial, a how-to page, an explanation or the reference has its content. Until then only
// its links and commands are checked. A new page never comes here.
var toGo = []string{}

// atTheTop are the pages in docs itself: the map, and what is no user's page.
var atTheTop = []string{
	"docs/README.md", "docs/install.md", "docs/architecture.md", "docs/format.md", "docs/deps.md",
	"docs/versions.md",
}

// A room is a directory of users' pages, with the most words of a page and the most
// pages; 0 is no bound.
type room struct {
	dir          string
	words, pages int
}

var rooms = []room{
	{"docs/tutorials", 700, 3},
	{"docs/how-to", 350, 26},
	{"docs/explanation", 900, 6},
	{"docs/reference", 0, 0},
}

const (
	mostReadmeWords = 450
	mostUserWords   = 20_000 // README, the map, and all rooms, without what is generated
	mostSentence    = 35     // words
)

// A page is one file of the documentation.
type page struct {
	name string // from the repository
	text string
}

// allPages returns every page of the documentation, users' or not.
func allPages(t *testing.T) []page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(repository, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs := filepath.Join(repository, "docs")
	err = filepath.WalkDir(docs, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var pages []page
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		short, err := filepath.Rel(repository, name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page{filepath.ToSlash(short), string(text)})
	}
	return pages
}

// userPages returns the pages that a user reads, without what is generated in them.
func userPages(t *testing.T) []page {
	t.Helper()
	var users []page
	for _, p := range allPages(t) {
		inRoom := slices.ContainsFunc(rooms, func(r room) bool { return p.room() == r.dir })
		top := p.name == "README.md" || p.name == "docs/README.md"
		if (inRoom || top) && !slices.Contains(toGo, p.name) {
			p.text = generated.ReplaceAllString(p.text, "")
			users = append(users, p)
		}
	}
	return users
}

// room is the directory that a page is in.
func (p page) room() string {
	dir, _, _ := strings.Cut(p.name, "/"+filepath.Base(p.name))
	return dir
}

var (
	generated = regexp.MustCompile(`(?s)<!-- generated: ([a-z ]+) -->.*?<!-- end of [a-z ]+ -->`)
	comments  = regexp.MustCompile(`(?s)<!--.*?-->`)
	fences    = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codes     = regexp.MustCompile("`[^`\n]+`")
	linked    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	wordChars = regexp.MustCompile(`[\pL\pN]`)
)

// words counts what a reader reads: the fields of a text in which there is a letter or a
// digit, so that the lines of a table do not count.
func (p page) words() int {
	n := 0
	for field := range strings.FieldsSeq(p.text) {
		if wordChars.MatchString(field) {
			n++
		}
	}
	return n
}

// TestPagesAreShort holds the sizes of the documentation.
func TestPagesAreShort(t *testing.T) {
	users := userPages(t)
	sum := 0
	for _, p := range users {
		n := p.words()
		sum += n
		if p.name == "README.md" && n > mostReadmeWords {
			t.Errorf("%s has %d words, at most %d", p.name, n, mostReadmeWords)
		}
	}
	if sum > mostUserWords {
		t.Errorf("%d words on all pages of users, at most %d", sum, mostUserWords)
	}
	for _, r := range rooms {
		n := 0
		for _, p := range users {
			if p.room() != r.dir {
				continue
			}
			n++
			if w := p.words(); r.words > 0 && w > r.words {
				t.Errorf("%s has %d words, at most %d", p.name, w, r.words)
			}
		}
		if r.pages > 0 && n > r.pages {
			t.Errorf("%s has %d pages, at most %d", r.dir, n, r.pages)
		}
	}
	t.Logf("%d words on %d pages of users", sum, len(users))
}

// TestPagesHaveARoom finds pages that are in no directory of the order, and names of
// pages to go that went.
func TestPagesHaveARoom(t *testing.T) {
	pages := allPages(t)
	for _, p := range pages {
		if p.room() == "docs" && !slices.Contains(toGo, p.name) && !slices.Contains(atTheTop, p.name) {
			t.Errorf("%s belongs in docs/tutorials, how-to, explanation, reference or lab", p.name)
		}
		short := p.name == "README.md" && p.words() <= mostReadmeWords
		mapped := p.name == "docs/README.md" && strings.Contains(p.text, "(explanation/concepts.md)")
		if (short || mapped) && slices.Contains(toGo, p.name) {
			t.Errorf("%s was rewritten: take it out of toGo", p.name)
		}
	}
	for _, name := range toGo {
		if !slices.ContainsFunc(pages, func(p page) bool { return p.name == name }) {
			t.Errorf("%s went: take it out of toGo", name)
		}
	}
}

// TestPagesSayWhomTheyAreFor asks for it in the first line below the title.
func TestPagesSayWhomTheyAreFor(t *testing.T) {
	said := regexp.MustCompile(`^(For|This (page|tutorial|guide|map) is for) \w`)
	for _, p := range userPages(t) {
		if p.name == "README.md" {
			continue
		}
		title, rest, _ := strings.Cut(strings.TrimSpace(p.text), "\n")
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		if !strings.HasPrefix(title, "# ") {
			t.Errorf("%s begins with %q, want a title", p.name, title)
		}
		if !said.MatchString(first) {
			t.Errorf("%s: the first line is %q, want for whom the page is: \"For …\"", p.name, first)
		}
	}
}

// TestPagesLinkToWhatThereIs checks each relative link of each page, with its anchor.
func TestPagesLinkToWhatThereIs(t *testing.T) {
	pages := allPages(t)
	anchors := make(map[string]map[string]bool)
	for _, p := range pages {
		anchors[p.name] = p.anchors()
	}
	links := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	found := 0
	for _, p := range pages {
		text := codes.ReplaceAllString(fences.ReplaceAllString(p.text, ""), "")
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			found++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := p.name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(p.name), file))
			}
			if _, err := os.Stat(filepath.Join(repository, target)); err != nil {
				t.Errorf("%s: the link to %s leads to no file", p.name, m[1])
			} else if anchor != "" && !anchors[target][anchor] {
				t.Errorf("%s: %s has no heading #%s", p.name, target, anchor)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d links on all pages, want at least 100", found)
	}
}

// anchors returns the names that a browser of repositories gives to the headings.
func (p page) anchors() map[string]bool {
	names := make(map[string]bool)
	dropped := regexp.MustCompile(`[^\pL\pN\- _]`)
	for line := range strings.Lines(fences.ReplaceAllString(p.text, "")) {
		marks, title, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.Trim(marks, "#") != "" || marks == "" {
			continue
		}
		title = linked.ReplaceAllString(title, "$1")
		name := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		for n, base := 1, name; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		names[name] = true
	}
	return names
}

// dialect are words of which plain English has better ones.
var dialect = regexp.MustCompile(`(?i)\b(nobody|anew|who(m?)ever|whosoever|of yours|of ours|of one's own|stands|` +
	`(is|are|was|were|be) told|tells|shelf|shelves|lends?|lent|thereof|thereby|he|him|his)\b`)

// TestPagesArePlain finds long sentences and words of dialect on the pages of users.
func TestPagesArePlain(t *testing.T) {
	sentences := 0
	for _, p := range userPages(t) {
		for _, s := range p.sentences() {
			sentences++
			if n := len(strings.Fields(s)); n > mostSentence {
				t.Errorf("%s: a sentence of %d words, at most %d: %s", p.name, n, mostSentence, s)
			}
			if word := dialect.FindString(s); word != "" {
				t.Errorf("%s: %q in: %s", p.name, word, s)
			}
		}
	}
	if sentences < 200 {
		t.Errorf("%d sentences on all pages, want at least 200", sentences)
	}
}

var (
	newBlock = regexp.MustCompile(`^(#|\||[-*] |\d+\. |>|$)`)
	endOf    = regexp.MustCompile(`[.!?][)"*_]*(\s+|$)`)
)

// sentences returns the sentences of a page: of its paragraphs, headings, points of
// lists and cells of tables. Code counts as one word.
func (p page) sentences() []string {
	text := fences.ReplaceAllString(comments.ReplaceAllString(p.text, ""), "")
	text = linked.ReplaceAllString(codes.ReplaceAllString(text, "CODE"), "$1")
	var blocks []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|"):
			blocks = append(blocks, strings.Split(line, "|")...)
			blocks = append(blocks, "")
		case newBlock.MatchString(line) || len(blocks) == 0:
			blocks = append(blocks, line)
		default:
			blocks[len(blocks)-1] += " " + line
		}
	}
	var out []string
	for _, block := range blocks {
		for _, s := range endOf.Split(block, -1) {
			if wordChars.MatchString(s) {
				out = append(out, strings.TrimSpace(s))
			}
		}
	}
	return out
}

// TestPagesNameCommandsThereAre checks the verbs and flags of each command on a page.
func TestPagesNameCommandsThereAre(t *testing.T) {
	root := wholeTree()
	root.InitDefaultHelpCmd()
	found := 0
	for _, p := range allPages(t) {
		if p.name == "CHANGELOG.md" { // which says what there was
			continue
		}
		for _, command := range commandsOf(p.text) {
			found++
			nameable(t, root, p.name, command)
		}
	}
	if found < 500 {
		t.Errorf("%d commands on all pages, want at least 500", found)
	}
}
