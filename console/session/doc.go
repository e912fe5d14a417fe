// Package session keeps the state of one remote shell and its journal of
// commands. It is the only reader of the shell's channel: it takes marks out
// of what the remote prints, splits the output there, and feeds the screen,
// the recording and the redactor with the rest. It turns keys into requests;
// package gate decides what leaves.
//
// # States
//
//	Boot → Prompt ⇄ Continuation;  Prompt/Continuation → Query → (Confirm) → Granted → Running (→ Field | Keys) → Prompt
//	any → Interrupt · silence → Waiting → Degraded · EOF → Dead
//
// One goroutine, started by Run, owns the state. Key, Paste, Send and the
// other methods put a request into its queue and return; View and Journal
// give copies.
//
// # Acceptance
//
// What a person, a host and a program may do at the keys, and what must come of
// it. The third column says in which shells: b bash, z zsh, f fish, and d those
// whose lines are composed: dash, busybox's ash, mksh, and a bash that says it is
// older than 5.1. Each row runs on a real sshd with the real shells, on loopback
// and over a link with a round trip of 150 ms: at night in all of its shells, by
// day in some. After each test the journal, the policy's verdicts and the log are
// held to each other. Tests keep this table and the tests that it names together,
// and a run fails that left a row out in one of its shells or on one of the links.
//
//	row  what is done                                             what comes of it                            in    tests
//	01   echo hi; cd /tmp; sh -c 'exit 7' Enter                   exact line, exit code, cwd, output          bzfd  TestLineExitCwdAndOutputAreExact TestOfAnAcceptedLineNoLineEndArrives
//	02   a denied line, Enter, edit, Enter                        stays, runs after the edit                  bzfd  TestDeniedLineStaysToBeEdited
//	03   a question: type ahead, refuse, approve                  keys wait, nothing runs on refuse           bzfd  TestKeysWaitWhileAQuestionIsOpen
//	04   ^J ^O M-Enter ^X^J M-a                                   each asks                                   bzf   TestEveryKeyThatAcceptsALineAsks
//	05   ^X^E; vi mode Esc Enter, v, #                            opens none; asks                            bzf   TestNoEditorIsOpenedOnTheLine TestViMode
//	06   Up Enter; ^R text Enter; !! !$ ^a^b                      the expanded line is judged                 bzf   TestRecalledAndExpandedLinesAreJudgedWhole
//	07   loop and heredoc over several lines                      judged joined                               bzf   TestSeveralLinesAreJudgedJoined
//	08   a word continued by a backslash                          judged joined                               bzfd  TestAContinuedWordIsJudgedJoined
//	09   a paste of lines that ends itself early                  one request, cleaned                        bzfd  TestAPasteOfLinesIsOneCleanedRequest
//	10   typing while something runs                              held, then judged                           bzfd  TestKeysTypedWhileSomethingRunsAreHeldThenJudged
//	11   bytes in the terminal, a macro, a bound key              each judged                                 bzf   TestWhatIsAlreadyInTheTerminalIsJudged TestMacrosAndBoundKeysAreJudged
//	12   nine ways past the hook                                  vetoed                                      b     TestNineWaysPastTheHookAreVetoed
//	13   forged, current and replayed marks, LOADER               ignored                                     bzfd  TestForgedAndReplayedMarksAreNothing
//	14   the frame's secrets in env, /proc, ps, files             none                                        bzf   TestSecretsAreNowhereOnTheHost
//	15   changed buffer, wrong key, closed window                 nothing runs                                bzf   TestABufferThatChangedWhileAQuestionWasOpenDoesNotRun TestAWrongKeyRunsNothing TestAWindowThatClosesWhileAQuestionIsOpenRefuses
//	16   ^C on a line, ^C and ^Z on a program                     130, 148, prompt back                       bzf   TestInterrupts
//	17   background output every 10 ms                            disturbs nothing                            bzfd  TestBackgroundOutputDisturbsNothing TestTheRowsHoldBesideOutput
//	18   a suggestion: heredoc, quotes, unicode, !!, 16 KiB       exact; composed: refused or exact           bzfd  TestSuggestionsArriveExactly TestAComposedSuggestionIsRefusedOrExact
//	19   Tab on a substitution, abbreviations, correct            nothing runs that is not listed             bzf   TestCompletionRunsNothing TestAbbreviationsAndCorrectionAreSeen TestCorrectionCannotChangeAnApprovedLine TestCodeBoundToKeysIsListed TestCodeBoundToKeysIsHeldToThePolicy
//	20   a shell inside: bash, sudo, su, ssh, container; tmux     framed with its own target, popped, or held  bzf   TestANestedShellIsFramedAndPopped TestSudoAndSuAreFramedWithTheirAccount TestOnwardSSHIsFramedAndUnverified TestAContainersShellIsFramed TestAShellThatCannotBeFramedIsHeld TestAMultiplexerGetsNoKeys TestAShellInTheShellsPlaceIsIntegrated TestAShellWhoseMarksAreLostIsAsked
//	21   read -s, sudo's prompt; typed early; stty -echo          masked, learned, not recorded; dropped      bzf   TestASecretIsMaskedLearnedAndNotRecorded TestSudosPasswordIsMasked TestASecretTypedTooEarlyIsDropped TestLinesForAShellInAPipeAreJudgedAsItsInput
//	22   apt [Y/n], rm -i, ed, cat >f, python3, a bare shell      line field, judged by what reads it         bzf   TestAQuestionOpensALineField TestAPackageManagersQuestion TestAProgramThatReadsLinesGetsThemAndAnEnd TestALineEditorsLinesAreText TestAnInterpretersLinesAreCode TestADatabaseClientsLinesAreSQL TestARealDatabaseClientsLinesAreSQL TestAShellThatReadsLinesIsJudgedByItsDialect
//	23   vi, less, top; a shell inside vi                         raw, the gate comes back; closed and asked  bzf   TestAnEditorGetsKeysAndTheGateComesBack TestAProgramIsStartedAsThePolicySays TestAnEditorThatAnotherNameStartedAsks TestAShellInsideAnEditorGetsNoKeys TestAnUnlistedProgramGetsNoKeys
//	24   ForceCommand, exec in start files, no editor, no stty    degrades, says so, nothing runs unseen      bzf   TestAForceCommandGetsComposedLines TestStartFilesThatReplaceTheShell TestStartFilesThatBecomeAnotherShell TestALineEditorThatIsTurnedOff TestAHostWithoutSttyIsComposed
//	25   600 random keys, all denied                              nothing runs                                bzfd  TestRandomKeysRunNothing
//	26   what a reader of the screen gets wrong                   the exact line is judged                    bzf   TestWhatAReaderOfTheScreenGetsWrong TestAPagersSpaceIsNoLine
//	27   comments, aliases, functions, a charmap                  judged as that shell runs it                bzf   TestTheShellsStateReachesThePolicy TestACommentIsOneOnlyWhereTheShellTakesItForOne TestAnAliasOrFunctionIsJudgedForWhatItIs TestALineInAnotherCharmapIsNotReadAsUTF8
//	28   a suggestion copied by hand and pasted                   keeps its origin, id and risk               bzfd  TestASuggestionCopiedByHandKeepsItsOrigin
//	29   150 ms, a slow completion, a late host                   runs once; waits or composes as told        bzf   TestASlowLink TestEnterBehindASlowCompletionRunsOnce TestAHostThatAnswersLateWaitsOrComposesAsTold
package session
