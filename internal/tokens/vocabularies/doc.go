// Package vocabularies compares package tokens with others' tokenizers, which have the vocabularies of
// language models in their own form, and counts what stemma costs in a conversation. Command write below it
// makes the tables of package tokens. It is a module of its own, so that none of it is part of the program.
package vocabularies
