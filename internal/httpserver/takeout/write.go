package takeout

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/takeout"
)

// nodesAtOnce is how many objects one query reads. If their texts have no room in an answer, they are read one by one.
const nodesAtOnce = 50

// ErrNoRoom is the error of a Run whose answer has no room for some text.
var ErrNoRoom = errors.New("the answer has no room for all texts")

// Source is where the data come from.
type Source struct {
	User forum.UserID
	// Site is the name of the site, At the present time.
	Site string
	At   forum.Time
	// Pages are the pagers of the user's items.
	Pages map[string]takeout.Pager
	// Run runs one of the queries of Files as the user, and returns its data.
	Run func(ctx context.Context, query string, variables map[string]any) ([]byte, error)
}

// Write writes the ZIP file to w, page by page. After an error the file is not complete, and no reader takes it for one
// that is.
func Write(ctx context.Context, w io.Writer, from Source) error {
	z := zip.NewWriter(w)
	create := func(name string) (io.Writer, error) {
		modified := time.UnixMilli(int64(from.At)).UTC()
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified})
	}
	readme, err := create("README.txt")
	if err == nil {
		_, err = io.WriteString(readme, Readme(from.Site, stamp(from.At)))
	}
	for _, f := range Files {
		if err != nil {
			break
		}
		out, failed := create(f.Name + ".jsonl")
		if err = failed; err == nil {
			err = from.file(ctx, out, f)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err != nil {
		return err
	}
	return z.Close()
}

func stamp(t forum.Time) string {
	return time.UnixMilli(int64(t)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// file writes the lines of a file.
func (from Source) file(ctx context.Context, out io.Writer, f File) error {
	if f.Items {
		return from.items(ctx, out, f)
	}
	variables := map[string]any{}
	if strings.Contains(f.Query, "$user") {
		variables["user"] = globalid.New(globalid.User, fmt.Sprint(int64(from.User)))
	}
	for {
		data, err := from.Run(ctx, f.Query, variables)
		if err != nil {
			return err
		}
		found, err := at(data, f.Path)
		if err != nil {
			return err
		}
		next, err := lines(out, nil, found)
		if err != nil || next == "" {
			return err
		}
		variables["after"] = next
	}
}

// at returns what is at a path of names with dots between; nil if a part of it is null.
func at(data json.RawMessage, path string) (json.RawMessage, error) {
	for name := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(data, &object); err != nil {
			return nil, err
		}
		data = object[name]
	}
	return data, nil
}

// connection is a page of a connection.
type connection struct {
	Nodes    []json.RawMessage
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

// lines writes a line for an object, or for each of a list or connection, and returns the cursor of the next page, ""
// at the end. Each begins with the members of head.
func lines(out io.Writer, head []byte, data json.RawMessage) (next string, err error) {
	page := connection{Nodes: []json.RawMessage{data}}
	switch {
	case len(data) == 0 || bytes.Equal(data, []byte("null")): // what the user may not see
		page.Nodes[0] = json.RawMessage("{}")
	case data[0] == '[':
		err = json.Unmarshal(data, &page.Nodes)
	case bytes.HasPrefix(data, []byte(`{"nodes":`)):
		page.Nodes = nil
		err = json.Unmarshal(data, &page)
	}
	for _, node := range page.Nodes {
		if err != nil {
			return "", err
		}
		err = line(out, head, node)
	}
	if page.PageInfo.HasNextPage {
		next = page.PageInfo.EndCursor
	}
	return next, err
}

// line writes a line with the members of head and of an object.
func line(out io.Writer, head []byte, object json.RawMessage) error {
	text := append([]byte{'{'}, head...)
	if members := bytes.TrimSpace(object[1 : len(object)-1]); len(members) > 0 {
		if len(head) > 0 {
			text = append(text, ',')
		}
		text = append(text, members...)
	}
	_, err := out.Write(append(text, '}', '\n'))
	return err
}

// items writes the lines of the items of a file.
func (from Source) items(ctx context.Context, out io.Writer, f File) error {
	next, more := from.Pages[f.Name], true
	for more {
		var items []takeout.Item
		var err error
		if items, _, more, err = next(ctx); err != nil {
			return err
		}
		for len(items) > 0 {
			n := min(len(items), nodesAtOnce)
			if err := from.write(ctx, out, f, items[:n]); err != nil {
				return err
			}
			items = items[n:]
		}
	}
	return nil
}

// write writes the lines of some items.
func (from Source) write(ctx context.Context, out io.Writer, f File, items []takeout.Item) error {
	found, err := from.nodes(ctx, f, items)
	if errors.Is(err, ErrNoRoom) && len(items) > 1 {
		for i := range items {
			if err := from.write(ctx, out, f, items[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, item := range items {
		shown := found[i]
		if f.Path != "" && !bytes.Equal(shown, []byte("null")) {
			if shown, err = at(shown, f.Path); err != nil {
				return err
			}
		}
		head, err := json.Marshal(values(item))
		if err != nil {
			return err
		}
		if _, err := lines(out, head[1:len(head)-1], shown); err != nil {
			return err
		}
	}
	return nil
}

// nodes reads what items show, null for those that the user may not see or that are no objects.
func (from Source) nodes(ctx context.Context, f File, items []takeout.Item) ([]json.RawMessage, error) {
	found := make([]json.RawMessage, len(items))
	var ids []any
	var places []int
	for i, item := range items {
		found[i] = json.RawMessage("null")
		if id := globalID(item); id != "" && f.Query != "" && item.Timeline == "" {
			ids, places = append(ids, id), append(places, i)
		}
	}
	if len(ids) == 0 {
		return found, nil
	}
	data, err := from.Run(ctx, f.Query, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	var answer struct{ Nodes []json.RawMessage }
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, err
	}
	for n, node := range answer.Nodes {
		found[places[n]] = node
	}
	return found, nil
}

// stored is what is stored of an item.
type stored struct {
	ID          string              `json:"id,omitempty"`
	At          string              `json:"at,omitempty"`
	Vote        forum.VoteDirection `json:"vote,omitempty"`
	Reason      forum.Reason        `json:"reason,omitempty"`
	Note        *string             `json:"note,omitempty"`
	List        string              `json:"list,omitempty"`
	ReadThrough int64               `json:"readThrough,omitempty"`
	Issuer      string              `json:"issuer,omitempty"`
	Subject     string              `json:"subject,omitempty"`
}

func values(i takeout.Item) stored {
	v := stored{ID: globalID(i), Vote: i.Vote, Reason: i.Reason, Note: i.Note, ReadThrough: i.ReadThrough,
		Issuer: i.External.Issuer, Subject: i.External.Subject}
	if i.At != 0 {
		v.At = stamp(i.At)
	}
	if i.On != 0 {
		v.List = globalid.New(globalid.UserList, fmt.Sprint(int64(i.On)))
	}
	return v
}

// globalID returns the id of an item, "" if it has none.
func globalID(i takeout.Item) string {
	for typ, id := range map[string]int64{globalid.Topic: int64(i.Subject.Topic),
		globalid.Comment: int64(i.Subject.Comment), globalid.User: int64(i.Subject.User),
		globalid.Category: int64(i.Subject.Category), globalid.Tag: int64(i.Tag), globalid.UserList: int64(i.List)} {
		if id != 0 {
			return globalid.New(typ, fmt.Sprint(id))
		}
	}
	if i.Timeline != "" {
		return globalid.New(globalid.Timeline, i.Timeline)
	}
	return ""
}
