package record

// LayoutVersion changes when keys or their meaning do.
const LayoutVersion = 1
