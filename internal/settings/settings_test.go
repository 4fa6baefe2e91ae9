package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// env is an environment of just these variables.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// file writes a file and gives its path.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, project, user string, getenv func(string) string) *Settings {
	t.Helper()
	s, err := Load(project, user, getenv)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithoutAnythingAllIsDefault(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "config.toml")
	for _, path := range []string{"", missing} {
		s := load(t, path, path, env())
		for _, k := range Keys() {
			if got, from := s.Get(k.Key), s.Source(k.Key); got != k.Default || from != "default" {
				t.Errorf("%s = %q from %s, want %q from default", k.Key, got, from, k.Default)
			}
		}
		if len(s.Warnings) != 0 {
			t.Errorf("warnings %q, want none", s.Warnings)
		}
	}
}

func TestTheTableHoldsItself(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		if err := k.check(k.Default); err != nil {
			t.Errorf("%s: its default: %v", k.Key, err)
		}
		if k.Doc == "" || strings.Count(k.Key, ".") != 1 || !strings.HasPrefix(k.Env, "STEMMA_") || seen[k.Key] ||
			seen[k.Env] {
			t.Errorf("%+v is not whole or not the only one", k)
		}
		if (strings.HasPrefix(k.Key, "embedder.") || strings.HasPrefix(k.Key, "model.")) && k.ProjectMay ||
			(k.Key == "receipts.keep" || k.Key == "timestamp.roots") && k.ProjectMay {
			t.Errorf("a project may set %s", k.Key)
		}
		seen[k.Key], seen[k.Env] = true, true
	}
}

func TestTheNearerPlaceWins(t *testing.T) {
	user := file(t, "[pack]\nbudget = 100\n[receipts]\nkeep = 0\n[embedder]\ntimeout = '5s'\n")
	project := file(t, "[pack]\nbudget = 200\n")
	tests := []struct {
		project, user, env, flag string
		want, source             string
	}{
		{"", "", "", "", "", "default"},
		{"", user, "", "", "100", user},
		{project, user, "", "", "200", project},
		{project, user, "300", "", "300", "environment STEMMA_BUDGET"},
		{project, user, "300", "400", "400", "flag --budget"},
		{project, "", "", "400", "400", "flag --budget"},
	}
	for _, tt := range tests {
		s := load(t, tt.project, tt.user, env("STEMMA_BUDGET", tt.env))
		if tt.flag != "" {
			if err := s.Flag("pack.budget", tt.flag, "budget"); err != nil {
				t.Fatal(err)
			}
		}
		if got, source := s.Get("pack.budget"), s.Source("pack.budget"); got != tt.want || source != tt.source {
			t.Errorf("%+v: %q from %s", tt, got, source)
		}
	}
	s := load(t, project, user, env())
	if got := s.Get("receipts.keep"); got != "0" {
		t.Errorf("receipts.keep = %q, want 0: the project's file does not speak of it", got)
	}
	if got := s.Duration("embedder.timeout"); got != 5*time.Second {
		t.Errorf("embedder.timeout = %v, want 5s", got)
	}
	if got := s.Int("pack.budget"); got != 200 {
		t.Errorf("pack.budget = %d, want 200", got)
	}
	if got := load(t, "", "", env()).Int("pack.budget"); got != 0 {
		t.Errorf("pack.budget = %d where it is empty, want 0", got)
	}
}

// TestAProjectOnlyMakesItStricter than the person has it, not looser.
func TestAProjectOnlyMakesItStricter(t *testing.T) {
	set := func(v string) string {
		if v == "" {
			return ""
		}
		return file(t, "[capture]\nsecrets = '"+v+"'\n")
	}
	for _, tt := range []struct{ project, user, env, want string }{
		{"", "", "", "redact"}, {"block", "", "", "block"}, {"allow", "", "", "redact"}, {"redact", "allow", "", "redact"},
		{"allow", "allow", "", "allow"}, {"allow", "block", "", "block"}, {"redact", "block", "", "block"},
		{"block", "redact", "allow", "allow"}, {"allow", "", "block", "block"},
	} {
		s := load(t, set(tt.project), set(tt.user), env("STEMMA_SECRETS", tt.env))
		if got := s.Get("capture.secrets"); got != tt.want {
			t.Errorf("project %q, user %q, environment %q: %q, want %q", tt.project, tt.user, tt.env, got, tt.want)
		}
		looser := tt.project == "allow" && tt.user != "allow" || tt.project == "redact" && tt.user == "block"
		if got := len(s.Warnings) > 0; got != looser {
			t.Errorf("project %q, user %q: warnings %q", tt.project, tt.user, s.Warnings)
		}
	}
}

func TestValuesAreChecked(t *testing.T) {
	tests := map[string]struct{ good, bad []string }{
		"embedder.kind": {[]string{"none", "openai", "ollama", "static"}, []string{"", "OpenAI", "x"}},
		"embedder.url": {
			[]string{"", "http://localhost:11434", "https://h/v1"},
			[]string{
				"localhost:80", "ftp://h", "http://", "http://u:p@h", "http://h?k=p", "http://h/?", "http://h#",
				"http://h/\n", " http://h",
			},
		},
		"embedder.model": {
			[]string{"", "bge-m3:latest", `C:\models "x"`, "ü"},
			[]string{"a\nb", "\x1b[31m", "\x7f", "\xff", strings.Repeat("x", 5000)},
		},
		"embedder.key":        {[]string{"", "sk-1"}, []string{"s p", "s\n", "sü"}},
		"embedder.dimensions": {[]string{"0", "384", "65536"}, []string{"", "-1", "65537", "0384", "+1", "1.5", "x"}},
		"embedder.timeout":    {[]string{"3s", "500ms", "1m30s", "10m"}, []string{"", "3", "0s", "-1s", "11m", "x"}},
		"model.kind":          {[]string{"none", "openai", "ollama", "anthropic", "sim"}, []string{"", "OpenAI", "x"}},
		"model.url": {
			[]string{"", "http://localhost:11434", "https://h/v1"},
			[]string{"localhost:80", "ftp://h", "http://u:p@h", "http://h?k=p"},
		},
		"model.name":    {[]string{"", "qwen3:8b"}, []string{"a\nb", "\x1b[31m", "\xff"}},
		"model.key":     {[]string{"", "sk-1"}, []string{"s p", "s\n", "sü"}},
		"model.timeout": {[]string{"10s", "500ms"}, []string{"", "3", "0s", "11m"}},
		"model.tokens":  {[]string{"0", "1000000"}, []string{"", "-1", "1e6"}},
		"model.seed":    {[]string{"0", "7"}, []string{"", "-1", "x"}},
		"pack.budget":   {[]string{"", "100", "50000"}, []string{"99", "50001", "0", "1e3"}},
		"timestamp.roots": {
			[]string{"", "/etc/authorities.pem", `C:\roots.pem`},
			[]string{"a\nb", "\x1b[31m", "\xff", strings.Repeat("x", 5000)},
		},
		"capture.secrets": {[]string{"redact", "block", "allow"}, []string{"", "Redact", "none"}},
		"review.policy":   {[]string{"default", "strict", "project"}, []string{"", "Strict", "none"}},
		"spaces.read": {
			[]string{"team", "mine", "plans, did:key:z6Mk/team", "*"}, []string{"", "a b", ",", "a,,b", "\x1b", "ü"},
		},
		"sync.auto":    {[]string{"off", "load", "watch"}, []string{"", "on", "Load"}},
		"sync.every":   {[]string{"1s", "1m", "24h"}, []string{"", "1", "900ms", "25h", "x"}},
		"serve.addr":   {[]string{"127.0.0.1:7463", "[::1]:0"}, []string{"a\nb", "\x1b[31m"}},
		"serve.hosts":  {[]string{"", "memory.example, box.lan:9000"}, []string{"a\nb", "\xff"}},
		"serve.writes": {[]string{"0", "20", "1048576"}, []string{"", "-1", "1.5", "1048577"}},
		"telemetry.endpoint": {
			[]string{"", "http://localhost:4318", "https://collector.example/otlp"},
			[]string{"localhost:4318", "http://u:p@h"},
		},
		"store.passphrase":  {[]string{"", "/media/key/stemma"}, []string{"a\nb"}},
		"capture.ignore":    {[]string{"", "secrets/**, *.pem"}, []string{"a\nb", strings.Repeat("a", 5000)}},
		"spaces.everywhere": {[]string{"person", "agents"}, []string{"", "all"}},
		"receipts.keep":     {[]string{"0", "65536", "1073741824"}, []string{"", "1", "65535", "1073741825", "8MiB"}},
	}
	for _, k := range Keys() {
		for _, v := range tests[k.Key].good {
			if err := k.check(v); err != nil {
				t.Errorf("%s = %q: %v", k.Key, v, err)
			}
		}
		for _, v := range tests[k.Key].bad {
			if err := k.check(v); err == nil {
				t.Errorf("%s = %q is taken", k.Key, v)
			}
		}
		if len(tests[k.Key].bad) == 0 {
			t.Errorf("%s is not tested", k.Key)
		}
	}
}

func TestAWrongValueIsAnErrorThatSaysWhere(t *testing.T) {
	path := file(t, "[embedder]\ntimeout = 'soon'\n")
	if _, err := Load("", path, env()); err == nil || !strings.Contains(err.Error(), path+": embedder.timeout: \"soon\"") {
		t.Errorf("in the user's file: %v", err)
	}
	project := file(t, "[pack]\nbudget = 7\n")
	if s := load(t, project, "", env()); len(s.Warnings) != 1 ||
		!strings.Contains(s.Warnings[0], project+": pack.budget: \"7\"") || s.Get("pack.budget") != "" {
		t.Errorf("in the project's file: %q, want a warning and no budget", s.Warnings)
	}
	if _, err := Load("", "", env("STEMMA_EMBEDDER", "magic")); err == nil ||
		!strings.Contains(err.Error(), "environment STEMMA_EMBEDDER: \"magic\"") {
		t.Errorf("in the environment: %v", err)
	}
	s := load(t, "", "", env())
	if err := s.Flag("pack.budget", "7", "budget"); err == nil || !strings.Contains(err.Error(), "--budget: \"7\"") ||
		s.Source("pack.budget") != "default" {
		t.Errorf("in a flag: %v", err)
	}
	for _, text := range []string{"true", "1.5", "[1]", "1979-05-27", "[{a=1}]"} {
		if _, err := Load("", file(t, "[pack]\nbudget = "+text+"\n"), env()); err == nil ||
			!strings.Contains(err.Error(), "want text in quotes or a whole number") {
			t.Errorf("budget = %s: %v", text, err)
		}
	}
}

const secret = "sk-verysecret"

func TestTheKeyIsOfTheEnvironmentOnly(t *testing.T) {
	s := load(t, "", "", env("STEMMA_EMBEDDER_KEY", secret))
	if got := s.Get("embedder.key"); got != secret {
		t.Errorf("embedder.key = %q, want it", got)
	}
	const advice = "set STEMMA_EMBEDDER_KEY instead: keys do not belong in files that are copied"
	text := "[embedder]\nkey = '" + secret + "'\n"
	path := file(t, text)
	_, err := Load("", path, env())
	setErr := Set(file(t, ""), "embedder.key", secret)
	flagErr := s.Flag("embedder.key", secret, "key")
	for name, err := range map[string]error{"user's file": err, "set": setErr} {
		if err == nil || !strings.Contains(err.Error(), advice) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want the advice and not the key", name, err)
		}
	}
	if flagErr == nil || strings.Contains(flagErr.Error(), secret) {
		t.Errorf("a flag for the key: %v", flagErr)
	}
	s = load(t, path, "", env())
	if got := strings.Join(s.Warnings, "\n"); s.Get("embedder.key") != "" || !strings.Contains(got, advice) ||
		!strings.Contains(got, path) || strings.Contains(got, secret) {
		t.Errorf("project's file: %q, warnings %q", s.Get("embedder.key"), got)
	}
	if err := Unset(path, "embedder.key"); err != nil {
		t.Errorf("it cannot be taken out of a file: %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "[embedder]\n" {
		t.Errorf("after Unset: %q, %v", got, err)
	}
}

func TestTheKeyIsNotShown(t *testing.T) {
	s := load(t, "", "", env("STEMMA_EMBEDDER_KEY", secret))
	shown := fmt.Sprint(s.All(), s) + fmt.Sprintf("%v %+v %#v %s %q", s, s, s, s, s)
	for _, e := range s.All() {
		if want := map[bool]string{true: "set", false: s.Get(e.Key)}[e.Key == "embedder.key"]; e.Value != want ||
			e.Source != s.Source(e.Key) || e.Doc == "" {
			t.Errorf("%+v, want the value %q", e, want)
		}
	}
	if strings.Contains(shown, secret) {
		t.Errorf("the key is in %s", shown)
	}
	for _, bad := range []string{secret + "\n", secret + " x"} {
		if _, err := Load("", "", env("STEMMA_EMBEDDER_KEY", bad)); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("Load = %v, want an error without the key", err)
		}
	}
	if _, err := Load("", "", env("STEMMA_EMBEDDER_URL", "http://u:"+secret+"@h")); err == nil ||
		strings.Contains(err.Error(), secret) {
		t.Errorf("Load = %v, want an error without the password", err)
	}
	for _, broken := range []string{"key = " + secret, "key = verysecret", "key = '" + secret,
		"key = \"" + secret + "\nx=1", "key = 0123456789123", "key = 99999999999999999999",
		"key = \"\\uverysecret\"", "api_key = verysecret", "'key' = '" + secret + "'\nkey = '" + secret + "'"} {
		_, err := Load("", file(t, "[embedder]\n"+broken+"\n"), env())
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "123456789") ||
			strings.Contains(err.Error(), "99999") {
			t.Errorf("%s: %v, want an error without the key", broken, err)
		}
	}
}
