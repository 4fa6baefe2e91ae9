package secrets

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// hostileTime is what hostileBytes may take on a slow and busy machine, with the race detector. What reads the
// same bytes again and again takes minutes.
const (
	hostileBytes = 8 << 10
	hostileTime  = 3 * time.Second
)

// repeated are texts of hostileBytes that make an anchor, or what looks like a secret, stand everywhere.
func repeated(r *rand.Rand) []string {
	var units []string
	for i, rule := range theRules().list {
		for _, a := range rule.anchors {
			seps := []string{"", "=", "-", "/", "=x7Q", "=a1B2c3D4e5F6g7H8i9J0", " "}
			if os.Getenv("STEMMA_LONG") == "" {
				seps = []string{seps[i%len(seps)]}
			}
			for _, sep := range seps {
				units = append(units, a+sep)
			}
		}
	}
	units = append(units, "ABSK/", "glpat-", "pwd,", "kraken=x7Q", "-----BEGIN PRIVATE KEY-----\n",
		"-----BEGIN PRIVATE KEY-----\nAAAA",
		"://a:b", "machine a login b password ", "curl -u ", "[REDACTED:", "[REDACTED:jwt]", "eyAAAAAAAAAAAAAAAAAA.",
		"ey/", "Bearer ", "\\n", "=", "a")
	for i, u := range units {
		units[i] = strings.Repeat(u, hostileBytes/len(u)+1)
	}
	var b strings.Builder // secrets beside secrets, each the end of the one before
	for b.Len() < hostileBytes {
		b.WriteString("AKIA" + some(r, base32s, 16) + "shpat_" + some(r, hexa, 32))
	}
	return append(units, b.String(), some(r, base64s, hostileBytes), some(r, "key=token:'\"", hostileBytes))
}

// Patience must not be lost over text that no one made to wear it out.
func TestOrdinaryTextIsReadInFull(t *testing.T) {
	var b strings.Builder
	for _, s := range corpus(5, append(fortyKinds[:40:40], moreKinds...), 2000) {
		b.WriteString(s.text + "\n")
	}
	for _, text := range []string{b.String(), mebibyte()} {
		s := scanner{text: []byte(text), rules: theRules()}
		s.all()
		if got, want := s.spent, len(text); got > want {
			t.Errorf("%d bytes of %d are read in vain, want at most %d", got, len(text), want)
		}
	}
}

// reported are the rules of what is found in a text, and the text without it.
func reported(text string) string {
	got, found := Redact(text)
	var rules []string
	for _, f := range found {
		rules = append(rules, f.Rule)
	}
	return fmt.Sprintf("%s %v", got, rules)
}

func TestWhatIsTaken(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	pat, pem, word := "ghp_"+some(r, base62, 36), block(r, "OPENSSH PRIVATE KEY", 3), "Otter"+"451!"
	key, aws, long := some(r, base62, 32), "AKIA"+some(r, base32s, 16), "ops_eyJ"+some(r, base62, unlimited+500)
	unended, _, _ := strings.Cut(pem, "\n-----END")
	tests := []struct{ text, want string }{
		{"use " + pat + ".", "use [REDACTED:github-pat]. [github-pat]"},
		{"GITHUB_TOKEN=" + pat, "GITHUB_TOKEN=[REDACTED:github-pat] [github-pat]"},
		{`{"a":"\n` + pat + `\n"}`, `{"a":"\n[REDACTED:github-pat]\n"} [github-pat]`},
		{"x\n" + pem + "\ny", "x\n[REDACTED:private-key]\ny [private-key]"},
		{"x\n" + unended + "\nand so on", "x\n[REDACTED:private-key]\nand so on [private-key]"},
		{
			"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
			"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY----- []",
		},
		{"password: " + word, "password: [REDACTED:password-assignment] [password-assignment]"},
		{`{"password":"` + word + `"}`, `{"password":"[REDACTED:password-assignment]"} [password-assignment]`},
		{"login --password " + word + " now", "login --password [REDACTED:password-assignment] now [password-assignment]"},
		{
			"Server=db;Password=" + word + ";Database=main",
			"Server=db;Password=[REDACTED:password-assignment];Database=main [password-assignment]",
		},
		{"redis://:" + word + "@cache:6379/0", "redis://:[REDACTED:url-password]@cache:6379/0 [url-password]"},
		{"postgres://a:b#" + word + "@db/x", "postgres://a:[REDACTED:url-password]@db/x [url-password]"},
		{"sshpass -p '" + word + "' ssh host", "sshpass -p '[REDACTED:command-password]' ssh host [command-password]"},
		{"ssh -p 2222 host", "ssh -p 2222 host []"},
		{"[REDACTED:github-pat] stays", "[REDACTED:github-pat] stays []"},
		{"[REDACTED:" + pat + "]", "[REDACTED:[REDACTED:github-pat]] [github-pat]"},
		{pat + "\n" + pat, "[REDACTED:github-pat]\n[REDACTED:github-pat] [github-pat github-pat]"},
		{"password: Ab1![REDACTED:github-pat]", "password: Ab1![REDACTED:github-pat] []"},
		{
			`{"name":"service API key","service_api_key":"` + key + `"}`,
			`{"name":"service API key","service_api_key":"[REDACTED:generic-api-key]"} [generic-api-key]`,
		},
		{`"out":"x\n` + aws + `\ny"`, `"out":"x\n[REDACTED:aws-access-token]\ny" [aws-access-token]`},
		{"op " + long + " end", "op [REDACTED:1password-service-account-token] end [1password-service-account-token]"},
		{"api_key = build-cache-v2-linux-x64", "api_key = build-cache-v2-linux-x64 []"},
		{"login(password, Abc12x9)", "login(password, Abc12x9) []"},
		{"password=" + pat + "+Zz!9", "password=[REDACTED:github-pat] [github-pat]"},
		{
			"ghp_" + some(r, letters, 26) + "1234567890:AA" + some(r, urlsafe, 33) + " end",
			"[REDACTED:telegram-bot-token] end [telegram-bot-token]",
		},
		{
			`"machine a.example\nlogin deploy\npassword swordfish"`,
			`"machine a.example\nlogin deploy\npassword [REDACTED:netrc-password]" [netrc-password]`,
		},
		{"", " []"},
	}
	for _, tt := range tests {
		if got := reported(tt.text); got != tt.want {
			t.Errorf("Redact(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}
