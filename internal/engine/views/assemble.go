package views

// keepReceipts is how many bytes of receipts are kept unless told otherwise.
const KeepReceipts = 8 << 20
