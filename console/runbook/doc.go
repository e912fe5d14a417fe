// Package runbook answers the console's calls from runbooks: plans for known
// trouble, written in TOML, that follow along as commands are run. It needs no
// network and no model.
//
// # A runbook
//
// One file a runbook. All patterns are RE2 and ignore case; what is not known is an
// error.
//
//	title      = "Disk full"                      # what it is about, in a few words
//	summary    = "Finding what fills {mount}"     # the intent's first line
//	confidence = 0.6                              # 0..1, rises with the steps done
//	say        = "Let us see what is in {mount}." # the first answer in the chat
//	ask        = ["Is this since a deployment?"]  # questions that narrow it down
//
//	[when]                            # what starts it; any of these
//	message = ['disk .*full']         #   words of the operator: each adds 2
//	output  = ['No space left on']    #   what a host printed: each adds 1
//	command = ['^df\b']               #   a command that failed: each adds 1
//
//	[[var]]                           # what {name} stands for
//	name    = "mount"
//	default = "/"
//	unknown = "the file system"       # what texts say while nothing was learned
//	message = ['(/[\w./-]+)']         #   first group, from the operator's words
//	output  = ['100% (/\S*)']         #   or from output
//	command = ['^df .* (/\S*)']       #   or from a command line
//
//	[[step]]
//	text = "Check overall usage with df -h"
//	done = ['^(sudo )?df\b']          # a command that ran and did not fail
//	seen = ['Use%']                   # or output that shows the same
//	follows = true                    # counts only once the step before is done
//
//	[[step.command]]
//	command     = "df -h {mount}"
//	description = "Free space of {mount}"
//	risk        = "low"
//	otherwise   = "df {mount}"        # when the first is not there (exit code 127)
//	early       = true                # shown last in the list, before its step comes
//
//	[[finding]]                       # what to say about output; {1} is a group
//	command = ['^du\b']               #   only of these commands; none: of any
//	output  = '([\d.]+[GT])\s+(/\S+)'
//	say     = "{2} holds {1}."
//	set     = { mount = "{2}" }       #   and what it tells the variables
//
//	[[example]]                       # run by the tests
//	message = "/var is full"          #   message, or command and output
//	[[counter]]
//	message = "the disk is fine"
//
// {sudo} is "sudo " unless the account is root.
//
// # What a host prints is not trusted
//
// A variable takes only words of letters, digits and ._/:@+%- that do not begin with
// a dash, at most 200 bytes; so output cannot write a command. Everything that the
// engine suggests is in a runbook, word for word, but for these words.
package runbook
