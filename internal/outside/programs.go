package outside

import (
	"strings"
	"sync"
)

// A kind says what a program prints.
type kind int

const (
	inside    kind = iota // what the machine, the project or this person's own services say
	pages                 // what lies at its addresses: inside only where all of them are
	strangers             // words of others, wherever it runs
	client                // what a server says: outside only where its address is known to be
	notes                 // progress, and notes of others only where the output has such lines
	revisions             // what a repository holds at some revisions
	modules               // what a module of Go says of itself
	installed             // a program of a package: the project's own tools, or one that is fetched for it
)

// A row says what the words of a program are, for its first words: "gh pr view" before "gh". Brings says that it
// writes files from elsewhere.
type row struct {
	words  string
	prints kind
	brings bool
	why    string
}

// rows are the programs whose words may be of strangers. A program that is not here is inside.
var rows = []row{
	{"curl", pages, true, "prints the page at its address"},
	{"wget", pages, true, "fetches the page at its address"},
	{"wget2", pages, true, "as wget"},
	{"curlie", pages, false, "curl under another name"},
	{"http", pages, false, "HTTPie prints the answer"},
	{"https", pages, false, "HTTPie prints the answer"},
	{"httpie", pages, false, "HTTPie under its own name"},
	{"xh", pages, false, "prints the answer"},
	{"xhs", pages, false, "prints the answer"},
	{"hurl", pages, false, "prints answers"},
	{"aria2c", pages, true, "fetches files"},
	{"axel", pages, true, "fetches files"},
	{"lynx", pages, false, "prints a page as text"},
	{"w3m", pages, false, "prints a page as text"},
	{"links", pages, false, "prints a page as text"},
	{"links2", pages, false, "prints a page as text"},
	{"elinks", pages, false, "prints a page as text"},
	{"browsh", pages, false, "prints a page as text"},
	{"monolith", pages, true, "fetches a page as one file"},
	{"iwr", pages, true, "PowerShell's Invoke-WebRequest"},
	{"irm", pages, false, "PowerShell's Invoke-RestMethod"},
	{"invoke-webrequest", pages, true, "prints the answer"},
	{"invoke-restmethod", pages, false, "prints the answer"},
	{"start-bitstransfer", pages, true, "fetches files"},
	{"websocat", pages, false, "prints what a socket says"},
	{"wscat", pages, false, "prints what a socket says"},
	{"grpcurl", pages, false, "prints the answer of a service"},
	{"nc", pages, false, "prints what a socket says"},
	{"ncat", pages, false, "prints what a socket says"},
	{"netcat", pages, false, "prints what a socket says"},
	{"telnet", pages, false, "prints what a socket says"},
	{"socat", pages, false, "prints what a socket says"},
	{"ftp", pages, true, "fetches files"},
	{"lftp", pages, true, "fetches files"},
	{"tftp", pages, true, "fetches files"},
	{"yt-dlp", pages, true, "prints titles and descriptions"},
	{"youtube-dl", pages, true, "prints titles and descriptions"},
	{"chromium", pages, false, "--dump-dom prints a page"},
	{"chrome", pages, false, "--dump-dom prints a page"},
	{"google-chrome", pages, false, "--dump-dom prints a page"},
	{"openssl s_client", pages, false, "prints what a socket says"},
	{"trafilatura", pages, false, "prints a page as text"},
	{"readable", pages, false, "prints a page as text"},
	{"scrapy", strangers, false, "prints pages"},
	{"whois", strangers, false, "prints what owners of names wrote"},
	{"dig", pages, false, "TXT records are words of others"},
	{"nslookup", pages, false, "TXT records are words of others"},
	{"finger", pages, false, "prints what others wrote of themselves"},
	{"newsboat", strangers, false, "prints feeds"},
	{"w3", pages, false, "prints a page"},

	{"gh", strangers, false, "issues, pull requests, releases and searches are words of others"},
	{"gh auth", inside, false, "says who is signed in"},
	{"gh config", inside, false, "this person's settings"},
	{"gh alias", inside, false, "this person's settings"},
	{"gh completion", inside, false, "prints a script of gh itself"},
	{"gh version", inside, false, "its version"},
	{"gh --version", inside, false, "its version"},
	{"gh help", inside, false, "its own manual"},
	{"gh status", strangers, false, "prints what others wrote to this person"},
	{"gh pr create", inside, false, "prints the address of what was made"},
	{"gh pr merge", inside, false, "says that it was done"},
	{"gh pr close", inside, false, "says that it was done"},
	{"gh pr ready", inside, false, "says that it was done"},
	{"gh pr edit", inside, false, "prints the address"},
	{"gh pr comment", inside, false, "prints the address"},
	{"gh pr review", inside, false, "says that it was done"},
	{"gh pr checkout", notes, false, "git's progress; the files are a branch of others, and are judged as such"},
	{"gh issue create", inside, false, "prints the address of what was made"},
	{"gh issue close", inside, false, "says that it was done"},
	{"gh issue edit", inside, false, "prints the address"},
	{"gh issue comment", inside, false, "prints the address"},
	{"gh release create", inside, false, "prints the address of what was made"},
	{"gh release upload", inside, false, "says that it was done"},
	{"gh release download", notes, true, "progress; the files come from elsewhere"},
	{"gh repo clone", notes, true, "git's progress; the files come from elsewhere"},
	{"gh repo create", inside, false, "prints the address of what was made"},
	{"gh repo fork", notes, true, "git's progress"},
	{"gh repo sync", inside, false, "says that it was done"},
	{"gh repo set-default", inside, false, "says that it was done"},
	{"gh label create", inside, false, "says that it was done"},
	{"gh secret", inside, false, "names that this person gave"},
	{"gh variable", inside, false, "values that this person set"},
	{"gh ssh-key", inside, false, "this person's keys"},
	{"gh run list", inside, false, "the state of this person's own runs"},
	{"gh run watch", inside, false, "the state of a run"},
	{"gh run rerun", inside, false, "says that it was done"},
	{"gh run cancel", inside, false, "says that it was done"},
	{"gh run view", inside, false, "what the repository's own sources print when built and run"},
	{"gh run download", notes, true, "progress; the files come from elsewhere"},
	{"gh workflow", inside, false, "the repository's own workflows"},
	{"gh pr checks", inside, false, "the state of checks"},
	{"gh pr status", strangers, false, "titles of others"},
	{"gh browse", inside, false, "opens a browser"},
	{"glab", strangers, false, "issues and merge requests are words of others"},
	{"glab auth", inside, false, "says who is signed in"},
	{"glab ci", inside, false, "what the repository's own sources print"},
	{"glab mr create", inside, false, "prints the address of what was made"},
	{"tea", strangers, false, "issues are words of others"},
	{"hub", strangers, false, "issues and pull requests are words of others"},
	{"jira", strangers, false, "issues are words of others"},
	{"linear", strangers, false, "issues are words of others"},
	{"slack", strangers, false, "messages are words of others"},
	{"slackcat", inside, false, "sends"},
	{"himalaya", strangers, false, "mail is words of others"},
	{"mutt", strangers, false, "mail is words of others"},
	{"neomutt", strangers, false, "mail is words of others"},
	{"mail", strangers, false, "mail is words of others"},
	{"mailx", strangers, false, "mail is words of others"},
	{"notmuch", strangers, false, "mail is words of others"},
	{"mu", strangers, false, "mail is words of others"},
	{"gam", strangers, false, "mail and documents of others"},

	{"git clone", notes, true, "progress; the files come from elsewhere"},
	{"git fetch", notes, false, "progress"},
	{"git pull", notes, false, "progress and names of files"},
	{"git push", notes, false, "progress"},
	{"git submodule", notes, false, "progress"},
	{"git remote", notes, false, "names and addresses"},
	{"git ls-remote", inside, false, "names of refs and digests"},
	{"git log", revisions, false, "messages of commits"},
	{"git show", revisions, false, "messages and files of commits"},
	{"git diff", revisions, false, "files of commits"},
	{"git blame", revisions, false, "files of commits"},
	{"git cat-file", revisions, false, "files of commits"},
	{"git grep", revisions, false, "files of commits"},
	{"git whatchanged", revisions, false, "messages of commits"},
	{"git shortlog", revisions, false, "messages of commits"},
	{"git range-diff", revisions, false, "files of commits"},
	{"git format-patch", revisions, false, "files of commits"},
	{"git archive", revisions, false, "files of commits"},
	{"git cherry-pick", notes, false, "says what was done"},
	{"hg clone", notes, true, "progress; the files come from elsewhere"},
	{"svn checkout", notes, true, "progress; the files come from elsewhere"},
	{"svn co", notes, true, "progress; the files come from elsewhere"},
	{"svn export", notes, true, "progress; the files come from elsewhere"},
	{"svn cat", pages, false, "a file of another machine"},
	{"degit", notes, true, "progress; the files come from elsewhere"},

	{"npm view", strangers, false, "descriptions of packages"},
	{"npm info", strangers, false, "descriptions of packages"},
	{"npm show", strangers, false, "descriptions of packages"},
	{"npm v", strangers, false, "descriptions of packages"},
	{"npm search", strangers, false, "descriptions of packages"},
	{"npm docs", inside, false, "opens a browser"},
	{"npm audit", strangers, false, "advisories are words of others"},
	{"npm help", inside, false, "its own manual"},
	{"npm install", notes, false, "progress; notes of makers where a package is deprecated"},
	{"npm i", notes, false, "as install"},
	{"npm ci", notes, false, "as install"},
	{"npm add", notes, false, "as install"},
	{"npm update", notes, false, "as install"},
	{"npm pack", notes, true, "names of files; the archive comes from elsewhere"},
	{"npm exec", installed, false, "runs a program of a package"},
	{"npm create", installed, false, "runs a program of a package"},
	{"npm init", inside, false, "asks and writes a file"},
	{"npx", installed, false, "runs a program of a package"},
	{"bunx", installed, false, "runs a program of a package"},
	{"pnpx", installed, false, "runs a program of a package"},
	{"pnpm view", strangers, false, "descriptions of packages"},
	{"pnpm info", strangers, false, "descriptions of packages"},
	{"pnpm search", strangers, false, "descriptions of packages"},
	{"pnpm audit", strangers, false, "advisories are words of others"},
	{"pnpm install", notes, false, "progress"},
	{"pnpm add", notes, false, "progress"},
	{"pnpm dlx", installed, false, "runs a program of a package"},
	{"pnpm exec", installed, false, "runs a program of a package"},
	{"yarn info", strangers, false, "descriptions of packages"},
	{"yarn npm", strangers, false, "descriptions of packages"},
	{"yarn install", notes, false, "progress"},
	{"yarn add", notes, false, "progress"},
	{"yarn audit", strangers, false, "advisories are words of others"},
	{"yarn dlx", installed, false, "runs a program of a package"},
	{"bun x", installed, false, "runs a program of a package"},
	{"bun info", strangers, false, "descriptions of packages"},
	{"bun pm view", strangers, false, "descriptions of packages"},
	{"pip search", strangers, false, "descriptions of packages"},
	{"pip show", strangers, false, "descriptions of packages"},
	{"pip index", inside, false, "numbers of versions"},
	{"pip download", inside, true, "progress; the files come from elsewhere"},
	{"pip install", notes, false, "progress"},
	{"pip-audit", strangers, false, "advisories are words of others"},
	{"pydoc", inside, false, "the manual of a library that is installed"},
	{"uvx", installed, false, "runs a program of a package"},
	{"uv tool run", installed, false, "runs a program of a package"},
	{"pipx run", installed, false, "runs a program of a package"},
	{"pipx", inside, false, "progress"},
	{"poetry show", strangers, false, "descriptions of packages"},
	{"poetry search", strangers, false, "descriptions of packages"},
	{"cargo search", strangers, false, "descriptions of packages"},
	{"cargo info", strangers, false, "descriptions of packages"},
	{"cargo audit", strangers, false, "advisories are words of others"},
	{"gem search", strangers, false, "descriptions of packages"},
	{"gem info", strangers, false, "descriptions of packages"},
	{"gem specification", strangers, false, "descriptions of packages"},
	{"bundle info", strangers, false, "descriptions of packages"},
	{"bundle audit", strangers, false, "advisories are words of others"},
	{"composer show", strangers, false, "descriptions of packages"},
	{"composer search", strangers, false, "descriptions of packages"},
	{"brew info", strangers, false, "descriptions of packages"},
	{"brew search", strangers, false, "names and descriptions of packages"},
	{"brew desc", strangers, false, "descriptions of packages"},
	{"apt show", strangers, false, "descriptions of packages"},
	{"apt search", strangers, false, "descriptions of packages"},
	{"apt changelog", strangers, false, "what makers of packages wrote"},
	{"apt-cache show", strangers, false, "descriptions of packages"},
	{"apt-cache search", strangers, false, "descriptions of packages"},
	{"dnf info", strangers, false, "descriptions of packages"},
	{"dnf search", strangers, false, "descriptions of packages"},
	{"pacman -Si", strangers, false, "descriptions of packages"},
	{"pacman -Ss", strangers, false, "descriptions of packages"},
	{"apk info", strangers, false, "descriptions of packages"},
	{"nix search", strangers, false, "descriptions of packages"},
	{"go doc", modules, false, "comments of a module: of this one inside"},
	{"go run", installed, false, "with a version it fetches what it runs"},
	{"go list", inside, false, "names and versions"},
	{"govulncheck", strangers, false, "advisories are words of others"},

	{"docker search", strangers, false, "descriptions of images"},
	{"docker scout", strangers, false, "advisories are words of others"},
	{"podman search", strangers, false, "descriptions of images"},
	{"skopeo inspect", strangers, false, "labels that makers of images wrote"},
	{"crane", strangers, false, "labels that makers of images wrote"},
	{"helm show", strangers, false, "what makers of a chart wrote"},
	{"helm search", strangers, false, "descriptions of charts"},
	{"helm inspect", strangers, false, "what makers of a chart wrote"},
	{"helm pull", inside, true, "progress; the chart comes from elsewhere"},
	{"trivy", strangers, false, "advisories are words of others"},
	{"grype", strangers, false, "advisories are words of others"},
	{"terraform providers", inside, false, "names and versions"},
	{"tldr", strangers, false, "pages that others wrote"},
	{"cheat", strangers, false, "pages that others wrote"},
	{"ollama", inside, false, "a model on this machine"},

	{"ssh", client, false, "what another machine prints"},
	{"mosh", client, false, "what another machine prints"},
	{"scp", inside, true, "progress; the files come from elsewhere"},
	{"sftp", client, true, "names of files of another machine"},
	{"rsync", inside, true, "names of files; they come from elsewhere"},
	{"rclone cat", strangers, false, "a file of a service"},
	{"rclone copy", inside, true, "progress; the files come from elsewhere"},
	{"psql", client, false, "rows of a database"},
	{"mysql", client, false, "rows of a database"},
	{"mariadb", client, false, "rows of a database"},
	{"mongosh", client, false, "rows of a database"},
	{"mongo", client, false, "rows of a database"},
	{"redis-cli", client, false, "values of a database"},
	{"clickhouse-client", client, false, "rows of a database"},
	{"cqlsh", client, false, "rows of a database"},
	{"pg_dump", client, false, "rows of a database"},
	{"mysqldump", client, false, "rows of a database"},
	{"ldapsearch", client, false, "entries of a directory"},
	{"smbclient", client, true, "files of another machine"},
	{"snmpwalk", client, false, "values of another machine"},
	{"mosquitto_sub", client, false, "messages of a broker"},
	{"kcat", client, false, "messages of a broker"},
	{"aws s3 cp", inside, true, "progress; the files come from elsewhere"},
	{"aws s3 sync", inside, true, "progress; the files come from elsewhere"},
	{"gsutil cp", inside, true, "progress; the files come from elsewhere"},
	{"gsutil cat", strangers, false, "a file of a service"},
	{"huggingface-cli download", inside, true, "progress; the files come from elsewhere"},
	{"hf download", inside, true, "progress; the files come from elsewhere"},
}

// rowsByWords is rows by their words.
var rowsByWords = sync.OnceValue(func() map[string]*row {
	out := make(map[string]*row, len(rows))
	for i := range rows {
		out[rows[i].words] = &rows[i]
	}
	return out
})

// sames are programs that are another one by a different name.
var sames = map[string]string{
	"pip3": "pip", "apt-get": "apt", "podman": "docker", "nerdctl": "docker",
}

// rowOf finds the row with the most words, past options in front of them.
func rowOf(args []string) (found *row, rest []string) {
	name := programName(args[0])
	if same, ok := sames[name]; ok {
		name = same
	}
	table := rowsByWords()
	words, rest := name, args[1:]
	found = table[words]
	left := rest
	for n := 0; n < 3 && len(left) > 0; n++ {
		skipped := 0
		if n == 0 && table[words+" "+left[0]] == nil {
			skipped = optionsBefore(name, left)
		}
		if skipped >= len(left) {
			break
		}
		words += " " + left[skipped]
		left = left[skipped+1:]
		if r := table[words]; r != nil {
			found, rest = r, left
		}
	}
	return found, rest
}

// optionValues are options in front of a subcommand that take a value.
var optionValues = map[string]string{
	"git": "-C -c --git-dir --work-tree --namespace --exec-path", "gh": "-R --repo --hostname",
	"glab": "-R --repo", "npm": "--prefix -C", "pnpm": "-C --dir --filter -F", "yarn": "--cwd", "docker": "-H --context -c",
	"kubectl": "-n --namespace --context --kubeconfig", "helm": "-n --namespace --kube-context",
	"aws":   "--profile --region --endpoint-url --output",
	"cargo": "--manifest-path", "pip": "--proxy", "poetry": "-C --directory", "bundle": "", "apt": "-o", "brew": "",
}

// optionsBefore counts the options in front of a subcommand, with their values.
func optionsBefore(name string, args []string) int {
	values := strings.Fields(optionValues[name])
	i := 0
	for i < len(args) && strings.HasPrefix(args[i], "-") {
		for _, v := range values {
			if args[i] == v {
				i++
				break
			}
		}
		i++
	}
	return min(i, len(args))
}
