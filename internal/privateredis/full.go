package privateredis

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A redis-server that syncs every write exits when it cannot write its append-only file. After a
// normal restart it would exit again at the next write, so it is restarted read-only until there is
// space: it answers reads and refuses writes, so no write is acknowledged and lost.

// refusing are additional settings that make every write fail with NOREPLICAS. Expiries are still
// written, and must not end the server.
var refusing = []string{"--appendfsync", "everysec", "--min-replicas-to-write", "1"}

// accepting are the commands that revert these.
const accepting = "CONFIG SET appendfsync always\r\nCONFIG SET min-replicas-to-write 0\r\n"

const (
	// roomEvery is how often a full disk is checked.
	roomEvery = time.Second
	// roomName is the file that is written to check for space.
	roomName = "room"
	// enoughSpace is how much must be writable, in bytes.
	enoughSpace = 4 << 20
)

// couldNotWrite reports whether a dead child exited because it could not write.
func (c *child) couldNotWrite() bool {
	return c.cmd.ProcessState.Exited() &&
		strings.Contains(tail(c.logPath, c.logFrom, 5), "when the AOF fsync policy is 'always'")
}

// hasSpace returns nil if enoughSpace can be written in a directory.
func hasSpace(dir string) error {
	path := filepath.Join(dir, roomName)
	defer os.Remove(path)
	f, err := openPlain(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, enoughSpace))
	return errors.Join(err, f.Sync(), f.Close())
}

// accept makes a child that refuses writes accept them again, if there is space.
func (s *Server) accept(ctx context.Context) {
	if s.room(s.dir.path) != nil {
		return
	}
	if err := configure(ctx, s.socket, accepting); err != nil {
		s.log.Warn(s.program.kind+"-server still refuses writes, although there is space", "error", err)
		return
	}
	s.full = false
	s.log.Info("the disk has space again: writes are accepted", "directory", s.dir.path)
}

// configure sends commands to the server at a socket, one per line. Each must return OK.
func configure(ctx context.Context, socket, commands string) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, commands); err != nil {
		return err
	}
	r := bufio.NewReader(conn)
	for range strings.Count(commands, "\n") {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if line != "+OK\r\n" {
			return fmt.Errorf("it replied %q", strings.TrimSpace(line))
		}
	}
	return nil
}
