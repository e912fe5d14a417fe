package main

import (
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"
)

func BenchmarkZZStart(b *testing.B) {
	path := os.Getenv("ZZBIN")
	if path == "" {
		path = program(b)
	}
	config := benchHost(b)
	home := b.TempDir()
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}
	args := []string{path, "-F", config, "--embedded-only", "--no-copilot", "--audit-dir", filepath.Join(home, "log"), "host"}
	if p := os.Getenv("ZZPERF"); p != "" {
		args = append([]string{"perf", "record", "-q", "-F", "9999", "-g", "-o", p, "--"}, args...)
	}
	if p := os.Getenv("ZZSTRACE"); p != "" {
		args = append([]string{"strace", "-f", "-tt", "-o", p}, args...)
	}
	var paint, prompt []float64
	var user, sys []float64
	n := 11
	if os.Getenv("ZZPERF")+os.Getenv("ZZSTRACE")+os.Getenv("ZZBOOT") != "" {
		n = 1
	}
	for range n {
		begin := time.Now()
		s := sit(b, env, args[0], args[1:]...)
		s.awaitAny()
		u, y := cpuOf(s.cmd.Process.Pid)
		user, sys = append(user, u), append(sys, y)
		paint = append(paint, time.Since(begin).Seconds()*1000)
		s.await("ready>")
		prompt = append(prompt, time.Since(begin).Seconds()*1000)
		if n == 1 {
			time.Sleep(3 * time.Second); s.write("exit\r")
			s.quiet(time.Second)
			s.write("\x1dq")
			s.quiet(time.Second)
		}
		s.end()
	}
	sort.Float64s(paint)
	sort.Float64s(prompt)
	sort.Float64s(user)
	sort.Float64s(sys)
	b.ReportMetric(paint[0], "paint-min")
	b.ReportMetric(paint[n/2], "paint-p50")
	b.ReportMetric(prompt[0], "prompt-min")
	b.ReportMetric(prompt[n/2], "prompt-p50")
	b.ReportMetric(user[n/2]*1000, "user-ms")
	b.ReportMetric(sys[n/2]*1000, "sys-ms")
}
