// Package ui serves the web application of examples/web from files inside the binary. The built files are committed,
// so that the server can be built without Node.js.
package ui

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"agora/internal/httpserver/static"
)

// AccountsPath is the path at which a Demo's accounts are served.
const AccountsPath = "/demo.json"

// policy lets the page load its own files only, and call only this server. Images in texts are from other hosts.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:" +
	"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pages are the paths of the application: "*" stands for one name. They are those in examples/web/src/main.tsx.
var pages = []string{
	"/", "/tab/*", "/c/*", "/tag/*", "/day", "/t/*", "/u/*", "/@*", "/login", "/register", "/home", "/bookmarks", "/lists",
	"/lists/*", "/notifications", "/settings", "/new", "/manage", "/manage/tabs", "/manage/blocklist",
	"/manage/applications", "/manage/groups", "/manage/team", "/manage/rules", "/manage/tasks", "/queue", "/log",
	"/history/*",
}

//go:embed dist
var dist embed.FS

// Handler serves the page at every path of the application, and its files under /assets/. Every other path is answered
// with 404, every method except GET and HEAD with 405. It panics if an embedded file is missing, which no later request
// can cause.
func Handler() http.Handler {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(fmt.Errorf("ui: %w", err))
	}
	files, err := load(built)
	if err != nil {
		panic(fmt.Errorf("ui: %w", err))
	}
	page, ok := files["/index.html"]
	if !ok {
		panic("ui: there is no index.html")
	}
	return static.Handler(policy, func(at string) (static.File, bool) {
		if isPage(at) {
			return page, true
		}
		f, ok := files[at]
		return f, ok && f.Cache == static.CacheAsset
	})
}

// load reads the built files, by path of the URL. The names of those in assets have a hash of their content.
func load(built fs.FS) (map[string]static.File, error) {
	files := map[string]static.File{}
	err := fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		plain, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		f := static.NewFile("/"+name, name, plain, nil)
		if strings.HasPrefix(name, "assets/") {
			f.Cache = static.CacheAsset
		}
		files[f.Path] = f
		return nil
	})
	return files, err
}

// isPage reports whether the application has a page at the path.
func isPage(at string) bool {
	return slices.ContainsFunc(pages, func(pattern string) bool {
		matched, err := path.Match(pattern, at)
		return err == nil && matched && (at == "/" || !strings.HasSuffix(at, "/"))
	})
}

// Account is one of a demo's accounts.
type Account struct {
	Login string `json:"login"`
	Role  string `json:"role"`
}

// Demo has the accounts with which visitors of a demo sign in. The zero value has none yet.
type Demo struct {
	accounts atomic.Pointer[[]byte]
}

// Offer sets the accounts and their common password.
func (d *Demo) Offer(password string, accounts []Account) error {
	text, err := json.Marshal(map[string]any{"password": password, "accounts": accounts})
	if err != nil {
		return err
	}
	d.accounts.Store(&text)
	return nil
}

// ServeHTTP answers with the accounts, or with 404 while there are none.
func (d *Demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text := d.accounts.Load()
	if text == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(*text)
}
