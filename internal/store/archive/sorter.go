package archive

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// sorter sorts texts in bounded memory: what does not fit is in sorted runs in a temporary file.
type sorter struct {
	limit int // of memory in bytes
	texts []string
	size  int // of texts in bytes
	file  *os.File
	// ends are where the runs end in the file.
	ends []int64
}

const (
	// sortMemory is how many bytes a sorter keeps in memory.
	sortMemory = 32 << 20
	// textOverhead is roughly what a text takes in memory beside its bytes.
	textOverhead = 24
)

// add adds a text.
func (s *sorter) add(text string) error {
	s.texts = append(s.texts, text)
	if s.size += len(text) + textOverhead; s.size < s.limit {
		return nil
	}
	return s.spill()
}

// spill writes the texts in memory as a run.
func (s *sorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "agora-export-*"); err != nil {
			return err
		}
	}
	slices.Sort(s.texts)
	out := bufio.NewWriter(s.file)
	end := int64(0)
	if len(s.ends) > 0 {
		end = s.ends[len(s.ends)-1]
	}
	var size []byte
	for _, text := range s.texts {
		size = binary.AppendUvarint(size[:0], uint64(len(text)))
		end += int64(len(size) + len(text))
		out.Write(size) // Flush reports what failed
		out.WriteString(text)
	}
	s.ends = append(s.ends, end)
	s.texts, s.size = s.texts[:0], 0
	return out.Flush()
}

// each passes all texts to do in order, each once.
func (s *sorter) each(do func(text string) error) error {
	slices.Sort(s.texts)
	runs := make(merge, 0, len(s.ends)+1)
	begin := int64(0)
	for _, end := range s.ends {
		runs = append(runs, &run{rest: bufio.NewReader(io.NewSectionReader(s.file, begin, end-begin))})
		begin = end
	}
	runs = append(runs, &run{texts: s.texts})
	for i := len(runs) - 1; i >= 0; i-- {
		if err := runs[i].next(); err == io.EOF {
			runs = slices.Delete(runs, i, i+1)
		} else if err != nil {
			return err
		}
	}
	heap.Init(&runs)
	for last, begun := "", false; len(runs) > 0; {
		if first := runs[0].text; !begun || first != last {
			if err := do(first); err != nil {
				return err
			}
			last, begun = first, true
		}
		switch err := runs[0].next(); {
		case err == io.EOF:
			heap.Pop(&runs)
		case err != nil:
			return err
		default:
			heap.Fix(&runs, 0)
		}
	}
	return nil
}

// close removes the temporary file.
func (s *sorter) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// run is a sorted list of texts, in memory or in a file.
type run struct {
	text  string // the first
	texts []string
	rest  *bufio.Reader // nil for a run in memory
}

// next moves to the next text. It returns io.EOF after the last.
func (r *run) next() error {
	if r.rest == nil {
		if len(r.texts) == 0 {
			return io.EOF
		}
		r.text, r.texts = r.texts[0], r.texts[1:]
		return nil
	}
	size, err := binary.ReadUvarint(r.rest)
	if err != nil {
		return err
	}
	text := make([]byte, size)
	_, err = io.ReadFull(r.rest, text)
	r.text = string(text)
	return err
}

// merge is a heap of runs by their first texts.
type merge []*run

// Len implements heap.Interface.
func (m merge) Len() int { return len(m) }

// Less implements heap.Interface.
func (m merge) Less(i, j int) bool { return m[i].text < m[j].text }

// Swap implements heap.Interface.
func (m merge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }

// Push implements heap.Interface. Runs are never pushed.
func (m *merge) Push(x any) { *m = append(*m, x.(*run)) }

// Pop implements heap.Interface.
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
