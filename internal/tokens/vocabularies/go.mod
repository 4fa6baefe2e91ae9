module github.com/stemma-memory/stemma/internal/tokens/vocabularies

go 1.26.0

require (
	github.com/stemma-memory/stemma v0.0.0
	github.com/tiktoken-go/tokenizer v0.10.0
)

replace github.com/stemma-memory/stemma => ../../..

require github.com/dlclark/regexp2/v2 v2.5.1
