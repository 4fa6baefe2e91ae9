package secrets

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

var update = flag.Bool("update", false, "make gitleaks.txt anew from testdata/gitleaks.toml")

// leftOut are published rules we do not take, and why.
var leftOut = map[string]string{
	"generic-api-key":          "its value is looked at by hand in generic.go; names and stop words are taken",
	"private-key":              "pem.go finds blocks whole, also without an end or with escaped ends of lines",
	"curl-auth-header":         "reads on from every curl to the end of the line; address.go finds the header without it",
	"curl-auth-user":           "the same; command.go",
	"facebook-access-token":    "begins with digits, so nothing to find it by; facebook-secret stays",
	"sourcegraph-access-token": "takes any git commit id for a token where the name is mentioned; own.go",
	"azure-ad-client-secret":   "its keyword is in the middle; own.go",
	"hashicorp-tf-api-token":   "its keyword is in the middle; own.go",
	"maxmind-license-key":      "its keyword is at the end; own.go",
}

type tomlAllow struct {
	Regexes, StopWords, Paths []string
	RegexTarget, Condition    string
}

type tomlRule struct {
	ID, Regex, Path string
	Entropy         float64
	SecretGroup     int
	Allowlists      []tomlAllow
}

type tomlRules struct {
	Allowlist tomlAllow
	Rules     []tomlRule
}

const head = `# The rules of gitleaks 8.30.1, config/gitleaks.toml, made into lines of columns by published_test.go.
#
#   rule   name, flags, entropy, longest match (0: no limit), anchors, pattern, what is allowed after all...
#          flags: a  a value is assigned to the anchor; the pattern is the value's
#                 i  anchors in any case
#                 b  no letter, digit or underscore before the anchor
#          § in a pattern is what may follow a secret
#   allow  what is no secret whatever the rule
#   not    names and values the generic rule leaves alone
#   stop   what the value of the generic rule never holds
#
# The licence of the rules:
#
`

// derive makes the lines of gitleaks.txt.
func derive(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/gitleaks.toml")
	if err != nil {
		t.Fatal(err)
	}
	licence, err := os.ReadFile("testdata/gitleaks.LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	var in tomlRules
	if _, err := toml.Decode(string(data), &in); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(head)
	for line := range strings.Lines(string(licence)) {
		b.WriteString(strings.TrimRight("# "+line, " \n") + "\n")
	}
	fmt.Fprintf(&b, "allow\t%s\n", strings.Join(in.Allowlist.Regexes, "\t"))
	for _, r := range in.Rules {
		if r.ID == "generic-api-key" {
			writeGeneric(&b, r)
		}
		if _, out := leftOut[r.ID]; out || r.Path != "" {
			continue // we have no paths
		}
		for _, line := range deriveRule(t, r) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func writeGeneric(b *strings.Builder, r tomlRule) {
	for _, a := range r.Allowlists {
		if a.RegexTarget == "match" {
			fmt.Fprintf(b, "not\t%s\n", alternatives(a.Regexes))
			slices.Sort(a.StopWords)
			fmt.Fprintf(b, "stop\t%s\n", strings.Join(slices.Compact(a.StopWords), "\t"))
		}
	}
}

func alternatives(patterns []string) string {
	return `(?:` + strings.Join(patterns, `)|(?:`) + `)`
}

// The pieces that published patterns of assignments are made of.
const (
	prefixFold = `(?i)[\w.-]{0,50}?(?:`
	prefixCase = `[\w.-]{0,50}?(?i:[\w.-]{0,50}?(?:`
	gap        = `)(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	operator   = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	terminator = `(?:[\x60'"\s;]|\\[nr]|$)`
)

var groupNames = regexp.MustCompile(`\(\?P<\w+>`)

// deriveRule makes the line of a rule, or two of one that also knows a token by its looks.
func deriveRule(t *testing.T, r tomlRule) []string {
	t.Helper()
	r.Regex = groupNames.ReplaceAllString(r.Regex, `(?:`) // what is named there is not the secret
	names, value, fold := "", "", true
	if rest, ok := strings.CutPrefix(r.Regex, prefixFold); ok {
		names, value, ok = strings.Cut(rest, gap+operator)
		if !ok {
			t.Fatalf("%s: an assignment without an operator", r.ID)
		}
	} else if rest, ok := strings.CutPrefix(r.Regex, prefixCase); ok {
		fold = false
		names, value, _ = strings.Cut(rest, gap+`)`+operator)
	} else {
		return []string{line(t, r, "", r.Regex, r.Regex, false)}
	}
	var more []string
	if v, token, ok := strings.Cut(value, terminator+`|\b`); ok { // atlassian
		value = v + terminator
		more = []string{line(t, r, "", `\b`+token, `\b`+token, false)}
	}
	if fold {
		value = `(?i)` + value
	}
	return append([]string{line(t, r, "a", names, value, true)}, more...)
}

func line(t *testing.T, r tomlRule, flags, anchored, pattern string, fold bool) string {
	t.Helper()
	p := prefixesOf(t, anchored, fold)
	if p.fold {
		flags += "i"
	}
	if p.border {
		flags += "b"
	}
	cols := []string{"rule", r.ID, flags, fmt.Sprint(r.Entropy), fmt.Sprint(longestOf(t, pattern)),
		strings.Join(p.texts, " "), strings.ReplaceAll(pattern, terminator, endMark)}
	for _, a := range r.Allowlists {
		cols = append(cols, a.Regexes...)
	}
	for _, c := range cols[1:] {
		if strings.ContainsAny(c, "\t\n") {
			t.Fatalf("%s: a tab or an end of line in %q", r.ID, c)
		}
	}
	for _, text := range p.texts {
		if len(text) < 2 || strings.Contains(text, " ") {
			t.Fatalf("%s: nothing to find it by: %q", r.ID, p.texts)
		}
	}
	return strings.Join(cols, "\t")
}

func TestPublishedRulesAreThoseOfTheFile(t *testing.T) {
	want := derive(t)
	if *update {
		if err := os.WriteFile("gitleaks.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if published != want {
		t.Error("gitleaks.txt is not what testdata/gitleaks.toml gives; go test -run Published -update makes it anew")
	}
}

func TestEveryRuleCompilesAndIsNamed(t *testing.T) {
	set := theRules()
	if got := len(set.list); got < 200 {
		t.Errorf("%d rules, want at least 200", got)
	}
	for _, r := range set.list {
		if r.look == nil {
			r.once.Do(r.compile)
		}
		if len(r.id) > maxRuleName || strings.Trim(r.id, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%q is no name for a rule", r.id)
		}
		for _, a := range r.anchors {
			if len(a) < 2 || r.fold && a != strings.ToLower(a) {
				t.Errorf("%s: %q is no anchor", r.id, a)
			}
		}
	}
	set.globally()
	set.unassigned()
	if got := slices.MaxFunc(set.stop().sorted, func(a, b string) int { return len(a) - len(b) }); len(got) > stopLong {
		t.Errorf("the stop word %q is longer than stopLong", got)
	}
}
