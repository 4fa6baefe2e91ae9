// Package vocabularies compares package tokens with others' tokenizers, which have the vocabularies of
// language models in their own form, makes its tables, and counts what stemma costs in a conversation. It is a module
// of its own, so that none of it is part of the program.
package vocabularies
