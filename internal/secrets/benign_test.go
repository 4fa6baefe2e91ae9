package secrets

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// harmless are forms of lines without a secret. %H is a SHA-256, %C a commit, %U a UUID, %K a did:key, %B
// base64 of a picture, %N a nonce, %S a signature in base64, %I a digit.
var harmless = []string{
	"commit %C", "Merge commit '%C' into main", "%C refs/heads/feature-%I", "pick %c fix the reader of tokens",
	"belief:%H", "see raw:%H and episode:%H", "rests on note:%h, which came from raw:%h", "from: belief:%H",
	"%H  stemma-linux-amd64.tar.gz", "sha256:%H", "digest: sha256:%H", "image: registry.example.com/app@sha256:%H",
	"id %U was not found", `{"request_id":"%U","status":200}`, "idempotency_key: %U", "session %U ended", "trace-id=%U",
	"author did:key:%K", `{"author":"did:key:%K","kind":"note"}`, "key did:key:%K is delegated by did:key:%K",
	"public key: did:key:%K",
	`{"payloadType":"application/vnd.stemma.note.v1+json","payload":"%P","signatures":[{"keyid":"did:key:%K",` +
		`"sig":"%S"}]}`,
	`"nonce":"%N"`, "nonce=%N", `"keyid":"did:key:%K","sig":"%S"`, "leaf %H of the log of did:key:%K",
	"data:image/png;base64,%B", "%B", `<img src="data:image/jpeg;base64,%B" alt="a key">`,
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI%E alice@laptop", "key fingerprint is SHA256:%F",
	"ED25519 key fingerprint: SHA256:%F",
	"-----BEGIN PUBLIC KEY-----", "github.com/spf13/cobra v1.10.2 h1:%F=", "integrity sha512-%S",
	"the password must have at least 12 characters", "password: string", "password: required", "PASSWORD=", "API_KEY=",
	"export API_KEY=${API_KEY}", "token: ${{ secrets.GITHUB_TOKEN }}", "password = os.Getenv(\"DB_PASSWORD\")",
	"api_key = config.get('api_key')", "const token = await getToken(user.id, 3600)",
	"if password != confirm { return errMismatch }",
	"postgres://user:password@localhost/db", "https://user:${PASS}@example.net/x", "git@github.com:alice/repo.git",
	"https://example.net:8443/path?next=a@b.example",
	"mysql -u root -p", "curl -u user:password https://example.net", "ssh -p 2222 host", "docker run -p 8080:80 web",
	"sk-learn and sk-image are not keys",
	"task-management for they who key in risk assessments", "the key is under the mat", "key: value",
	"primary_key: account_id_%I", "tokens=%I%I%I",
	"access: 2026-11-2%IT10:00:00Z", "max_tokens: 4096", "author=alice-%I", "keyboard-interactive,publickey,password",
	"Authorization: Bearer <token>", "basic authentication is off", "the machine needs a login and a password",
	"heroku, datadog and twilio were down for %I hours", "cache_key = f\"{user_id}:%c\"", "etag: \"%H\"",
	"X-Request-Id: %U", "AKIA is how such ids begin",
	"func (k *Key) Sign(message []byte) ([]byte, error) {", "token := strings.TrimPrefix(header, \"Bearer \")",
	"[REDACTED:github-pat]",
}

func filled(r *rand.Rand, form string) string {
	picture := make([]byte, 120+r.IntN(300))
	for i := range picture {
		picture[i] = byte(r.Uint32())
	}
	signature := make([]byte, 64)
	for i := range signature {
		signature[i] = byte(r.Uint32())
	}
	payload := `{"about":["harbour"],"at":"2026-11-21T10:00:00.000Z","author":"did:key:z6Mk` + some(r, base58, 44) +
		`","body":{"text":"` + some(r, letters, 60) + `"}}`
	enc := base64.StdEncoding
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '%' || i+1 == len(form) {
			b.WriteByte(form[i])
			continue
		}
		i++
		switch form[i] {
		case 'H':
			b.WriteString(some(r, hexa, 64))
		case 'h':
			b.WriteString(some(r, hexa, 8))
		case 'C':
			b.WriteString(some(r, hexa, 40))
		case 'c':
			b.WriteString(some(r, hexa, 7))
		case 'U':
			b.WriteString(uuidOf(r))
		case 'K':
			b.WriteString("z6Mk" + some(r, base58, 44))
		case 'B':
			b.WriteString("iVBORw0KGgo" + enc.EncodeToString(picture))
		case 'S':
			b.WriteString(enc.EncodeToString(signature))
		case 'P':
			b.WriteString(enc.EncodeToString([]byte(payload)))
		case 'N':
			b.WriteString(base64.RawURLEncoding.EncodeToString(signature[:16]))
		case 'F':
			b.WriteString(some(r, base64s, 43))
		case 'E':
			b.WriteString(some(r, base64s, 43))
		case 'I':
			b.WriteString(fmt.Sprint(r.IntN(10)))
		}
	}
	return b.String()
}

// projectLines are lines of this project: its code, its documents.
func projectLines(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, glob := range []string{
		"../../*.go", "../../memory/*.go", "../keys/*.go", "../cli/*.go", "../../docs/*.md", "../../docs/*/*.md",
		"../../*.md",
	} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", glob, len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				if len(strings.TrimSpace(line)) > 10 {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

func TestHarmlessLinesStay(t *testing.T) {
	const lines, atMost = 2000, 0.02
	r := rand.New(rand.NewPCG(2, 2))
	var all []string
	for i := range lines / 2 {
		all = append(all, filled(r, harmless[i%len(harmless)]))
	}
	ours := projectLines(t)
	r.Shuffle(len(ours), func(i, j int) { ours[i], ours[j] = ours[j], ours[i] })
	all = append(all, ours[:lines/2]...)
	taken := 0
	for _, line := range all {
		if got := Find(line); len(got) > 0 {
			taken++
			t.Logf("%s in %q", got[0].Rule, line)
		}
	}
	if got := float64(taken) / float64(len(all)); got > atMost {
		t.Errorf("%.4f of harmless lines are taken for secrets, want at most %v", got, atMost)
	}
	t.Logf("%.2f %% of %d harmless lines are taken for secrets", 100*float64(taken)/float64(len(all)), len(all))
}

func TestOurOwnIdentifiersStay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	ours := slices.DeleteFunc(slices.Clone(harmless), func(form string) bool {
		return !strings.ContainsAny(form, "%") || !strings.Contains(form, "did:key") && !strings.Contains(form, ":%H") &&
			!strings.Contains(form, "nonce")
	})
	for i := range 50 * len(ours) {
		line := filled(r, ours[i%len(ours)])
		if got := Find(line); len(got) > 0 {
			t.Errorf("%s in %q", got[0].Rule, line)
		}
	}
}
