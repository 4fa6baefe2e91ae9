// Package audit checks memories as a stranger would: from their bytes alone,
// with no store, no network and no trust in who hands them over. It takes a
// bundle, the file that an export writes, or the records of a store one page
// after the other.
//
// Of each statement it says whether it is what its author signed, and whether
// the author might speak; of each log whether it is whole as far as a
// checkpoint says how it was. The report also names what it cannot check:
// without a checkpoint that somebody else holds, the holder of the keys could
// have rewritten the history.
//
// The report and its statuses are in package report.
package audit
