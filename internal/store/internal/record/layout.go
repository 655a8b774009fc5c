package record

import "time"

// LayoutVersion is the version of the layout of new data. It changes when keys or their meaning change:
//
//   - 1: the first.
//   - 2: the index of the front or of a category may be divided into parts.
const LayoutVersion = 2

// OldestLayout is the oldest version of existing data that this program serves, as it is. Store.Upgrade makes it the
// newest.
const OldestLayout = 1

// RecheckLease is how long a process that checks the data after a fail-over keeps the others from it; it
// renews it.
const RecheckLease = 15 * time.Second
