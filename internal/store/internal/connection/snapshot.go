package connection

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// snapshotPatience is how long Redis may send nothing, not even a sign of life, of which it sends one every 10 s
	// (repl-ping-replica-period).
	snapshotPatience = time.Minute
	// snapshotMark is the length of the mark at the end of a snapshot whose length is not known before. Source: Redis,
	// CONFIG_RUN_ID_SIZE.
	snapshotMark = 40
)

// Snapshot writes all data of a single Redis to w as they are at one moment, after the call: in the format of a
// dump.rdb, as Redis sends it to a new replica. Redis goes on working meanwhile.
func (c *Connection) Snapshot(ctx context.Context, w io.Writer) error {
	client, single := c.Redis.(*redis.Client)
	if !single {
		return errors.New("a cluster cannot be copied at one moment while it is written to; stop the servers, and use " +
			"agora export")
	}
	o := client.Options()
	if o.DB != 0 {
		return fmt.Errorf("the site is in database %d, and a snapshot has those of all programs; stop the server, and use "+
			"agora export", o.DB)
	}
	conn, err := o.Dialer(ctx, o.Network, o.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	s := &snapshotReader{conn: conn}
	s.in = bufio.NewReaderSize(s, 1<<16)
	err = s.copy(w, o.Username, o.Password)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Size returns the version of Redis and the number of keys.
func (c *Connection) Size(ctx context.Context) (version string, keys int64, err error) {
	info, err := c.Redis.Info(ctx, "server").Result()
	if err == nil {
		keys, err = c.Redis.DBSize(ctx).Result()
	}
	return facts{info: parseInfo(info)}.program(), keys, err
}

// snapshotReader reads what Redis sends to a replica.
type snapshotReader struct {
	conn net.Conn
	in   *bufio.Reader // over the reader itself
}

// Read implements io.Reader.
func (s *snapshotReader) Read(p []byte) (int, error) {
	if err := s.conn.SetDeadline(time.Now().Add(snapshotPatience)); err != nil {
		return 0, err
	}
	return s.conn.Read(p)
}

// copy requests a snapshot and writes it to w.
func (s *snapshotReader) copy(w io.Writer, user, password string) error {
	var commands [][]string
	switch {
	case user != "":
		commands = append(commands, []string{"AUTH", user, password})
	case password != "":
		commands = append(commands, []string{"AUTH", password})
	}
	// rdb-only: it is no replica, and nothing is sent after the snapshot. eof: Redis need not write a file before.
	commands = append(commands, []string{"REPLCONF", "rdb-only", "1", "capa", "eof"})
	for _, command := range commands {
		reply, err := s.send(command...)
		if err != nil || reply != "+OK" {
			return errors.Join(err, fmt.Errorf("the reply to %s is %s", command[0], reply))
		}
	}
	reply, err := s.send("SYNC")
	for err == nil && reply == "" { // a sign of life
		reply, err = s.line()
	}
	if err != nil {
		return err
	}
	if mark, is := strings.CutPrefix(reply, "$EOF:"); is && len(mark) == snapshotMark {
		return s.until(w, []byte(mark))
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(reply, "$"), 10, 64)
	if err != nil || reply[0] != '$' {
		return fmt.Errorf("the reply to SYNC is %s", reply)
	}
	_, err = io.CopyN(w, s.in, n)
	return err
}

// send sends a command and returns the first line of the reply.
func (s *snapshotReader) send(args ...string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	if _, err := io.WriteString(s.conn, b.String()); err != nil {
		return "", err
	}
	line, err := s.line()
	if strings.HasPrefix(line, "-NOPERM") {
		err = errors.New("the user of Redis may not copy the data; ACL SETUSER NAME +sync +replconf allows it")
	}
	return line, err
}

func (s *snapshotReader) line() (string, error) {
	line, err := s.in.ReadSlice('\n')
	return strings.TrimSpace(string(line)), err
}

// until writes what comes before the mark.
func (s *snapshotReader) until(w io.Writer, mark []byte) error {
	chunk, held := make([]byte, 1<<16), 0 // held may be a part of the mark
	for {
		n, err := s.in.Read(chunk[held:])
		n += held
		if bytes.HasSuffix(chunk[:n], mark) {
			_, err := w.Write(chunk[:n-len(mark)])
			return err
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		sure := max(0, n-len(mark))
		if _, err := w.Write(chunk[:sure]); err != nil {
			return err
		}
		held = copy(chunk, chunk[sure:n])
	}
}
