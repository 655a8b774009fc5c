// Package script holds the Lua scripts, which are most of the store's writes. Each is a file
// noun_verb.lua; its header says what the script does and names its keys, its arguments and
// what it returns:
//
//	-- Sets one user's vote on a topic, replacing an earlier one.
//	-- INCLUDE hidden
//	-- KEYS topic    HASH   the topic
//	-- KEYS parent?  HASH   its parent; only with a parent
//	-- ARGV user     user   who votes
//	-- ARGV up       flag   whether the vote is up
//	-- RETURN votes  int    upvotes
//	-- Errors   NOT_FOUND when the topic does not exist
//
// The header is the binding. From it, go generate makes the code that is sent to Redis
// (text.generated.go), in which the names are local variables, and for each script a struct
// (call.generated.go) whose method Call lays keys and arguments out; the method Result reads
// what RETURN lines name. No position stands in Lua or Go that is written by hand.
//
// # Headers
//
// Lines KEYS name TYPE description are keys, in order; TYPE is that of Redis. Lines ARGV name
// type description are arguments. The types are
//
//	string int time (Unix ms) millis micros flag pair vote day partition
//	user topic comment category tab list tag: ids of these
//
// Lua sees all of them as text, but for flag, a boolean, and those marked as in
// time:number, which are numbers. A name with a question mark may be left out, and all after
// it.
//
// What comes any number of times is a list:
//
//	-- ARGV users[]         user      users[1], #users, unpack(users)
//	-- ARGV fields[]        pair      fields[1].name, fields[1].value, unpack(fields)
//	-- KEYS tabs[].hash     HASH      tabs[1].hash
//	-- ARGV tabs[].id       tab       tabs[1].id
//	-- ARGV tabs[].x[order] string    tabs[1].x[1]: as many as the list order has
//
// To Lua such a name is no variable: the generator puts the place in KEYS or ARGV there. In
// rows, keys and arguments of one name stand together. Columns with a question mark are in
// all rows or in none.
//
// Lines RETURN name type description say what the script returns, as return {name = value}
// in Lua; types are those of arguments, strings, scored (members of a sorted set, each
// followed by its score), or the name of an include's fields. return {} is no result. A
// script that returns one simple value says so in a line Returns instead. A line Errors lists
// the codes of error_reply. A value that Lua has no text for, false, is zero in Go; nil must
// not be returned.
//
// # Includes
//
// INCLUDE puts files of the directory include in: the functions that scripts share. Their
// headers may have KEYS and ARGV too, which come where the line stands and are an embedded
// struct in Go, and lines FIELD name type description: the fields of a hash, which Lua reads
// with redis.call("HMGET", key, FIELDS), and Go has as a struct.
//
// The generator refuses a name that the header declares and the code does not use, one that
// nothing declares, and variables of the same name.
package script
