package main

import "strings"

// goType is a type of an argument or result, as Go has it.
type goType struct {
	name string
	// send is how a value v goes to Redis, receive how value i of a reader is read.
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
	"tag":       {"forum.TagID", "int64(v)", "forum.TagID(r.number(i))"},
	"list":      {"forum.ListID", "int64(v)", "forum.ListID(r.number(i))"},
	"partition": {"forum.Partition", "int64(v)", "forum.Partition(r.number(i))"},
	"day":       {"forum.Day", "int64(v)", "forum.Day(r.number(i))"},
	"vote":      {"forum.VoteDirection", "string(v)", "forum.VoteDirection(r.text(i))"},
	"pair":      {"any", "v", ""},
	"strings":   {"[]string", "", "r.texts(i)"},
	"scored":    {"[]Scored", "", "r.scored(i)"},
}

// sending is the expression that sends the Go expression v.
func (t goType) sending(v string) string { return replaceWord(t.send, "v", v) }

// receiving is the expression that reads value i.
func (t goType) receiving(i string) string { return strings.Replace(t.receive, "(i)", "("+i+")", 1) }

// replaceWord replaces the one-letter word at the start or in brackets.
func replaceWord(s, word, with string) string {
	if strings.HasPrefix(s, word) {
		return with + s[len(word):]
	}
	return strings.Replace(s, "("+word+")", "("+with+")", 1)
}

// camel is a Lua name as Go writes it: answered_id is AnsweredID.
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

// singular is what one of a list is called: entry for entries.
func singular(s string) string {
	if stem, ok := strings.CutSuffix(s, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(s, "s")
}

// reserved are Lua's keywords, and the names of its library that scripts use.
var reserved = words(`and break do else elseif end false for function if in local nil not or repeat return then true
	until while ` + library)

const library = "ipairs math pairs redis string table tonumber tostring type unpack"

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
