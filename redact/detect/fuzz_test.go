package detect

import "testing"

// FuzzScan: no text brings a detector down, and every span lies in the text.
func FuzzScan(f *testing.F) {
	for _, t := range shared().triggers {
		f.Add(t.word, "=\"'{[:", " x")
	}
	f.Add("(", "))))))))))))))))", " | passwd\n")
	f.Add("((echo ", ";echo \"a);b\")&", ") | passwd\n")
	f.Add("apiVersion: v1\n{\"kind\":\"Secret\",\"data\":{", "\"a\":\"b", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if len(a)+len(b)+len(c) > 2<<10 {
			return
		}
		for _, text := range []string{a + b + c, a + "\n" + b + "\n" + c, "{" + a + "\"" + b + "\":" + c, "$ " + a + " -p" + b + " <<" + c} {
			for _, s := range Scan(text) {
				if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
					t.Fatalf("span %d:%d of %q", s.Start, s.End, text)
				}
			}
		}
	})
}
