package playground

import (
	"bytes"
	"compress/gzip"
	"io"
	"path"

	"agora/internal/httpserver/static"
)

// newFile returns a file that can be cached for long, under a path with a hash of its content. zipped is the content
// as gzip, or nil.
func newFile(name string, plain, zipped []byte) static.File {
	f := static.NewFile("", name, plain, zipped)
	f.Path = "/playground/" + f.ETag + "/" + path.Base(name)
	f.Cache = static.CacheAsset
	return f
}

func unzip(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
