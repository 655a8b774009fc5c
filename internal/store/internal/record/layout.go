package record

import "time"

// LayoutVersion changes when keys or their meaning change.
const LayoutVersion = 1

// RecheckLease is how long a process that checks the data after a fail-over keeps the others from it; it
// renews it.
const RecheckLease = 15 * time.Second
