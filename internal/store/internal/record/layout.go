package record

// LayoutVersion changes when keys or their meaning change.
const LayoutVersion = 1
