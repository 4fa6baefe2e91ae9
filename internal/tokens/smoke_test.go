package tokens
import "testing"
func TestSmoke(t *testing.T){ for _,s:=range []string{"", "hello world", "don't stop 'S","日本語","  \n  "} { t.Log(s, Of(s)) } }
