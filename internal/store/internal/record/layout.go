package record

// LayoutVersion is the version of the layout of new data. It changes when keys or their meaning change. The first
// release has version 3.
const LayoutVersion = 3
