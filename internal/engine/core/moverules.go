package core

const MostReasonBytes = 280
