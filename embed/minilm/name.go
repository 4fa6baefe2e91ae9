package minilm

// name is the model's: package make prints the digest. Other weights, or another way to find tokens, are another name.
const name = "all-MiniLM-L6-v2:sha256:f7e0f7fcc8bb4cb9"
