package main

import (
	"bytes"
	"context"
	"fmt"

	"agora/bench/document"
	"agora/bench/subject"
)

// compare checks that all subjects return the same answers, byte for byte, to every reading document, and that none
// fails. The usual setup may escape more than it must.
func (b *benchmark) compare(ctx context.Context) error {
	for _, d := range b.o.documents() {
		if d.Writes {
			continue
		}
		for _, v := range append(b.site.variables(d), b.site.more(d)...) {
			if err := b.compareOne(d, v); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.report.Compared++
		}
	}
	return nil
}

// unescaped returns an answer with the characters <, > and & unescaped.
func unescaped(answer []byte) ([]byte, error) {
	answer = bytes.TrimSpace(answer)
	if bytes.Contains(answer, []byte(`\\u00`)) {
		return nil, fmt.Errorf("an answer with a backslash before u00 cannot be compared")
	}
	for escaped, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		answer = bytes.ReplaceAll(answer, []byte(escaped), []byte(plain))
	}
	return answer, nil
}

func (b *benchmark) compareOne(d document.Document, v map[string]any) error {
	var want []byte
	of := ""
	for _, c := range b.subjectsOf(d) {
		conn, err := dial(c.HTTP)
		if err != nil {
			return err
		}
		got, err := conn.ask(post(document.Body(d, v), ""))
		conn.Close()
		if err == nil {
			err = check(got)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", d.Name, c.name, err)
		}
		if c.name == subject.Usual { // gqlgen's transport escapes characters for HTML, and adds a line feed
			got, err = unescaped(got)
		}
		if err != nil {
			return err
		}
		if want == nil {
			want, of = got, c.name
			continue
		}
		if !bytes.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			from := max(at-100, 0)
			return fmt.Errorf(
				"%s, %v: at byte %d %s answers\n%.300s\nand %s\n%.300s",
				d.Name,
				v,
				at,
				of,
				want[from:],
				c.name,
				got[from:],
			)
		}
	}
	return nil
}
