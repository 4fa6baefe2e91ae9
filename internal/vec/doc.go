// Package vec finds the vectors nearest to another by looking at every one of
// them, as 8-bit codes, which a machine reads as fast as its memory gives them.
//
// Codes are kept in a file beside the database, made from it and never
// the only copy of anything: whoever cannot read it makes it again. An Index is
// for searching, a Writer for keeping the file up to date.
package vec
