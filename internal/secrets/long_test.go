package secrets

import (
	"strings"
	"testing"
	"time"
)

// longTime is what a mebibyte may take that is made to be read again and again, on a slow and busy machine. What
// takes time by the square of the text takes minutes.
const longTime = 12 * time.Second

func TestLongTextsTakeTimeInProportion(t *testing.T) {
	if testing.Short() {
		t.Skip("a mebibyte each")
	}
	for _, unit := range []string{
		"a", "\x1b", "\x1b[", "\x1b[31m", `\u001b[31m`, `\u001b`, `\`, "\u200b", "pass\u200bword", "：", "%3d", "%",
		"<private", "<private>", "</private", "<", "<\n", "<p\n", "<pri\u200b", "<private </private", "%3c", "&nbsp;",
		"<private>a</private>", "<private a", "\n", `\n`,
		"ATATT3", "ATATT3x-", "LS0tLS1CRUdJTi", "LS0tLS1CRUdJTi\n", "LS0tLS1CRUdJTi ", "MI", "MII\n",
		"MIIEpAIBAAKCAQEA ",

		"private-lines: 256\nAAAA\n", "private-lines:9\n", ":1", "a:5432:b:c:", "h:*:*:", "a:$2y$", "convertto-securestring ",
		"convertto-securestring -asplaintext ", `"a" | convertto-securestring `, "sqlplus a/", "sqlplus -",
		`auth=("a", "`, `auth=("a","b",`, "net use /user:a ", `user = "`, "\npassword a", "user a\npassword ",
		"password: |\n  a\n",
		"key: >\n ", "key: |", `"name":"key","value":`, "name=key value=", "密码", "密码：", "setx key ", `password="\"`,
		"set -x token ",
	} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		begin := time.Now()
		Redact(Private(text))
		if took := time.Since(begin); took > longTime {
			t.Errorf("%q again and again: %v", unit, took)
		} else if took > time.Second/2 {
			t.Logf("%q again and again: %v", unit, took)
		}
	}
}
