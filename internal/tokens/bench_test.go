package tokens

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Texts of the kinds that are counted.
func texts(b *testing.B) map[string]string {
	r := rand.New(rand.NewPCG(1, 1))
	octets := make([]byte, 30_000)
	for i := range octets {
		octets[i] = byte(r.Uint32())
	}
	letters := make([]byte, 1<<20)
	for i := range letters {
		letters[i] = 'a' + byte(r.IntN(26))
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return string(text)
	}
	return map[string]string{
		"prose": read("../../README.md"), "code": read("merge.go") + read("cut.go") + read("tokens_test.go"),
		"chinese": strings.Repeat("数据库迁移之前必须先备份,并且在测试环境中完整地运行一遍。如果迁移失败,请立即回滚,不要在生产环境中手动修改数据。", 200),
		"hangul":  strings.Repeat("데이터베이스를 이전하기 전에 반드시 백업하고 테스트 환경에서 한 번 끝까지 실행해야 합니다. ", 200),
		"base64":  base64.StdEncoding.EncodeToString(octets), "one word of 1 MB": string(letters),
		"one short line": "Orders are kept in one schema for all shops, since May.",
	}
}

func BenchmarkCount(b *testing.B) {
	for name, text := range texts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Count(text)
			}
		})
	}
}

func BenchmarkCut(b *testing.B) {
	for name, text := range texts(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Cut(text, 200, "…")
			}
		})
	}
}
