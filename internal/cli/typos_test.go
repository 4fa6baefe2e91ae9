package cli

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/ops"
)

// mistypes are command lines with a slip, and what is said of each.
var mistypes = []struct{ line, says string }{
	// verbs
	{"captrue words", "did you mean 'stemma capture'?"},
	{"remeber words", "did you mean 'stemma remember'?"},
	{"serach words", "did you mean 'stemma search'?"},
	{"contxt words", "did you mean 'stemma context'?"},
	{"trcae 3f9a", "did you mean 'stemma trace'?"},
	{"explian 3f9a", "did you mean 'stemma explain'?"},
	{"lst", "did you mean 'stemma list'?"},
	{"shwo 3f9a", "did you mean 'stemma show'?"},
	{"reivse 3f9a words", "did you mean 'stemma revise'?"},
	{"froget 3f9a", "did you mean 'stemma forget'?"},
	{"reveiw", "did you mean 'stemma review'?"},
	{"improt notes.jsonl", "did you mean 'stemma import'?"},
	{"exprot notes.jsonl", "did you mean 'stemma export'?"},
	{"snyc", "did you mean 'stemma sync'?"},
	{"witnes 3f9a", "did you mean 'stemma witness'?"},
	{"statsu", "did you mean 'stemma status'?"},
	{"docter", "did you mean 'stemma doctor'?"},
	{"bakcup copy.db", "did you mean 'stemma backup'?"},
	{"wibble", "unknown verb \"wibble\"; 'stemma help --all' lists all verbs"},
	{"help serach", "did you mean 'stemma search'?"},
	{"help linaege", "did you mean 'stemma help lineage'?"},
	{"conflicts resolve link:3f9a --keep new", "conflicts takes no words; did you mean 'stemma resolve'?"},
	{"conflicts resolve link:3f9a", "conflicts takes no words; did you mean 'stemma resolve'?"},
	// verbs of a group
	{"capture lsit", "did you mean 'stemma capture list'?"},
	{"raw shwo 3f9a81c0", "did you mean 'stemma raw show'?"},
	{"belief hsitory 3f9a81c0", "did you mean 'stemma belief history'?"},
	{"belief 3f9a81c0 history", "did you mean 'stemma belief history 3f9a81c0'?"},
	{"goal progres 3f9a81c0 40%", "did you mean 'stemma goal progress'?"},
	{"drive satify 3f9a81c0", "did you mean 'stemma drive satisfy'?"},
	{"playbook fidn errors", "did you mean 'stemma playbook find'?"},
	{"review acept 3f9a81c0", "did you mean 'stemma review accept'?"},
	{"suggestions rejct 3f9a81c0", "did you mean 'stemma suggestions reject'?"},
	{"forget candidats", "did you mean 'stemma forget candidates'?"},
	{"jobs rnu", "did you mean 'stemma jobs run'?"},
	{"key rotat", "did you mean 'stemma key rotate'?"},
	{"key wibble", "key: unknown verb \"wibble\"; it has add, "},
	{"log chekpoint", "did you mean 'stemma log checkpoint'?"},
	{"remote ad team /mnt/team", "did you mean 'stemma remote add'?"},
	{"hub jion https://hub.test", "did you mean 'stemma hub join'?"},
	{"hub wibble", "hub: unknown verb \"wibble\"; it has account, archive, export, init, "},
	{"hub member wibble did:key:z6Mk", "hub member: unknown verb \"wibble\"; it has "},
	{"store adpot memory.db", "did you mean 'stemma store adopt'?"},
	{"config gte pack.budget", "did you mean 'stemma config get'?"},
	{"config wibble", "config: unknown verb \"wibble\"; it has confirm, "},
	{"hook instal git", "did you mean 'stemma hook install'?"},
	{"receipts lsit", "did you mean 'stemma receipts list'?"},
	{"meta uncertian", "did you mean 'stemma meta uncertain'?"},
	{"entities lits", "did you mean 'stemma entities list'?"},
	{"emotion sumary", "did you mean 'stemma emotion summary'?"},
	{"anchor chekc", "did you mean 'stemma anchor check'?"},
	{"witness reqest 3f9a81c0", "did you mean 'stemma witness request'?"},
	{"trust introduse ada.pub", "did you mean 'stemma trust introduce'?"},
	{"history belief", "did you mean 'stemma belief history'?"},
	{"decisions list", "did you mean 'stemma decisions'?"},
	{"mcp start", "did you mean 'stemma mcp'?"},
	{"status now", "did you mean 'stemma status'?"},
	{"review approve note:3f9a", "did you mean 'stemma approve'?"},
	{"remote push", "did you mean 'stemma sync'?"},
	{"jobs doctor", "did you mean 'stemma doctor'?"},
	{"projects", "did you mean 'stemma space'?"},
	{"sessions", "did you mean 'stemma receipts list'?"},
	{"tags", "did you mean 'stemma search --tag'?"},
	{"reset", "unknown verb \"reset\"; 'stemma help --all' lists all verbs"},
	{"completion bsah", "did you mean 'stemma completion bash'?"},
	// flags
	{"search words --limt 3", "unknown flag --limt; did you mean '--limit'?"},
	{"search words -limit 3", "unknown flag -limit; did you mean '--limit'?"},
	{"search words --wibble", "unknown flag --wibble; 'stemma search --help' lists the flags"},
	{"serve --port 80", "unknown flag --port; serve has --addr, --tools"},
	{"mcp --stdio", "unknown flag --stdio; mcp has --agent, --tools"},
	{"trace 3f9a81c0 --sorces", "unknown flag --sorces; did you mean '--sources'?"},
	{"capture words --speeker Ann", "unknown flag --speeker; did you mean '--speaker'?"},
	{"list --spcae work", "unknown flag --spcae; did you mean '--space'?"},
	{"list --colour always", "unknown flag --colour; did you mean '--color'?"},
	{"list --limit", "--limit: needs a value"},
	{"list --limit many", "--limit: must be a whole number, got \"many\""},
	{"search words --min-trust much", "--min-trust: must be a number, got \"much\""},
	// values
	{"context words --level depe", "--level: unknown value \"depe\"; did you mean 'deep'?"},
	{"search words --kind note,beleif", "--kind: unknown value \"beleif\"; did you mean 'belief'?"},
	{"search words --tier grouded", "--tier: unknown value \"grouded\"; did you mean 'grounded'?"},
	{"trace 3f9a81c0 --direction bakward", "--direction: unknown value \"bakward\"; did you mean 'backward'?"},
	{"note words --type decison", "--type: unknown value \"decison\"; did you mean 'decision'?"},
	{"list beliefs", "list: unknown value \"beliefs\"; did you mean 'belief'?"},
	{"goal status 3f9a81c0 achived", "goal status: unknown value \"achived\"; did you mean 'achieved'?"},
	{"playbook outcome 3f9a81c0 sucess", "playbook outcome: unknown value \"sucess\"; did you mean 'success'?"},
	{"init claud-code", "init: unknown value \"claud-code\"; did you mean 'claude-code'?"},
	{"config set pack.buget 900", "config set: unknown value \"pack.buget\"; did you mean 'pack.budget'?"},
	{"list --color allways", "--color: unknown value \"allways\"; did you mean 'always'?"},
	{"init claude", "init: unknown value \"claude\"; did you mean 'claude-code'?"},
	{"init Claude --dry-run", "init: unknown value \"Claude\"; did you mean 'claude-code'?"},
	// what other programs call it
	{"delete belief:1", "did you mean 'stemma forget'?"},
	{"remove belief:1", "did you mean 'stemma forget'?"},
	{"rm 3f9a", "did you mean 'stemma forget'?"},
	{"erase 3f9a", "did you mean 'stemma purge'?"},
	{"edit", "did you mean 'stemma revise'?"},
	{"update 3f9a words", "did you mean 'stemma revise'?"},
	{"change 3f9a words", "did you mean 'stemma correct'?"},
	{"save words", "did you mean 'stemma remember'?"},
	{"add words", "did you mean 'stemma remember'?"},
	{"learn words", "did you mean 'stemma remember'?"},
	{"find words", "did you mean 'stemma search'?"},
	{"grep words", "did you mean 'stemma search'?"},
	{"ask words", "did you mean 'stemma recall'?"},
	{"get 3f9a", "did you mean 'stemma show'?"},
	{"cat 3f9a", "did you mean 'stemma show'?"},
	{"ls", "did you mean 'stemma list'?"},
	{"accept 3f9a", "did you mean 'stemma approve'?"},
	{"decline 3f9a", "did you mean 'stemma reject'?"},
	{"revert", "did you mean 'stemma undo'?"},
	{"install claude-code", "did you mean 'stemma init'?"},
	{"dashboard", "did you mean 'stemma ui'?"},
	{"info", "did you mean 'stemma status'?"},
	{"whoami", "did you mean 'stemma identity show'?"},
	{"push", "did you mean 'stemma sync'?"},
	{"dump", "did you mean 'stemma export'?"},
	{"quit", "unknown verb \"quit\"; 'stemma help --all' lists all verbs"},
	// texts, and flags of other verbs
	{"remember -5 degrees", "unknown flag -5; a text that begins with a hyphen goes after --: stemma remember -- -5 …"},
	{"list --since yesterday", "unknown flag --since; 'stemma search' and 'stemma recent' have it"},
	{"correct limit", "correct: give an ID and what is so now: stemma correct REF TEXT; 'stemma search' finds the ID"},
	{"synthesize belief", "synthesize: unknown value \"belief\"; did you mean 'beliefs'?"},
}

// A mistyped verb, flag or value is said, ends with 64 and stores nothing.
func TestMistypesAreSaid(t *testing.T) {
	home := t.TempDir()
	for _, m := range mistypes {
		r := saying(t, home, strings.Fields(m.line)...)
		first, _, _ := strings.Cut(r.err, "\n")
		if r.code != ops.ExitUsage || r.out != "" || !strings.Contains(first, m.says) {
			t.Errorf("%s: exit code %d, %q, %q; want 64 and %q", m.line, r.code, r.out, first, m.says)
		}
	}
	if made := treeOf(t, home); len(made) > 0 {
		t.Errorf("made by what was mistyped: %q", made)
	}
	if len(mistypes) < 100 {
		t.Errorf("%d mistypes, want at least 100", len(mistypes))
	}
}

// The last line says where help for what was typed is.
func TestHelpForWhatWasTyped(t *testing.T) {
	home := t.TempDir()
	for line, want := range map[string]string{
		"correct limit": "examples: stemma correct --help\n", "key add --wibble": "examples: stemma key add --help\n",
		"wibble": "the verbs: stemma help\n",
	} {
		if r := saying(t, home, strings.Fields(line)...); !strings.HasSuffix(r.err, want) {
			t.Errorf("%s: %q, want %q at the end", line, r.err, want)
		}
	}
}

// A text that begins with a hyphen and has a blank is a text, wherever it stands; a flag and its value stay.
func TestTextsThatBeginWithAHyphen(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{"remember|- item one", "remember|--|- item one"},
		{"remember|- item one|--why|it is so", "remember|--why|it is so|--|- item one"},
		{"correct|3f9a|- item one", "correct|3f9a|--|- item one"},
		{"revise|3f9a|-m|- item one", "revise|3f9a|-m|- item one"},
		{"remember|--why=- a b|words", "remember|--why=- a b|words"},
		{"remember|--|- item one", "remember|--|- item one"},
		{"remember|-5 degrees|at noon", "remember|--|-5 degrees|at noon"},
		{"search|-x", "search|-x"},
		{"remember|words", "remember|words"},
	} {
		if got := strings.Join(textsLast(strings.Split(tt.given, "|")), "|"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.given, got, tt.want)
		}
	}
}
