package lua

import (
	"strings"
	"testing"

	"agora/internal/test/must"
)

// compile compiles a script whose header is items; it may include "greet" and "facts".
func compile(t *testing.T, items, code string) (*script, error) {
	t.Helper()
	greet := must.Do(parse("greet", "-- Greets.\n-- KEYS greeted SET  who was greeted\n"+
		"local function greet(who)\n  return redis.call(\"SADD\", greeted, who)\nend\n"))(t)
	facts := must.Do(parse("facts", "-- Reads facts.\n-- FIELD name  string  its name\n-- FIELD bornOn day  when\n"+
		"local function facts(of)\n  return redis.call(\"HMGET\", of, FIELDS)\nend\n"))(t)
	text := "-- Does it.\n" + items
	if !strings.Contains(items, "RETURN") {
		text += "-- Returns  1\n"
	}
	s, err := parse("it", text+code)
	if err != nil {
		return nil, err
	}
	places, err := parse("places", "-- Finds a place.\n-- FIELD name  string  its name\n-- FIELD born_on day  when\n"+
		"local function place(of)\n  return of[FIELDS.born_on]\nend\n")
	if err != nil {
		return nil, err
	}
	once := must.Do(parse("once", "-- Once.\nlocal function once(of)\n  return of\nend\n"))(t)
	twice := must.Do(parse("twice", "-- Twice.\n-- INCLUDE once\nlocal function twice(of)\n"+
		"  return once(once(of))\nend\n"))(t)
	c := &Compiled{includes: []*source{greet, facts, places, once, twice}}
	if c.scripts, err = resolve([]*source{s}, c.includes); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil && !strings.HasPrefix(err.Error(), "no script includes") {
		return nil, err
	}
	return c.scripts[0], nil
}

func TestTextBindsKeysAndArgumentsToNames(t *testing.T) {
	tests := []struct {
		name, items, code, want string
	}{
		{"one key, two arguments", "-- KEYS user HASH  x\n-- ARGV name string  x\n-- ARGV now time  x\n",
			`redis.call("HSET", user, name, now) -- why`,
			"local user=KEYS[1]\nlocal name,now=ARGV[1],ARGV[2]\n" + `redis.call("HSET", user, name, now)`},
		{"many", "-- ARGV a string  x\n-- ARGV b flag  x\n-- ARGV c time:number  x\n", "\n\nif b then\n  return a, c\nend",
			"local a,b,c=unpack(ARGV)\nb,c=b==\"1\",tonumber(c)\nif b then\nreturn a, c\nend"},
		{"names in strings, in comments and after dots stay", "-- ARGV a string  x\n", `return a, "a #a", t.a, t:a() -- a`,
			"local a=ARGV[1]\n" + `return a, "a #a", t.a, t:a()`},
		{"a list", "-- KEYS user HASH  x\n-- ARGV now time  x\n-- ARGV ids[] user  x\n",
			"for i = 1, #ids do redis.call(user, now, ids[i], ids[i + 1]) end return unpack(ids)",
			"local user=KEYS[1]\nlocal now=ARGV[1]\n" +
				"for i = 1, (#ARGV-1) do redis.call(user, now, ARGV[i+1], ARGV[i + 1+1]) end return unpack(ARGV,2)"},
		{"rows of keys",
			"-- KEYS user HASH  x\n-- KEYS marks[].a SET  x\n-- KEYS marks[].b SET  x\n-- KEYS all[] ZSET  x\n",
			"return user, #all, marks[i].b, unpack(marks)",
			"local user=KEYS[1]\nlocal marks_count=tonumber(ARGV[1])\n" +
				"return user, (#KEYS-(1+2*marks_count)), KEYS[i*2+1], unpack(KEYS,2,1+2*marks_count)"},
		{"the position of a field", "-- INCLUDE places\n-- KEYS user HASH  x\n", "return place(user)",
			"local user=KEYS[1]\nlocal function place(of)\nreturn of[2]\nend\nreturn place(user)"},
		{"the parts of a row", "-- KEYS user HASH  x\n", `return user, ROWS.reads`,
			"local user=KEYS[1]\n" + `return user, {"number","time"}`},
		{"an include of an include", "-- INCLUDE twice\n-- KEYS user HASH  x\n", "return twice(user)",
			"local user=KEYS[1]\nlocal function once(of)\nreturn of\nend\nlocal function twice(of)\n" +
				"return once(once(of))\nend\nreturn twice(user)"},
		{"several slots", "-- Slots    several\n-- KEYS a HASH  x\n", "return a",
			"-- Slots  several\nlocal a=KEYS[1]\nreturn a"},
		{"pairs", "-- ARGV fields[] pair  x\n", "return fields[i].name, fields[i].value, #fields, unpack(fields)",
			"return ARGV[i*2-1], ARGV[i*2], (#ARGV/2), unpack(ARGV,1)"},
		{"rows of keys and arguments",
			"-- KEYS user HASH  x\n-- KEYS tabs[].hash HASH  x\n-- KEYS tabs[].set ZSET  x\n-- ARGV tabs[].id tab  x\n",
			"return user, #tabs, tabs[i].hash, tabs[i].set, tabs[i - 1].id",
			"local user=KEYS[1]\nreturn user, #ARGV, KEYS[i*2], KEYS[i*2+1], ARGV[i - 1]"},
		{"two lists", "-- ARGV come[] user  x\n-- ARGV go[].id user  x\n-- ARGV go[].left flag  x\n",
			"return #come, come[1], #go, go[i].id, go[i].left",
			"local come_count=tonumber(ARGV[1])\n" +
				"return come_count, ARGV[1+1], ((#ARGV-(1+come_count))/2), ARGV[i*2+come_count], (ARGV[i*2+1+come_count]==\"1\")"},
		{"a value for each of another list",
			"-- KEYS orders[] ZSET  x\n-- ARGV now time  x\n-- ARGV e[].id int  x\n-- ARGV e[].scores[orders] string  x\n",
			"return now, #orders, orders[o], #e, e[i].id, e[i].scores[o]",
			"local now=ARGV[1]\nlocal e_width=1+#KEYS\n" +
				"return now, #KEYS, KEYS[o], ((#ARGV-1)/e_width), ARGV[(i-1)*e_width+2], ARGV[(i-1)*e_width+2+o]"},
		{"optional keys of rows",
			"-- KEYS due ZSET  x\n-- KEYS h[].a HASH  x\n-- KEYS h[].b? HASH  x\n-- ARGV h[].id user  x\n",
			"return due, h[i].b, h[i].a, h[i].id",
			"local due=KEYS[1]\nlocal h_width=#ARGV>0 and(#KEYS-1)/#ARGV or 0\n" +
				"return due, KEYS[(i-1)*h_width+3], KEYS[(i-1)*h_width+2], ARGV[i]"},
		{"a result, in the order of the header", "-- ARGV a string  x\n-- RETURN one int  x\n-- RETURN two string  x\n",
			"if a then\n  return {}\nend\nreturn {two = f(a, {1, 2}), one = 1}",
			"local a=ARGV[1]\nif a then\nreturn {}\nend\nreturn {1,f(a, {1, 2})}"},
		{"includes", "-- INCLUDE greet facts\n-- KEYS user HASH  x\n-- RETURN who Facts  x\n",
			"greet(1)\nreturn {who = facts(user)}",
			"local greeted,user=KEYS[1],KEYS[2]\n" +
				"local function greet(who)\nreturn redis.call(\"SADD\", greeted, who)\nend\n" +
				"local function facts(of)\nreturn redis.call(\"HMGET\", of, \"name\",\"bornOn\")\nend\n" +
				"greet(1)\nreturn {facts(user)}"},
	}
	for _, tt := range tests {
		code := "local f, t, i, o\n" + tt.code
		sc, err := compile(t, tt.items, code)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got, err := sc.text()
		got = strings.Replace(got, "local f, t, i, o\n", "", 1)
		if err != nil || got != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
	}
}

// fault is a script that the generator refuses, with a part of the error message.
type fault struct {
	name, items, code, want string
}

func wantFaults(t *testing.T, faults []fault) {
	t.Helper()
	for _, f := range faults {
		sc, err := compile(t, f.items, f.code)
		if err == nil {
			_, err = sc.text()
		}
		if err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: error %v; want %q", f.name, err, f.want)
		}
	}
}

func TestInvalidHeadersAreRefused(t *testing.T) {
	wantFaults(t, []fault{
		{"no type of Redis", "-- KEYS user MAP  x\n", "return user", "no type MAP"},
		{"no type", "-- ARGV user person  x\n", "return user", "no type person"},
		{"no name", "-- ARGV user! string  x\n", "return user", "is not a name"},
		{"a word of Lua", "-- ARGV end string  x\n", "return 1", "not a valid variable name"},
		{"no line of a header", "-- ARGV user\n", "return user", "not a header line"},
		{"twice", "-- KEYS user HASH  x\n-- ARGV user user  x\n", "return user", "in the header twice"},
		{"optional before others", "-- KEYS a? HASH  x\n-- KEYS b HASH  x\n", "return a, b", "after an optional one"},
		{"optional before a list", "-- ARGV a? string  x\n-- ARGV b[] user  x\n", "return a, b[1]", "a list comes after it"},
		{"no fields", "-- ARGV a string  x\n-- RETURN b Facts  x\n", "return {b = a}", "which no include declares"},
		{"no include", "-- INCLUDE meet\n", "meet()", "no include meet"},
	})
	if _, err := parse("it", "-- KEYS user HASH  x\nreturn user"); err == nil {
		t.Error("a header without a description: no error")
	}
	s := must.Do(parse("it", "-- Does it.\n-- ARGV a string  x\nreturn a"))(t)
	c := &Compiled{scripts: must.Do(resolve([]*source{s}, nil))(t)}
	if err := c.check(); err == nil {
		t.Error("a header without RETURN and Returns: no error")
	}
}

func TestInvalidCodeIsRefused(t *testing.T) {
	const user = "-- KEYS user HASH  x\n"
	wantFaults(t, []fault{
		{"unused", user + "-- KEYS home ZSET  x\n", "return user", "does not use home"},
		{"undeclared", user, "return user, home", "undeclared name home"},
		{"by position", user, "return user, KEYS[1]", "undeclared name KEYS"},
		{"a variable of the same name", user, "local user = user", "user is also a variable"},
		{"a parameter of the same name", user, "local function f(user) return user end", "user is also a variable"},
		{"no column", "-- ARGV a[].id user  x\n-- ARGV a[].name string  x\n", "return a[1].id, a[1].nam", `no column "nam"`},
		{"a list without index", "-- ARGV a[] user  x\n", "return a", "a is a list"},
		{"not the last list", "-- ARGV a[] user  x\n-- ARGV b[] user  x\n", "return unpack(a), b[1]", "cannot be unpacked"},
		{"lacking result", "-- ARGV a string  x\n-- RETURN b int  x\n-- RETURN c int  x\n", "return {b = a}", "lacks c"},
		{"other result", "-- ARGV a string  x\n-- RETURN b int  x\n", "return {b = a, c = 1}", "does not name the result c"},
		{"positions in a result", "-- ARGV a string  x\n-- RETURN b int  x\n", "return {a}", "a result is"},
		{"a function's name", "-- INCLUDE greet\n-- KEYS user HASH  x\n", "local greet = user return greet", "also a function"},
		{"an unused include", "-- INCLUDE greet\n", "return 1", "does not use the include greet"},
		{"an error", user, `return redis.error_reply("LOST " .. user)`, "does not list the error LOST"},
		{"an unterminated string", user, `return user .. "`, "unterminated"},
	})
}

func TestNamesInGo(t *testing.T) {
	for lua, want := range map[string]string{
		"id": "ID", "topic_id": "TopicID", "up_to": "UpTo", "leftTags": "LeftTags", "home_offer": "HomeOffer",
	} {
		if got := camel(lua); got != want {
			t.Errorf("camel(%q) = %q; want %q", lua, got, want)
		}
	}
	for list, want := range map[string]string{"entries": "entry", "homes": "home", "add": "add"} {
		if got := singular(list); got != want {
			t.Errorf("singular(%q) = %q; want %q", list, got, want)
		}
	}
}
