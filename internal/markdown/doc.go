// Package markdown reads and writes notes as people keep them in files: front
// matter, wikilinks, tags, and the words of a memory laid out in sections. It
// opens no file. Nothing that it reads is believed: a front matter is data of
// whoever wrote the file.
package markdown
