package secrets

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Alphabets of the secrets that the tests make. None is written down, so that no scanner of this
// repository finds one.
const (
	hexa    = "0123456789abcdef"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	base36  = "abcdefghijklmnopqrstuvwxyz0123456789"
	base62  = letters + "0123456789"
	base64s = base62 + "+/"
	urlsafe = base62 + "-_"
	base32s = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	bech32  = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
)

func some(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func uuidOf(r *rand.Rand) string {
	h := some(r, hexa, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func block(r *rand.Rand, name string, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + name + "-----\n")
	for range lines {
		b.WriteString(some(r, base64s, 64) + "\n")
	}
	return b.String() + some(r, base64s, 30) + "==\n-----END " + name + "-----"
}

func jwtOf(r *rand.Rand) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		enc.EncodeToString(fmt.Appendf(nil, `{"sub":"%d","iat":%d}`, r.IntN(1e9), r.IntN(1e9))) + "." + some(r, urlsafe, 43)
}

// human is a password as people choose them: words, digits, a sign.
func human(r *rand.Rand) string {
	words := []string{"Winter", "correct", "Marsh", "kestrel", "Lantern", "otter"}
	return words[r.IntN(len(words))] + words[r.IntN(len(words))] + fmt.Sprint(r.IntN(900)+100) + some(r, "!#*+", 1)
}

// A kind is one kind of secret of the corpus.
type kind struct {
	name   string // whose it is, in prose
	env    string // the name of its variable
	make   func(r *rand.Rand) string
	plain  bool                     // known by its looks, so prose need not say what it is
	whole  bool                     // a text of its own: a block, an address, a file
	secret func(text string) string // the secret within what make gives, if that is more
}

func shape(prefix, alphabet string, n int) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return prefix + some(r, alphabet, n) }
}

func after(sep string) func(string) string {
	return func(text string) string { return text[strings.LastIndex(text, sep)+len(sep):] }
}

func inURL(text string) string {
	authority, _, _ := strings.Cut(text[strings.Index(text, "://")+3:], "@")
	return authority[strings.IndexByte(authority, ':')+1:]
}

// fortyKinds are those of the promise.
var fortyKinds = []kind{
	{name: "AWS", env: "AWS_ACCESS_KEY_ID", make: shape("AKIA", base32s, 16), plain: true},
	{name: "AWS secret access key", env: "AWS_SECRET_ACCESS_KEY", make: shape("", base64s, 40)},
	{name: "GCP service account", env: "private_key", whole: true, make: func(r *rand.Rand) string {
		return strings.ReplaceAll(block(r, "PRIVATE KEY", 20), "\n", `\n`)
	}},
	{name: "GitHub", env: "GITHUB_TOKEN", make: shape("ghp_", base62, 36), plain: true},
	{name: "GitHub", env: "GH_PAT", plain: true, make: func(r *rand.Rand) string {
		return "github_pat_" + some(r, base62, 22) + "_" + some(r, base62, 59)
	}},
	{name: "GitHub OAuth", env: "GH_OAUTH", make: shape("gho_", base62, 36), plain: true},
	{name: "GitLab", env: "GITLAB_TOKEN", make: shape("glpat-", urlsafe, 20), plain: true},
	{name: "Slack", env: "SLACK_BOT_TOKEN", plain: true, make: func(r *rand.Rand) string {
		return "xoxb-" + some(r, "123456789", 12) + "-" + some(r, "123456789", 12) + "-" + some(r, base62, 24)
	}},
	{name: "Slack webhook", env: "SLACK_WEBHOOK", plain: true, make: func(r *rand.Rand) string {
		return "https://hooks.slack.com/services/T" + some(r, capital, 9) + "/B" + some(r, capital, 10) + "/" +
			some(r, base62, 24)
	}},
	{name: "Stripe", env: "STRIPE_KEY", make: shape("sk_live_", base62, 24), plain: true},
	{name: "Twilio auth token", env: "TWILIO_AUTH_TOKEN", make: shape("", hexa, 32)},
	{name: "SendGrid", env: "SENDGRID_KEY", plain: true, make: func(r *rand.Rand) string {
		return "SG." + some(r, urlsafe, 22) + "." + some(r, urlsafe, 43)
	}},
	{name: "OpenAI", env: "OPENAI_API_KEY", plain: true, make: func(r *rand.Rand) string {
		return "sk-proj-" + some(r, urlsafe, 74) + "T3BlbkFJ" + some(r, urlsafe, 74)
	}},
	{name: "Anthropic", env: "ANTHROPIC_API_KEY", make: func(r *rand.Rand) string {
		return "sk-ant-api03-" + some(r, urlsafe, 93) + "AA"
	}, plain: true},
	{name: "npm", env: "NPM_TOKEN", make: shape("npm_", base62, 36), plain: true},
	{name: "PyPI", env: "TWINE_TOKEN", make: shape("pypi-AgEIcHlwaS5vcmc", urlsafe, 140), plain: true},
	{name: "Hugging Face", env: "HF_TOKEN", make: shape("hf_", letters, 34), plain: true},
	{name: "DigitalOcean", env: "DO_TOKEN", make: shape("dop_v1_", hexa, 64), plain: true},
	{name: "Cloudflare API token", env: "CLOUDFLARE_API_TOKEN", make: shape("", urlsafe, 40)},
	{name: "Azure storage key", env: "AZURE_STORAGE_KEY", make: func(r *rand.Rand) string {
		return some(r, base64s, 86) + "=="
	}},
	{name: "Databricks", env: "DATABRICKS_TOKEN", make: shape("dapi", hexa, 32), plain: true},
	{name: "Discord", env: "DISCORD_TOKEN", plain: true, make: func(r *rand.Rand) string {
		id := base64.RawURLEncoding.EncodeToString([]byte(some(r, "123456789", 18)))
		return id + "." + some(r, urlsafe, 6) + "." + some(r, urlsafe, 38)
	}},
	{name: "Telegram", env: "BOT_TOKEN", plain: true, make: func(r *rand.Rand) string {
		return some(r, "123456789", 10) + ":AA" + some(r, urlsafe, 33)
	}},
	{name: "Shopify", env: "SHOPIFY_TOKEN", make: shape("shpat_", hexa, 32), plain: true},
	{name: "Square", env: "SQUARE_TOKEN", make: shape("sq0atp-", urlsafe, 22), plain: true},
	{name: "Mailgun key", env: "MAILGUN_KEY", make: shape("key-", hexa, 32)},
	{name: "Heroku API key", env: "HEROKU_API_KEY", make: uuidOf},
	{name: "Linear", env: "LINEAR_KEY", make: shape("lin_api_", base62, 40), plain: true},
	{name: "Notion", env: "NOTION_KEY", plain: true, make: func(r *rand.Rand) string {
		return "ntn_" + some(r, "0123456789", 11) + some(r, base62, 35)
	}},
	{name: "Postman", env: "POSTMAN_KEY", plain: true, make: func(r *rand.Rand) string {
		return "PMAK-" + some(r, hexa, 24) + "-" + some(r, hexa, 34)
	}},
	{name: "Doppler", env: "DOPPLER_TOKEN", make: shape("dp.pt.", base62, 43), plain: true},
	{name: "Vault", env: "VAULT_TOKEN", make: shape("hvs.", urlsafe, 95), plain: true},
	{name: "Terraform", env: "TF_TOKEN", plain: true, make: func(r *rand.Rand) string {
		return some(r, base62, 14) + ".atlasv1." + some(r, base62, 67)
	}},
	{name: "Okta token", env: "OKTA_TOKEN", make: shape("00", urlsafe, 40)},
	{name: "session", env: "SESSION_JWT", make: jwtOf, plain: true},
	{name: "RSA", whole: true, make: func(r *rand.Rand) string { return block(r, "RSA PRIVATE KEY", 24) }},
	{name: "age", env: "AGE_KEY", make: shape("AGE-SECRET-KEY-1", bech32, 58), plain: true},
	{name: "database", env: "DATABASE_URL", plain: true, secret: inURL, make: func(r *rand.Rand) string {
		return "postgres://app:" + some(r, base62, 14) + "@db.internal:5432/main"
	}},
	{name: "database password", env: "DB_PASSWORD", make: human},
	{name: "recovery", env: "RECOVERY", make: shape("stemma-recovery-", base32s, 52), plain: true},
}

// moreKinds are those beyond the forty.
var moreKinds = []kind{
	{name: "basic auth", env: "ENDPOINT", plain: true, secret: inURL, make: func(r *rand.Rand) string {
		return "https://deploy:" + human(r) + "@ci.example.net"
	}},
	{name: "service API key", env: "SERVICE_API_KEY", make: shape("", base62, 32)},
	{name: "netrc", whole: true, secret: after("password "), make: func(r *rand.Rand) string {
		return "machine api.example.net\n  login deploy\n  password " + some(r, base62, 12)
	}},
	{name: "Sentry", env: "SENTRY_TOKEN", make: shape("sntryu_", hexa, 64), plain: true},
	{name: "New Relic", env: "NR_KEY", make: shape("NRAK-", capital, 27), plain: true},
	{name: "Datadog API key", env: "DATADOG_API_KEY", make: shape("", hexa, 32)},
	{name: "1Password", env: "OP_SECRET", plain: true, make: func(r *rand.Rand) string {
		g := func(n int) string { return some(r, capital, n) }
		return "A3-" + g(6) + "-" + g(6) + "-" + g(5) + "-" + g(5) + "-" + g(5) + "-" + g(5)
	}},
	{name: "Alibaba", env: "ALIBABA_KEY", make: shape("LTAI", base62, 20), plain: true},
	{name: "EC", whole: true, make: func(r *rand.Rand) string { return block(r, "EC PRIVATE KEY", 3) }},
	{name: "OpenSSH", whole: true, make: func(r *rand.Rand) string { return block(r, "OPENSSH PRIVATE KEY", 6) }},
	{name: "PGP", whole: true, make: func(r *rand.Rand) string {
		return strings.Replace(block(r, "PGP PRIVATE KEY BLOCK", 30), "-----\n", "-----\nVersion: GnuPG v2\n\n", 1)
	}},
	{name: "curl", whole: true, secret: after(":"), make: func(r *rand.Rand) string {
		return "curl -s https://api.example.net/v1/jobs -u deploy:" + some(r, base62, 14)
	}},
	{name: "mysql", whole: true, secret: after("-p"), make: func(r *rand.Rand) string {
		return "mysql -h db.internal -u app -p" + some(r, base62, 12)
	}},
	{name: "bearer", whole: true, secret: after("Bearer "), make: func(r *rand.Rand) string {
		return "Authorization: Bearer " + some(r, urlsafe, 40)
	}},
}
