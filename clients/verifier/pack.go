//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"strings"
)

//go:embed index.html
var frame string

//go:embed style.css
var style string

//go:embed page.js
var script string

//go:embed worker.js
var worker string

func main() {
	log.SetFlags(0)
	log.SetPrefix("verifier: ")
	if len(os.Args) != 5 {
		log.Fatal("usage: verifier VERSION WASM WASM_EXEC.JS OUT.html")
	}
	wasm, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	exec, err := os.ReadFile(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	page, err := pack(os.Args[1], wasm, string(exec))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[4], page, 0o644); err != nil {
		log.Fatal(err)
	}
}

// pack writes the page with everything in it: a browser lets no page from a disk load a second file.
// Its policy names the two parts that may run or be drawn, and no address.
func pack(version string, wasm []byte, exec string) ([]byte, error) {
	var packed bytes.Buffer
	zw, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zw.Write(wasm); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	body := exec + worker
	for _, part := range []string{script, style, body} {
		if strings.Contains(strings.ToLower(part), "</s") || strings.Contains(part, "<!--") {
			return nil, fmt.Errorf("a script or style would end early: %.60q", part)
		}
	}
	return []byte(strings.NewReplacer(
		"@VERSION@", version,
		"@POLICY@", "default-src 'none'; script-src "+source(script)+" 'wasm-unsafe-eval'; style-src "+source(style)+
			"; worker-src blob:; base-uri 'none'; form-action 'none'",
		"@STYLE@", style, "@SCRIPT@", script, "@WORKER@", body,
		"@PROGRAM@", base64.StdEncoding.EncodeToString(packed.Bytes()),
	).Replace(frame)), nil
}

// source names a part of a page in its policy.
func source(part string) string {
	sum := sha256.Sum256([]byte(part))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
