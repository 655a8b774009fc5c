package lua

import "strings"

// goType is the Go type of an argument or result.
type goType struct {
	name string
	// send is the expression that sends a value v, receive the one that parses value i of a reader.
	send, receive string
}

var goTypes = map[string]goType{
	"string":    {"string", "v", "r.text(i)"},
	"int":       {"int64", "v", "r.number(i)"},
	"flag":      {"bool", "flag(v)", "r.flag(i)"},
	"time":      {"forum.Time", "int64(v)", "forum.Time(r.number(i))"},
	"millis":    {"time.Duration", "v.Milliseconds()", ""},
	"micros":    {"time.Duration", "v.Microseconds()", ""},
	"user":      {"forum.UserID", "int64(v)", "forum.UserID(r.number(i))"},
	"topic":     {"forum.TopicID", "int64(v)", "forum.TopicID(r.number(i))"},
	"comment":   {"forum.CommentID", "int64(v)", "forum.CommentID(r.number(i))"},
	"category":  {"forum.CategoryID", "int64(v)", "forum.CategoryID(r.number(i))"},
	"tab":       {"forum.TabID", "int64(v)", "forum.TabID(r.number(i))"},
	"group":     {"forum.GroupID", "int64(v)", "forum.GroupID(r.number(i))"},
	"tag":       {"forum.TagID", "int64(v)", "forum.TagID(r.number(i))"},
	"list":      {"forum.ListID", "int64(v)", "forum.ListID(r.number(i))"},
	"partition": {"forum.Partition", "int64(v)", "forum.Partition(r.number(i))"},
	"day":       {"forum.Day", "int64(v)", "forum.Day(r.number(i))"},
	"vote":      {"forum.VoteDirection", "string(v)", "forum.VoteDirection(r.text(i))"},
	"pair":      {"any", "v", ""},
	"strings":   {"[]string", "", "r.texts(i)"},
	"scored":    {"[]Scored", "", "r.scored(i)"},
}

// sending returns the expression that sends the Go expression v.
func (t goType) sending(v string) string { return replaceWord(t.send, "v", v) }

// receiving returns the expression that parses value i.
func (t goType) receiving(i string) string { return strings.Replace(t.receive, "(i)", "("+i+")", 1) }

// replaceWord replaces the one-letter word at the start or in brackets.
func replaceWord(s, word, with string) string {
	if strings.HasPrefix(s, word) {
		return with + s[len(word):]
	}
	return strings.Replace(s, "("+word+")", "("+with+")", 1)
}

// camel returns the Go form of a Lua name: answered_id is AnsweredID.
func camel(s string) string {
	parts := strings.Split(s, "_")
	for i, p := range parts {
		if p == "" {
			continue
		}
		if upper := strings.ToUpper(p); upper == "ID" || upper == "IDS" {
			parts[i] = "ID" + p[2:]
			continue
		}
		parts[i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

// singular returns the singular of a list's name: entry for entries.
func singular(s string) string {
	if stem, ok := strings.CutSuffix(s, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(s, "s")
}

// reserved are Lua's keywords, and the names of its library that scripts may use.
var reserved = words(`and break do else elseif end false for function if in local nil not or repeat return then true internal
	until while ` + library)

const library = "cjson ipairs math pairs redis string table tonumber tostring type unpack"

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
