package cli

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	const v2, v1 = "sys/fs/cgroup/", "sys/fs/cgroup/memory/"
	tests := []struct {
		name  string
		files map[string]string
		want  int64 // 0 is no limit
	}{
		{"no Linux", nil, 0},
		{"v2", map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "agora/memory.max": "1000000\n"}, 900_000},
		{"v2 in a container", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "536870912\n"}, 483_183_810},
		{
			"v2 in a container that sees the path outside",
			map[string]string{"proc/self/cgroup": "0::/../../kubepods/pod1\n", v2 + "memory.max": "1000000\n"},
			900_000,
		},
		{"v2, no limit", map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "agora/memory.max": "max\n"}, 0},
		{
			"v2, the group around has the limit",
			map[string]string{
				"proc/self/cgroup":      "0::/a/b/c\n",
				v2 + "a/b/c/memory.max": "max\n",
				v2 + "a/memory.max":     "2000000\n",
			},
			1_800_000,
		},
		{
			"v2, the least counts, outside",
			map[string]string{
				"proc/self/cgroup":    "0::/a/b\n",
				v2 + "a/b/memory.max": "3000000\n",
				v2 + "a/memory.max":   "2000000\n",
			},
			1_800_000,
		},
		{
			"v2, the least counts, inside",
			map[string]string{
				"proc/self/cgroup":    "0::/a/b\n",
				v2 + "a/b/memory.max": "1000000\n",
				v2 + "a/memory.max":   "2000000\n",
			},
			900_000,
		},
		{"v2, the controller is off", map[string]string{"proc/self/cgroup": "0::/agora\n"}, 0},
		{
			"v2, a colon in the path",
			map[string]string{"proc/self/cgroup": "0::/a:b\n", v2 + "a:b/memory.max": "1000000\n"},
			900_000,
		},
		{
			"v1",
			map[string]string{
				"proc/self/cgroup":             "5:cpu,cpuacct:/x\n4:memory:/x\n",
				v1 + "x/memory.limit_in_bytes": "1000000\n",
			},
			900_000,
		},
		{
			"v1, one of several controllers",
			map[string]string{"proc/self/cgroup": "4:hugetlb,memory:/x\n", v1 + "memory.limit_in_bytes": "1000000\n"},
			900_000,
		},
		{
			"v1, no limit",
			map[string]string{"proc/self/cgroup": "4:memory:/\n", v1 + "memory.limit_in_bytes": "9223372036854771712\n"},
			0,
		},
		{
			"v1 with v2 beside it",
			map[string]string{
				"proc/self/cgroup":                     "4:memory:/x\n0::/x\n",
				v1 + "x/memory.limit_in_bytes":         "1000000\n",
				"sys/fs/cgroup/unified/x/cgroup.procs": "1\n",
			},
			900_000,
		},
		{
			"another group than ours",
			map[string]string{"proc/self/cgroup": "0::/agora\n", v2 + "other/memory.max": "1000000\n"},
			0,
		},
		{"nothing", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": ""}, 0},
		{"garbage in the limit", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "12x\n"}, 0},
		{"zero", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "0\n"}, 0},
		{"below zero", map[string]string{"proc/self/cgroup": "4:memory:/\n", v1 + "memory.limit_in_bytes": "-1\n"}, 0},
		{
			"too large a number",
			map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "99999999999999999999\n"},
			0,
		},
		{
			"garbage in the list of groups",
			map[string]string{"proc/self/cgroup": "\n::\nmemory\n0:\n0::../..//\x00\n", v2 + "memory.max": "1000000\n"},
			900_000,
		},
	}
	for _, tt := range tests {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, ok := memoryLimit(root)
		if got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%s: memoryLimit = %d, %v; want %d", tt.name, got, ok, tt.want)
		}
	}
}

func TestSoftLimit(t *testing.T) {
	const mb = 1 << 20
	for _, tt := range []struct{ live, most, want int64 }{
		{0, math.MaxInt64, 192 * mb},
		{80 * mb, math.MaxInt64, 192 * mb},
		{1000 * mb, math.MaxInt64, 2200 * mb},
		{1000 * mb, 900 * mb, 900 * mb},
		{0, 100 * mb, 100 * mb},
	} {
		if got := softLimit(tt.live, tt.most); got != tt.want {
			t.Errorf("softLimit(%d MB, %d MB) = %d MB; want %d", tt.live/mb, tt.most/mb, got/mb, tt.want/mb)
		}
	}
}
