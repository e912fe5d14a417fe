package gate

import "testing"

// TestAnOptionCountsWhereItIsOne: an option that the policy wants stands right behind the program. Further on the same letters may be the name of a file, or
// the value of another option.
func TestAnOptionCountsWhereItIsOne(t *testing.T) {
	vi := []string{"vi", "-Z"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"vi", "-Z", "f"}, ""},
		{[]string{"/usr/bin/vi", "-Z"}, ""},
		{[]string{"vi", "f"}, "-Z"},
		{[]string{"vi"}, "-Z"},
		{[]string{"vi", "--", "-Z"}, "-Z"},
		{[]string{"vi", "-c", "-Z", "f"}, "-Z"},
		{nil, ""}, // the host does not say
	} {
		if got := lacks(c.args, vi); got != c.want {
			t.Errorf("%q lacks %q, want %q", c.args, got, c.want)
		}
	}
}
