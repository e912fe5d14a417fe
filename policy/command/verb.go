package command

import "strings"

// verbs are the words that say what a client with noun-verb commands (gcloud
// compute instances delete, az group list, gh pr merge) is told to do.
var verbs = setOf(`list ls show get describe info status create delete add remove rm update set unset edit start stop restart reset
deploy apply destroy view print access read write put patch purge cancel approve merge close open sync diff logs log run exec login logout
list-keys check validate export import restore backup enable disable attach detach move mv copy cp rename resize scale promote failover
suspend resume terminate kill drain rollback upgrade install uninstall init migrate reboot regenerate rotate renew revoke grant lock unlock
undelete recover execute invoke call submit push pull publish subscribe tail watch wait search query find inspect verify test preview plan
download upload generate sign encrypt decrypt refresh clone fork archive transfer browse api token deallocate version help ps members monitor
consume produce purge deprecate abandon clear down up describe-storage health report stats metrics whoami checks exists url untag`)

// Verb is the first operand that is a verb; if none is, the last operand that
// is a plain word.
func (o *Options) Verb() (Word, bool) {
	last := -1
	for i := range o.Operands {
		t := o.Operands[i].Text
		if verbs[t] || hasVerbPrefix(t) {
			if i == 0 && len(o.Operands) > 1 && nounToo[t] {
				continue
			}
			return o.Operands[i], true
		}
		if plainWord(t) {
			last = i
		}
	}
	if last < 0 {
		return Word{}, false
	}
	return o.Operands[last], true
}

// nounToo are verbs that some clients use as the name of a group.
var nounToo = setOf("backup restore run search api log logs monitor test deploy export import version status plan query token init secrets token lock")

func hasVerbPrefix(t string) bool {
	for _, p := range []string{"list-", "show-", "get-", "describe-", "delete-", "create-", "add-", "remove-", "set-", "print-", "update-", "reset-", "generate-", "check-", "regenerate-", "export-", "import-", "clear-", "detach-", "attach-", "stop-", "start-", "sign-", "simulate-"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

func plainWord(t string) bool {
	for i := 0; i < len(t); i++ {
		if c := t[i]; c != '-' && c != ':' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return t != ""
}
