// Command generate generates call.generated.go in the current directory: the types of calls and results of the scripts in
// the packages of the store.
package main

import (
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"agora/internal/store/script/lua"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	calls, err := generate("..")
	if err == nil {
		err = os.WriteFile("call.generated.go", calls, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// generate returns the file for the scripts below the directory of the store.
func generate(store string) ([]byte, error) {
	scripts, includes := lua.Files{}, lua.Files{}
	err := filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "include" {
			return includes.Add(os.DirFS(path))
		}
		return scripts.Add(os.DirFS(path))
	})
	if err != nil {
		return nil, err
	}
	compiled, err := lua.Compile(scripts, includes)
	if err != nil {
		return nil, err
	}
	return compiled.Calls()
}
