// Package script binds the Lua scripts, which do most of the store's writes. Each is a file noun_verb.lua beside the Go
// that runs it; one that several packages run is in the lowest of them. Its header describes the script, its keys, its
// arguments and its result:
//
//	-- Sets one user's vote on a topic, replacing an earlier one.
//	-- INCLUDE hidden
//	-- KEYS topic    HASH   the topic
//	-- KEYS parent?  HASH   its parent; only with a parent
//	-- ARGV user     user   the voter
//	-- ARGV up       flag   whether the vote is up
//	-- RETURN votes  int    upvotes
//	-- Errors   NOT_FOUND if the topic does not exist
//
// The header is the binding. From it, go generate generates for each script a struct (call.generated.go). The struct's
// method Call lays out keys and arguments, and its method Result parses the values of the RETURN lines. The code that
// is sent to Redis, in which the names are local variables, is made of the same files when a process first needs it:
// each package embeds its own, and passes them to Add. Hand-written Lua and Go contain no positions.
//
// # Headers
//
// Lines KEYS name TYPE description are keys, in order; TYPE is that of Redis. Lines ARGV name
// type description are arguments. The types are
//
//	string int time (Unix ms) millis micros flag pair vote day partition
//	user topic comment category tab group list tag: ids of these
//
// Lua sees all of them as strings, except flag, a boolean, and types marked as in time:number, which are
// numbers. A name with a question mark is optional, as are all after it.
//
// A name with brackets is a list:
//
//	-- ARGV users[]         user      users[1], #users, unpack(users): if it is the last in ARGV
//	-- ARGV fields[]        pair      fields[1].name, fields[1].value, unpack(fields)
//	-- KEYS marks[].closed  STRING    marks[1].closed, unpack(marks): all keys of a list without arguments
//	-- KEYS tabs[].hash     HASH      tabs[1].hash
//	-- ARGV tabs[].id       tab       tabs[1].id
//	-- ARGV tabs[].x[order] string    tabs[1].x[1]: as many as the list order has
//
// Such a name is not a Lua variable: the generator replaces it by its position in KEYS or ARGV. In rows,
// the keys and arguments of one name go together. Columns with a question mark are in all rows or in none.
//
// Lines RETURN name type description describe the result of the script, which is return {name = value} in
// Lua; types are those of arguments, strings, scored (members of a sorted set, each followed by its score),
// or the name of an include's fields. return {} is no result. A script that returns one simple value has a
// line Returns instead. A line Errors lists the codes of error_reply. The value false is zero in Go; nil
// must not be returned.
//
// A line Slots several is in the header of a script whose keys may be in several slots outside a cluster. Its text
// begins with that line, so that tests know it.
//
// # Includes
//
// INCLUDE inserts files of the directory include: functions that scripts share, which may include others. Their headers
// may also have KEYS and ARGV, which are inserted at that line and are an embedded struct in Go, and lines FIELD name
// type description: the fields of a hash, which Lua reads with redis.call("HMGET", key, FIELDS), and Go has
// as a struct. FIELDS.name is the position of one among them.
//
// ERASED.user stands for the names of the fields that the deletion of a user erases from its shown hash, by the
// catalogue, ERASED.user_internal for those of the internal one. ROWS.note stands for a table of the names of the parts
// of a row of the catalogue, which read_row and row_text of the include row take. CHANGES is the text that
// catalogue.ChangeWords returns.
//
// The generator refuses a declared name that the code does not use, an undeclared name, and two variables
// of the same name.
package script
