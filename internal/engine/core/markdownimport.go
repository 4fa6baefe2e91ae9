package core

// editContext says in a record's provenance that it was written in a file.
const EditContext = "markdown"
