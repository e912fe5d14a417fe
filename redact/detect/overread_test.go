package detect

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What is behind a word that was read too often is still looked at.
func TestWhatStandsBehindALongWordIsSeen(t *testing.T) {
	const secret = "hK7wQz93mXb"
	for _, unit := range []string{"authorization:" + strings.Repeat("x", 36), "password:", "token=", "secret=a1b2c3d4&", "x" + strings.Repeat("y", 40) + "=1"} {
		for _, joint := range []string{"/", "&", "|", "+", "", ","} {
			for _, key := range []string{"password: ", "password=", "--password ", "password='", "https://u:"} {
				for _, n := range []int{10, 33, 40, 60, 200} {
					text := strings.Repeat(unit+joint, n) + key + secret
					switch {
					case strings.HasSuffix(key, "'"):
						text += "'"
					case strings.HasPrefix(key, "https"):
						text += "@h.example/"
					}
					if !hidden(text, secret) {
						t.Errorf("%d times %q, then %q", n, unit+joint, key)
					}
				}
			}
		}
	}
}

// What is behind more of a thing than is looked at is masked.
func TestWhatIsNotLookedAtIsMasked(t *testing.T) {
	const secret = "hK7wQz93mXb"
	for name, b := range allBounds {
		if b.many == "" {
			continue
		}
		for _, n := range []int{3, 30, 70, 300, 1000} {
			text := strings.ReplaceAll(b.head+strings.Repeat(b.many, n)+b.last, "SECRET", secret)
			if strings.Contains(b.last, "LONG") {
				text = strings.ReplaceAll(text, "LONG", "eyJ"+strings.Repeat("hK7wQz93mXbZ", 24)+".eyJ"+strings.Repeat("Rt8Lm2Vq", 20)+".")
			}
			if !hidden(text, secret) {
				t.Errorf("%s: %q, %d times %q, then %q", name, b.head, n, b.many, b.last)
			}
		}
	}
}

// bound says what happens behind a bound: what stands in last is masked, behind however
// many of a thing, or the reason why nothing is lost.
type bound struct{ head, many, last, why string }

// allBounds are all of the package's, by their names.
var allBounds = map[string]bound{
	"maxCalls":      {many: "wifi.begin(\"a\", \"\"); ", last: "wifi.begin(\"a\", \"SECRET\")"},
	"argumentEnd":   {many: "imap_open(a, b, c); ", last: "imap_open(\"a\", \"b\", \"SECRET\")"},
	"maxPipes":      {many: "echo a | passwd b ", last: "echo SECRET | passwd x"},
	"maxPrograms":   {many: "mysql a b ", last: "mysql -pSECRET"},
	"maxWords":      {head: "mysql ", many: "a b ", last: "-pSECRET"},
	"maxLists":      {many: "{\"cmd\": [\"a\"]} argv=[\"a\"] ", last: "argv=[\"mysql\", \"-pSECRET\"]"},
	"maxListed":     {head: "argv=[\"mysql\"", many: ", \"a\"", last: ", \"-pSECRET\"]"},
	"maxOAuthCodes": {many: "login code is aBcDeFgHiJkLmNoPqRsT1 ", last: "login code is SECRETaBcDeFgHiJkLmNoPqRsT1"},
	"maxFlags":      {head: "tool -u bob ", many: "-p a ", last: "-p SECRET"},
	"maxHere":       {many: "tool <<< a ", last: "tool <<< SECRET"},
	"maxHashMarks":  {many: "$5$", last: "$6$rounds=5000$SECRETSALTSALT$SECRETkq83hWmXbZ71hK7wQz93mXb"},
	"maxCookies":    {head: "Cookie: ", many: "a=b; ", last: "sessionid=SECRET"},
	"maxTries":      {many: "eyJ.", last: " LONGSECRET"},
	"maxGroup":      {head: "(echo SECRET; ", many: "a;", last: ") | passwd x"},
	"maxRereads":    {why: "TestWhatStandsBehindALongWordIsSeen"},
	"maxLogins":     {head: "chpasswd <<EOF\n", many: "bob:Xy7mKq2wVb\n", last: "al:SECRET\n"},
	"maxCodes":      {head: "Recovery codes:\n", many: "k3m9q-x7w2p\n", last: "hK7wQz93mXb\n"},
	"maxTable":      {head: "user,password,host\n", many: "bob,Xy7mKq2wVb,h\n", last: "al,SECRET,h\n"},

	"maxAuthority":      {why: "a longer one is no address of a host"},
	"maxBefore":         {why: "a reach to either side"},
	"maxBlanks":         {why: "blanks hold no secret"},
	"maxCached":         {why: "a longer key is judged without the memory"},
	"maxClasses":        {why: "of the automaton; it is built once"},
	"maxCodeList":       {why: "a reach"},
	"maxCommand":        {why: "a reach"},
	"maxCommunityBlock": {why: "lines behind a head: one that belongs to nothing ends it"},
	"maxDecoded":        {why: "more than a stream holds back"},
	"maxDepth":          {why: "said in the contract"},
	"maxDump":           {why: "the last bytes of a dump are kept, a secret is shorter"},
	"maxFigure":         {why: "TestFiguresAreSkippedWithoutEffect"},
	"maxForeign":        {why: "no password is longer"},
	"maxKey":            {why: "a reach; the last words of a key count"},
	"maxKeyContent":     {why: "the standard allows 64"},
	"maxKeyLine":        {why: "a longer one stands on one line, and has its own form"},
	"maxOAuthCode":      {why: "no code is longer"},
	"maxPublicLines":    {why: "a certificate has fewer"},
	"maxServerBlock":    {why: "lines behind a head"},
	"maxSlashPair":      {why: "a longer line is no note"},
	"maxToken":          {why: "no token is longer; its beginning is masked"},
	"maxTokenList":      {why: "lines behind a head"},
	"maxTyped":          {why: "a document for one program: so long without its end it is something else"},
	"maxValue":          {why: "a longer value is masked to there, and read again behind it"},
}

// A bound that is new must say what happens behind it.
func TestEveryBoundIsInTheTable(t *testing.T) {
	name := regexp.MustCompile(`(?m)^\s*(?:const )?(max[A-Z]\w*)(?:, (max[A-Z]\w*))? +=`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllStringSubmatch(string(b), -1) {
			for _, n := range m[1:] {
				if _, ok := allBounds[n]; n != "" && !ok {
					t.Errorf("%s: %s is not in the table of bounds", file, n)
				}
			}
		}
	}
}

// hidden tells whether no part of secret stands outside of the spans.
func hidden(text, secret string) bool {
	at := strings.Index(text, secret)
	for _, sp := range Scan(text) {
		if sp.Start <= at && sp.End >= at+len(secret) {
			return true
		}
	}
	return false
}
