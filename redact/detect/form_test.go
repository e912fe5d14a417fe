package detect

import (
	"strings"
	"testing"
)

// Each mark of a form has a reader; only words for password in other languages are read
// as prompts.
func TestEveryMarkHasItsForm(t *testing.T) {
	foreign := set("contrasenya heslo adgangskode salasana parola lozinka passord geslo parool parole palavra-passe")
	foreign["mot de passe"], foreign["kata sandi"] = true, true
	for word, j := range otherTriggers {
		if ascii := strings.Trim(word, "\x09\x20!\"#$%&'()*+,-./0123456789:;<=>?@[]_abcdefghijklmnopqrstuvwxyz") == ""; j == jobForm && ascii && forms[word] == nil && !foreign[word] {
			t.Errorf("%q has no form", word)
		}
	}
	for mark := range forms {
		if _, ok := otherTriggers[mark]; !ok && mark != "chpasswd" && mark != "akia" && mark != "asia" {
			t.Errorf("%q is looked for by nobody", mark)
		}
	}
}
