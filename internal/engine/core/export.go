package core

// exportPage is how many records are read at a time.
const ExportPage = 1000
