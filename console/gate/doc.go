// Package gate is the only way out: nothing leaves for a host without a
// Cleared, and only this package can make one.
//
// # Order of a decision
//
// Submit takes exact text and does, in this order and never another:
//
//  1. checks that no policy can relax: a redactor's placeholder in text that
//     a machine wrote, invalid UTF-8, control characters other than newline
//     and tab, a learned secret;
//  2. asks the policy;
//  3. asks the operator, if the effect wants it, one question a session at a
//     time;
//  4. asks the policy again, with the time of the answer: another digest or
//     another effect voids the consent;
//  5. appends the intent record and waits until it is durable;
//  6. returns a Cleared bound to this slot and its epoch.
//
// Any failure on the way is a Refusal that says who refused, why, and what to
// do; nothing has left then. A refusal by anything but a failing log is itself
// recorded. No record of something that was to leave stays open: where the
// prompt changed after step 5, a further record says that nothing was sent, and
// Abandon gives that record for a Cleared which came too late.
//
// # What a Cleared is worth
//
// It is spent once, in the slot it was made for, and only in the epoch it was
// made in: Enter starts a new epoch whenever the prompt, the field or the
// program in front changes. A second wire step (the accept that follows an
// injected text) comes from Next, and only when the shell's own answer equals
// the judged text. At an integrated prompt no clearance holds a carriage
// return or a line feed, whatever made it.
//
// # Entry paths
//
// Every way by which something can reach a host. Path, who may, what judges,
// what records, which test shows it; "refused" stands where a path is not
// built: nothing can leave by it. A test keeps this table, the tests that it
// names and the ways to write of package remote together.
//
//	path                     who       judged by                  record           shown by
//	typed line               operator  policy, consent            command.intent   TestLineExitCwdAndOutputAreExact
//	Enter by another key     operator  policy, consent            command.intent   TestEveryKeyThatAcceptsALineAsks
//	recalled line            operator  policy, consent            command.intent   TestRecalledAndExpandedLinesAreJudgedWhole
//	several lines            operator  policy, consent, joined    command.intent   TestSeveralLinesAreJudgedJoined
//	editor on the line       refused   not built                  -                TestNoEditorIsOpenedOnTheLine
//	macro, bound key         operator  policy, or the veto        command.refused  TestMacrosAndBoundKeysAreJudged
//	bytes in the terminal    anyone    policy, or the veto        command.refused  TestWhatIsAlreadyInTheTerminalIsJudged
//	paste                    operator  policy, consent            command.intent   TestAPasteOfLinesIsOneCleanedRequest
//	mouse paste              operator  as paste                   command.intent   TestAPasteOfLinesIsOneCleanedRequest
//	bracketed paste          operator  as paste                   command.intent   TestPrivateBytesNeverComeFromKeysOrPastes
//	keys typed ahead         operator  policy, when it is a line  command.intent   TestKeysTypedWhileSomethingRunsAreHeldThenJudged
//	composed line            operator  policy, consent            command.intent   TestOfARefusedComposedLineNoByteArrives
//	suggestion               operator  policy, consent            command.intent   TestSuggestionsArriveExactly
//	edited suggestion        operator  policy, consent            command.intent   TestAnEditedSuggestionIsRecordedWithItsEdit
//	copied suggestion        operator  policy, as a suggestion    command.intent   TestASuggestionCopiedByHandKeepsItsOrigin
//	agent's command          operator  policy, consent            command.intent   TestASuggestionKeepsItsOriginHoweverItGotThere
//	agent's keys             refused   not built                  -                TestKindsNeedTheirPhase TestWaysThatAreNotBuiltHaveNoCommand
//	run                      operator  policy, consent            command.intent   TestRunNeedsAChannelOfItsOwn
//	line for a program       operator  policy, its dialect        input.line       TestAQuestionOpensALineField
//	a shell's own question   operator  y or n alone               input.line       TestAShellsOwnQuestionIsAnswered TestAShellThatReadsAKeyIsNotAsked
//	end of file              operator  always                     input.eof        TestAProgramThatReadsLinesGetsThemAndAnEnd
//	line for a device        operator  policy, consent            command.intent   TestANetworkDeviceIsComposed
//	a device's help keys     operator  its profile                counted          TestADevicesHelpAndCompletionAcceptNothing
//	secret for a program     operator  the approved command       secret.entered   TestASecretIsMaskedLearnedAndNotRecorded
//	keys for a program       operator  policy [interactive]       keys.open        TestAnEditorGetsKeysAndTheGateComesBack
//	editor started otherwise operator  policy [interactive.start] keys.open        TestAnEditorThatAnotherNameStartedAsks TestAProgramIsStartedAsThePolicySays
//	keys for a shell inside  refused   policy [interactive]       command.refused  TestAShellInsideAnEditorGetsNoKeys
//	a terminal multiplexer   refused   policy [interactive]       command.refused  TestWhatWouldHideCommandsIsRefused TestAMultiplexerGetsNoKeys
//	a shell in its place     operator  policy, consent            command.intent   TestAShellInTheShellsPlaceIsIntegrated TestAShellWhoseMarksAreLostIsAsked
//	editing keys             operator  the session's state        counted          TestNoLineEndLeavesForAnIntegratedPrompt
//	signals                  operator  always                     counted          TestInterrupts
//	terminal replies         console   fixed forms                counted          TestRepliesAreFixedForms
//	bootstrap                console   constant texts             session.boot     TestControlsAreAClosedSet
//	side channel             console   constant texts             counted          TestControlsAreAClosedSet
//	reconnect                operator  a new slot and handshake   session.boot     TestAClearanceIsSpentOnceInItsSlotAndEpoch
//	upload, download         refused   not built                  command.refused  TestFilesAndChannelsAreDeniedUnlessThePolicyAllowsThem TestWaysThatAreNotBuiltHaveNoCommand
//	forwarded ports          programs  policy [channels], each    channel.open     TestPortsAreForwardedWhereThePolicyAllowsThem TestChannelsAreDeniedUnlessThePolicyAllowsThem
//	agent forwarding         the host  policy [channels], each    channel.open     TestTheAgentIsForwardedWhereThePolicyAllowsIt TestNothingIsForwardedWithoutAClearance
//	X11                      the host  policy [channels], each    channel.open     TestX11IsForwardedWhereThePolicyAllowsIt
//	environment              operator  policy [channels]          channel.open     TestChannelsAreDeniedUnlessThePolicyAllowsThem
//	code bound to keys       operator  policy [prompt]            session.boot     TestCodeBoundToKeysIsHeldToThePolicy
//	lines that bind code     operator  policy [prompt]            command.intent   TestALineThatBindsCodeIsHeldToThePolicyAndTaints
//	a shell inside           operator  policy, consent            command.intent   TestSudoAndSuAreFramedWithTheirAccount
//	a shell on a host behind operator  policy, consent            command.intent   TestOnwardSSHIsFramedAndUnverified
//	channels from the host   refused   what was not asked for     channel.open     TestServerGetsNothingForwarded TestAHostOpensOnlyWhatWasAskedFor TestWhatAHostOpensUnaskedIsRefusedAndRecorded
//	subsystems               refused   policy [channels]          command.refused  TestFilesAndChannelsAreDeniedUnlessThePolicyAllowsThem
//	login                    refused   not built                  -                TestWaysThatAreNotBuiltHaveNoCommand
//
// # What this package does not promise
//
// It judges that a program which owns the screen was started, not what is
// typed in it; that a connection is forwarded, not what passes through it. It
// believes the state that a shell reports only as far as the policy treats it:
// an unknown state makes every reading count. It cannot know what a remote does
// with bytes that were sent.
package gate
