package engine_test

import (
	"encoding/base64"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Alphabets of the secrets that the tests make. None is written down, so that no
// scanner of this repository finds one.
const (
	hexDigits = "0123456789abcdef"
	alnum     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	digits    = "123456789"
)

func drawn(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// A canary is a secret, and a text in which it stands.
type canary struct{ kind, secret, text string }

// canaries returns one secret of each of forty kinds, other ones for each seed.
func canaries(seed uint64) []canary {
	r := rand.New(rand.NewPCG(seed, 40))
	var out []canary
	add := func(kind, text, secret string) {
		out = append(out, canary{kind: kind, secret: secret, text: strings.Replace(text, "%S", secret, 1)})
	}
	for _, k := range []struct {
		kind, prefix, alphabet string
		n                      int
	}{
		{"aws access key", "AKIA", capitals, 16}, {"github", "ghp_", alnum, 36}, {"github oauth", "gho_", alnum, 36},
		{"github app", "ghs_", alnum, 36}, {"gitlab", "glpat-", alnum, 20}, {"stripe", "sk_live_", alnum, 24},
		{"npm", "npm_", alnum, 36}, {"pypi", "pypi-AgEIcHlwaS5vcmc", alnum, 140}, {"hugging face", "hf_", alnum[:52], 34},
		{
			"digitalocean", "dop_v1_", hexDigits, 64,
		}, {"databricks", "dapi", hexDigits, 32}, {"shopify", "shpat_", hexDigits, 32},
		{"square", "sq0atp-", alnum, 22}, {"linear", "lin_api_", alnum, 40}, {"doppler", "dp.pt.", alnum, 43},
		{"vault", "hvs.", alnum, 95}, {"sentry", "sntryu_", hexDigits, 64}, {"alibaba", "LTAI", alnum, 20},
		{"new relic", "NRAK-", capitals, 27},
	} {
		add(k.kind, "the key is %S now", k.prefix+drawn(r, k.alphabet, k.n))
	}
	add("github pat", "try %S instead", "github_pat_"+drawn(r, alnum, 22)+"_"+drawn(r, alnum, 59))
	add("slack", "the bot says %S", "xoxb-"+drawn(r, digits, 12)+"-"+drawn(r, digits, 12)+"-"+drawn(r, alnum, 24))
	add(
		"slack webhook", "post to %S",
		"https://hooks.slack.com/services/T"+drawn(r, capitals, 9)+"/B"+drawn(r, capitals, 10)+"/"+drawn(r, alnum, 24),
	)
	add("sendgrid", "mail with %S", "SG."+drawn(r, alnum, 22)+"."+drawn(r, alnum, 43))
	add("openai", "ask with %S", "sk-proj-"+drawn(r, alnum, 74)+"T3BlbkFJ"+drawn(r, alnum, 74))
	add("anthropic", "ask with %S", "sk-ant-api03-"+drawn(r, alnum, 93)+"AA")
	add("telegram", "BOT_TOKEN=%S", drawn(r, digits, 10)+":AA"+drawn(r, alnum, 33))
	add("notion", "NOTION_KEY=%S", "ntn_"+drawn(r, digits, 11)+drawn(r, alnum, 35))
	add("postman", "POSTMAN_KEY=%S", "PMAK-"+drawn(r, hexDigits, 24)+"-"+drawn(r, hexDigits, 34))
	add("terraform", "TF_TOKEN=%S", drawn(r, alnum, 14)+".atlasv1."+drawn(r, alnum, 67))
	add("aws secret", "AWS_SECRET_ACCESS_KEY=%S", drawn(r, alnum, 40))
	add("twilio", "TWILIO_AUTH_TOKEN=%S", drawn(r, hexDigits, 32))
	add("cloudflare", "CLOUDFLARE_API_TOKEN: %S", drawn(r, alnum, 40))
	add("azure", "AZURE_STORAGE_KEY=%S", drawn(r, alnum, 86)+"==")
	add("jwt", "the session is %S", base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))+"."+
		base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+drawn(r, digits, 8)+`"}`))+"."+drawn(r, alnum, 43))
	add("age", "the file opens with %S", "AGE-SECRET-KEY-1"+drawn(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	add("database", "postgres://app:%S@db.internal:5432/main", drawn(r, alnum, 14))
	add("password", "DB_PASSWORD=%S", "Kestrel"+drawn(r, digits, 3)+"Lantern!")
	add("bearer", "Authorization: Bearer %S", drawn(r, alnum, 40))
	add(
		"pem", "Here it is:\n%S\nkeep it",
		"-----BEGIN RSA PRIVATE KEY-----\n"+drawn(r, alnum, 64)+"\n"+drawn(r, alnum, 64)+"\n-----END RSA PRIVATE KEY-----",
	)
	add("recovery", "and the phrase is %S", "stemma-recovery-"+drawn(r, capitals, 52))
	return out
}

// pieces are those parts of a secret that would betray it: words of an index
// among them.
func (c canary) pieces() []string {
	const betrays = 12
	var out []string
	for _, p := range strings.FieldsFunc(
		strings.ToLower(c.secret), func(r rune) bool { return !strings.ContainsRune(strings.ToLower(alnum), r) },
	) {
		if len(p) >= betrays {
			out = append(out, p)
		}
	}
	return append(out, strings.ToLower(c.secret))
}

// everythingIn returns what stands in all files below a directory, in lower case.
func everythingIn(t testing.TB, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all.WriteString(strings.ToLower(string(raw)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
