package archtest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each script is run somewhere in the store. The generator checks that headers and code agree.
func TestScriptsAreRun(t *testing.T) {
	run := map[string]bool{}
	for _, s := range allSources(t) {
		if s.test || !strings.HasPrefix(s.pkg, "internal/store") {
			continue
		}
		for _, m := range regexp.MustCompile(`\bscript\.([A-Z]\w+)\{`).FindAllStringSubmatch(s.text, -1) {
			run[strings.ToLower(m[1])] = true
		}
	}
	var names []string
	err := walk(root, ".lua", func(file, _ string) error {
		if path.Base(path.Dir(file)) == "script" {
			names = append(names, strings.TrimSuffix(path.Base(file), ".lua"))
		}
		return nil
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("scripts = %v, %v; want the store's", names, err)
	}
	unused := slices.DeleteFunc(names, func(n string) bool { return run[strings.ReplaceAll(n, "_", "")] })
	if len(unused) > 0 {
		t.Errorf("scripts that the store does not run: %v", unused)
	}
}

// kept are the fields of users, categories and tabs that processes keep in memory.
var kept = map[string][]string{
	"user": {"state", "login", "fold", "name", "role", "created", "bio", "website", "avatar", "oldFold", "ban", "banUntil",
		"banReason", "banAct", "moderates"},
	"category": {"name", "description", "position"},
	"tab":      {"name", "categories", "position"},
}

// unannounced are the scripts that write these fields only of accounts that are not active, or that create what they
// write: no process keeps either.
var unannounced = []string{"tab_create", "user_abandon", "user_activate", "user_released", "user_resolve"}

// written matches a write to a user, a category or a tab, and its arguments.
var written = regexp.MustCompile(
	`"(?:HSET|HDEL|HINCRBY|HSETNX|DEL)", (?:tabs\[i\]\.)?(user|category|tab)\b([^\n]*(?:\n\s+[^\n]*)?)`)

// A script that changes what processes keep in memory tells them, in the same step.
func TestScriptsTellWhatHasChanged(t *testing.T) {
	found := 0
	err := walk(root, ".lua", func(file, text string) error {
		name := strings.TrimSuffix(path.Base(file), ".lua")
		if slices.Contains(unannounced, name) {
			return nil
		}
		for _, m := range written.FindAllStringSubmatch(text, -1) {
			if !writesKept(m[1], m[2]) {
				continue
			}
			if found++; !regexp.MustCompile(`\bchanged(_user)?\([^)]*` + m[1]).MatchString(text) {
				t.Errorf("%s changes %q of what is kept in memory, but does not call changed or changed_user", name, m[0])
			}
		}
		return nil
	})
	if err != nil || found < 15 {
		t.Errorf("found %d writes, %v; want all", found, err)
	}
}

// writesKept reports whether a write with these arguments may write a field that is kept. One that names no field may.
func writesKept(object, args string) bool {
	literals := regexp.MustCompile(`"(\w*)"`).FindAllStringSubmatch(args, -1)
	return len(literals) == 0 ||
		slices.ContainsFunc(literals, func(m []string) bool { return slices.Contains(kept[object], m[1]) })
}
