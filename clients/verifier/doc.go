// Command verifier is the page that checks a bundle in a browser, offline. Compiled for js/wasm it
// is the program in the page; elsewhere it packs the page: scripts/verifier.sh runs both.
package main
