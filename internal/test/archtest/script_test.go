package archtest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	label    = regexp.MustCompile(`^-- ((?:(?:KEYS|ARGV)\[[^\]]+\],? ?)+) *(.*)`)
	argument = regexp.MustCompile(`(KEYS|ARGV)\[(\d+)(\.\.\.)?\]`)
	paired   = regexp.MustCompile(`(KEYS|ARGV)\[\d+[a-z]`) // such as ARGV[2i-1]
	types    = regexp.MustCompile(`\b(HASH|ZSET|SET|STRING|LIST|STREAM)(es|s)?\b`)
	failure  = regexp.MustCompile(`error_reply\("([A-Z_]+)`)
	open     = map[string]*regexp.Regexp{
		"KEYS": regexp.MustCompile(`#KEYS[^\[]|KEYS\[[^\]\d]|KEYS\[\d+ *[-+*]|unpack\(KEYS`),
		"ARGV": regexp.MustCompile(`#ARGV[^\[]|ARGV\[[^\]\d]|ARGV\[\d+ *[-+*]|unpack\(ARGV`),
	}
)

// luaScript is a script's header and code.
type luaScript struct {
	name    string
	header  []string
	code    string
	numbers map[string][]int // numbers that the header describes, of KEYS and ARGV
	from    map[string]int   // number from which on it describes all; 0 is none
}

func luaScripts(t *testing.T) []luaScript {
	t.Helper()
	var all []luaScript
	err := walk(root, ".lua", func(file, text string) error {
		s := luaScript{name: strings.TrimSuffix(path.Base(file), ".lua"), numbers: map[string][]int{}, from: map[string]int{}}
		lines := strings.Split(text, "\n")
		for len(s.header) < len(lines) && strings.HasPrefix(lines[len(s.header)], "-- ") {
			s.header = append(s.header, lines[len(s.header)])
		}
		s.code = regexp.MustCompile(`(?m)--.*$`).ReplaceAllString(strings.Join(lines[len(s.header):], "\n"), "")
		s.read()
		all = append(all, s)
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("scripts = %d, %v; want the store's", len(all), err)
	}
	return all
}

// read takes the numbers of KEYS and ARGV from the header.
func (s *luaScript) read() {
	for _, line := range s.header {
		m := label.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, a := range argument.FindAllStringSubmatch(m[1], -1) {
			n, _ := strconv.Atoi(a[2])
			if a[3] != "" {
				s.from[a[1]] = n
			} else {
				s.numbers[a[1]] = append(s.numbers[a[1]], n)
			}
		}
		if p := paired.FindStringSubmatch(m[1]); p != nil {
			s.from[p[1]] = 1
		}
	}
}

// wrong tells what is wrong with the numbers of KEYS or ARGV.
func (s *luaScript) wrong(kind string) []string {
	var faults []string
	described := s.numbers[kind]
	for i, n := range described {
		if n != i+1 {
			faults = append(faults, fmt.Sprintf("the header describes %s %v; want them from 1 on, in order", kind, described))
			break
		}
	}
	if from := s.from[kind]; from > 1 && from != len(described)+1 {
		faults = append(faults, fmt.Sprintf("the header describes %s[%d...] after %v", kind, from, described))
	}
	used := map[int]bool{}
	for _, a := range argument.FindAllStringSubmatch(s.code, -1) {
		if n, _ := strconv.Atoi(a[2]); a[1] == kind {
			used[n] = true
			if !slices.Contains(described, n) && (s.from[kind] == 0 || n < s.from[kind]) {
				faults = append(faults, fmt.Sprintf("the code uses %s[%d], which the header does not describe", kind, n))
			}
		}
	}
	for _, n := range described {
		if !used[n] {
			faults = append(faults, fmt.Sprintf("the header describes %s[%d], which the code does not use", kind, n))
		}
	}
	if isOpen := open[kind].MatchString(s.code); isOpen != (s.from[kind] > 0) {
		faults = append(
			faults,
			fmt.Sprintf("the code uses %s of any number: %t; the header says %t", kind, isOpen, s.from[kind] > 0),
		)
	}
	return faults
}

func TestScriptHeadersDescribeTheirCode(t *testing.T) {
	for _, s := range luaScripts(t) {
		if len(s.header) < 3 || label.MatchString(s.header[0]) {
			t.Errorf("%s.lua: want a header that begins with what the script does", s.name)
			continue
		}
		header := strings.Join(s.header, "\n")
		if !strings.Contains(header, "\n-- Returns  ") {
			t.Errorf("%s.lua: the header lacks Returns", s.name)
		}
		for _, kind := range []string{"KEYS", "ARGV"} {
			for _, fault := range s.wrong(kind) {
				t.Errorf("%s.lua: %s", s.name, fault)
			}
		}
		for _, line := range s.header {
			if m := label.FindStringSubmatch(line); m != nil && strings.HasPrefix(m[1], "KEYS") && !types.MatchString(m[2]) {
				t.Errorf("%s.lua: %q names no type", s.name, line)
			}
		}
		_, listed, _ := strings.Cut(header, "\n-- Errors ")
		for _, f := range failure.FindAllStringSubmatch(s.code, -1) {
			if !strings.Contains(listed, f[1]) {
				t.Errorf("%s.lua: the header does not list the error %s", s.name, f[1])
			}
		}
	}
}

// Each script is made known to Redis by one line of the store, and each such
// line has its file.
func TestScriptsAreRegistered(t *testing.T) {
	call := regexp.MustCompile(`newScript\("([a-z_]+)"\)`)
	var registered, files []string
	for _, s := range allSources(t) {
		for _, m := range call.FindAllStringSubmatch(s.text, -1) {
			if !s.test && s.pkg == "internal/store" {
				registered = append(registered, m[1])
			}
		}
	}
	for _, s := range luaScripts(t) {
		files = append(files, s.name)
	}
	slices.Sort(registered)
	slices.Sort(files)
	if !slices.Equal(registered, files) {
		t.Errorf("registered scripts = %v; want each file once, %v", registered, files)
	}
}

// The rules themselves: each finds the fault that it is there for.
func TestScriptRulesFindFaults(t *testing.T) {
	tests := []struct{ name, header, code, want string }{
		{"undescribed", "-- KEYS[1]  HASH  x", `call(KEYS[1], KEYS[2])`, "KEYS[2], which the header does not describe"},
		{"unused", "-- KEYS[1]  HASH  x\n-- KEYS[2]  HASH  y", `call(KEYS[1])`, "KEYS[2], which the code does not use"},
		{"gap", "-- KEYS[1]  HASH  x\n-- KEYS[3]  HASH  y", `call(KEYS[1], KEYS[3])`, "in order"},
		{"open code", "-- KEYS[1]  HASH  x", `call(KEYS[1], #KEYS )`, "of any number: true"},
		{"open header", "-- KEYS[1]  HASH  x\n-- KEYS[2...] HASHes", `call(KEYS[1])`, "of any number: false"},
	}
	for _, tt := range tests {
		s := luaScript{
			header:  strings.Split(tt.header, "\n"),
			code:    tt.code,
			numbers: map[string][]int{},
			from:    map[string]int{},
		}
		s.read()
		if got := strings.Join(s.wrong("KEYS"), "; "); !strings.Contains(got, tt.want) {
			t.Errorf("%s: faults %q; want %q", tt.name, got, tt.want)
		}
	}
}
