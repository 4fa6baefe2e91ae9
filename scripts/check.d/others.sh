# others.sh: how check runs what is driven by programs that are not ours: other languages,
# a model's clients and a browser. check reads this file.

clients() {
	# In other languages, against the real server.
	if python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
		step "the Python client" scripts/clients.sh python
	else
		missing "the Python client" "python3 is not installed, or older than 3.9"
	fi

	if scripts/clients.sh install >/dev/null 2>"$tmp/log"; then
		step "the TypeScript client, with the Vercel AI SDK and LangChain.js" scripts/clients.sh typescript
	else
		missing "the TypeScript client" "$(tail -n 1 "$tmp/log")"
	fi

	if node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; then
		step "the verifier in a browser says what the command says" scripts/clients.sh verifier
	else
		missing "the verifier in a browser" "Node.js is not installed, or older than 20"
	fi

	# The face for models, against programs that are not ours.
	if scripts/mcp.sh install >/dev/null 2>"$tmp/log"; then
		step "MCP with the official client, the inspector and the conformance suite" scripts/mcp.sh
	else
		missing "MCP with the official client" "$(tail -n 1 "$tmp/log")"
	fi
}

page() {
	# The page: its bundle is what its sources say, and it is driven in a browser.
	if scripts/page.sh install >/dev/null 2>"$tmp/log"; then
		step "the page's bundle is of its sources" scripts/page.sh check
		step "the page in Chromium" scripts/page.sh test
	else
		missing "the page" "$(tail -n 1 "$tmp/log")"
	fi
}
