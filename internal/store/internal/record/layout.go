package record

// LayoutVersion is the version of the layout of new data. It changes when keys or their meaning change:
//
//   - 1: the first.
//   - 2: for indexes divided into parts, which are no longer read.
//   - 3: topics, comments, users, categories and tabs have an internal hash, long texts a string of their own, topics
//     an audience.
const LayoutVersion = 3

// OldestLayout is the oldest version of data that this program migrates, and of exports that it imports.
const OldestLayout = 1
