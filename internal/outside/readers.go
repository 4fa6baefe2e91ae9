package outside

import (
	"slices"
	"strings"
)

// A reader is a program that prints words of files.
type reader struct {
	names  string
	values string // options that take a value
	first  bool   // its first word is no file: a pattern or a program
	unless string // options that say that word in its place
	tree   bool   // it looks through directories
}

var readersList = []reader{
	{names: `cat less more most nl tac rev zcat bzcat xzcat zless gunzip view mdcat glow antiword docx2txt catdoc csvlook
			tidy plutil dos2unix comm cmp expand unexpand highlight pygmentize type get-content gc tabs shuf join
			jless vimdiff`},
	{names: "head tail", values: "-n -c --lines --bytes -s --sleep-interval --pid"},
	{names: "bat batcat", values: "-l --language -r --line-range -H --theme --style --paging --wrap --tabs --color"},
	{names: "strings", values: "-n -t -e -T"},
	{names: "xxd od hexdump", values: "-l -s -c -o -g -N -j -A -t -w -n -e"},
	{names: "base64 base32 fold fmt", values: "-w --wrap -s -g"},
	{names: "sort", values: "-k -t -o -S -T --key --field-separator --output"},
	{names: "uniq", values: "-f -s -w"},
	{names: "column paste", values: "-t -s -d -c -o -N"},
	{names: "pandoc iconv", values: "-f -t -o --from --to --output --template -V -M"},
	{names: "pdftotext", values: "-f -l -r -x -y -W -H -enc"},
	{names: "xmllint", values: "--xpath --schema --output"},
	{names: "csvcut", values: "-c -C -d"},
	{names: "split pr", values: "-l -b -n -a -w"},
	{names: "gpg", values: "-o --output -r -u"},
	{names: "diff sdiff diff3 colordiff delta", values: "-U -C -x -I -W --label --exclude --width"},
	{names: "cut", values: "-d -f -c -b --delimiter --fields"},
	{names: "sed gsed", values: "-e -f --expression --file", first: true, unless: "-e -f --expression --file"},
	{names: "awk gawk mawk nawk", values: "-F -v -f -e", first: true, unless: "-f -e"},
	{names: "jq yq tomlq xq gojq jaq dasel", values: "--indent -f --from-file", first: true, unless: "-f --from-file"},
	{
		names: "grep egrep fgrep zgrep ggrep rgrep", first: true, unless: "-e -f --regexp --file", tree: true,
		values: "-e -f -A -B -C -m -d --include --exclude --exclude-dir --regexp --file --max-count --color",
	},
	{
		names: "rg ag ack ugrep", first: true, unless: "-e -f --regexp --file --files", tree: true,
		values: `-e -f -A -B -C -m -g -t -T -j --glob --type --regexp --file --max-count --iglob --max-depth -r --replace
			--sort`,
	},
}

func readerOf(name string) *reader {
	for i := range readersList {
		if slices.Contains(strings.Fields(readersList[i].names), name) {
			return &readersList[i]
		}
	}
	return nil
}

// silent are options with which a search prints names or numbers and no words.
var silent = []string{
	"-l", "--files-with-matches", "-c", "--count", "-q", "--quiet", "-L", "--files-without-match", "--files",
}

// readers judges the words of files that a program prints.
func (l *look) readers(c *command, r *reader) string {
	if !l.Files {
		return ""
	}
	args := positional(c.args[1:], r.values)
	if r.first && len(args) > 0 && !slices.ContainsFunc(strings.Fields(r.unless), func(o string) bool {
		return slices.ContainsFunc(c.args, func(a string) bool {
			return a == o || !strings.HasPrefix(o, "--") && strings.HasPrefix(a, o) && len(o) == 2 && len(a) > 2 &&
				!strings.HasPrefix(a, "--") && c.program() != "rg"
		})
	}) {
		args = args[1:]
	}
	if r.tree && slices.ContainsFunc(c.args, func(a string) bool { return slices.Contains(silent, a) }) {
		return ""
	}
	files := append(args, c.reads...)
	if len(files) == 0 {
		files = l.handedOn(c)
	}
	if len(files) == 0 && r.tree && c.program() != "grep" && len(c.fed) == 0 {
		return l.searched(c.dir)
	}
	var out []string
	searches := false
	for _, f := range files {
		if hasScheme(f) && !insideAddress(f) {
			return nameWith(c.program(), hostOf(f)) // it fetches what it reads
		}
		if strings.Contains(f, ofPackages) {
			return "file of a package"
		}
		if strings.Contains(f, unknown) {
			continue
		}
		for _, m := range l.matching(c.dir, f) {
			if r.tree && isDir(l.full(c.dir, m)) {
				searches = true
			}
			out = append(out, m)
		}
	}
	if from := l.files(c.dir, out...); from != "" {
		return from
	}
	if searches {
		return l.searched(c.dir)
	}
	return ""
}

// searched judges what a search through directories printed, by the files that its lines begin with.
func (l *look) searched(dir string) string { return l.files(dir, l.linesOf(dir)...) }

// handedOn are the files that xargs hands on from a list before it: "find DIR | xargs cat", "ls DIR/* | xargs head".
func (l *look) handedOn(c *command) []string {
	if programName(c.args[0]) == "" || len(c.fed) == 0 || !c.handed {
		return nil
	}
	var out []string
	for _, before := range c.fed {
		switch before.program() {
		case "find", "fd":
			out = append(out, rootsOf(before)...)
		case "ls", "rg", "grep", "echo", "printf":
			for _, a := range positional(before.args[1:], "") {
				if strings.Contains(a, "/") {
					out = append(out, a)
				}
			}
		}
	}
	return out
}
