package session_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

type test = func(*testing.T)

// row is one of the acceptance table: the shells that it is tried in, by their
// letters, and its tests.
type row struct {
	shells string
	tests  []test
}

// rows are the rows of the acceptance table in the package documentation.
var rows = []row{
	1:  {all, []test{TestLineExitCwdAndOutputAreExact, TestOfAnAcceptedLineNoLineEndArrives}},
	2:  {all, []test{TestDeniedLineStaysToBeEdited}},
	3:  {all, []test{TestKeysWaitWhileAQuestionIsOpen}},
	4:  {integrated, []test{TestEveryKeyThatAcceptsALineAsks}},
	5:  {integrated, []test{TestNoEditorIsOpenedOnTheLine, TestViMode}},
	6:  {integrated, []test{TestRecalledAndExpandedLinesAreJudgedWhole}},
	7:  {integrated, []test{TestSeveralLinesAreJudgedJoined}},
	8:  {all, []test{TestAContinuedWordIsJudgedJoined}},
	9:  {all, []test{TestAPasteOfLinesIsOneCleanedRequest}},
	10: {all, []test{TestKeysTypedWhileSomethingRunsAreHeldThenJudged}},
	11: {integrated, []test{TestWhatIsAlreadyInTheTerminalIsJudged, TestMacrosAndBoundKeysAreJudged}},
	12: {"b", []test{TestNineWaysPastTheHookAreVetoed}},
	13: {all, []test{TestForgedAndReplayedMarksAreNothing}},
	14: {integrated, []test{TestSecretsAreNowhereOnTheHost}},
	15: {integrated, []test{TestABufferThatChangedWhileAQuestionWasOpenDoesNotRun, TestAWrongKeyRunsNothing, TestAWindowThatClosesWhileAQuestionIsOpenRefuses}},
	16: {integrated, []test{TestInterrupts}},
	17: {all, []test{TestBackgroundOutputDisturbsNothing, TestTheRowsHoldBesideOutput}},
	18: {all, []test{TestSuggestionsArriveExactly, TestAComposedSuggestionIsRefusedOrExact}},
	19: {integrated, []test{TestCompletionRunsNothing, TestAbbreviationsAndCorrectionAreSeen, TestCorrectionCannotChangeAnApprovedLine, TestCodeBoundToKeysIsListed, TestCodeBoundToKeysIsHeldToThePolicy}},
	20: {integrated, []test{
		TestANestedShellIsFramedAndPopped, TestSudoAndSuAreFramedWithTheirAccount, TestOnwardSSHIsFramedAndUnverified,
		TestAContainersShellIsFramed, TestAShellThatCannotBeFramedIsHeld, TestAMultiplexerGetsNoKeys, TestAShellInTheShellsPlaceIsIntegrated, TestAShellWhoseMarksAreLostIsAsked,
	}},
	21: {integrated, []test{TestASecretIsMaskedLearnedAndNotRecorded, TestSudosPasswordIsMasked, TestASecretTypedTooEarlyIsDropped, TestLinesForAShellInAPipeAreJudgedAsItsInput}},
	22: {integrated, []test{
		TestAQuestionOpensALineField, TestAPackageManagersQuestion, TestAProgramThatReadsLinesGetsThemAndAnEnd,
		TestALineEditorsLinesAreText, TestAnInterpretersLinesAreCode, TestADatabaseClientsLinesAreSQL, TestARealDatabaseClientsLinesAreSQL, TestAShellThatReadsLinesIsJudgedByItsDialect,
	}},
	23: {integrated, []test{TestAnEditorGetsKeysAndTheGateComesBack, TestAProgramIsStartedAsThePolicySays, TestAnEditorThatAnotherNameStartedAsks, TestAShellInsideAnEditorGetsNoKeys, TestAnUnlistedProgramGetsNoKeys}},
	24: {integrated, []test{TestAForceCommandGetsComposedLines, TestStartFilesThatReplaceTheShell, TestStartFilesThatBecomeAnotherShell, TestALineEditorThatIsTurnedOff, TestAHostWithoutSttyIsComposed}},
	25: {all, []test{TestRandomKeysRunNothing}},
	26: {integrated, []test{TestWhatAReaderOfTheScreenGetsWrong, TestAPagersSpaceIsNoLine}},
	27: {integrated, []test{TestTheShellsStateReachesThePolicy, TestACommentIsOneOnlyWhereTheShellTakesItForOne, TestAnAliasOrFunctionIsJudgedForWhatItIs, TestALineInAnotherCharmapIsNotReadAsUTF8}},
	28: {all, []test{TestASuggestionCopiedByHandKeepsItsOrigin}},
	29: {integrated, []test{TestASlowLink, TestEnterBehindASlowCompletionRunsOnce, TestAHostThatAnswersLateWaitsOrComposesAsTold}},
}

func nameOf(f func(*testing.T)) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// The table in the package documentation names the shells and the tests of each
// row, and the tests are those that run over a slow link too.
func TestEveryAcceptanceRowHasItsTests(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	names, letters := regexp.MustCompile(`\bTest\w+`), regexp.MustCompile(` ([bzfd]+) +Test`)
	said := regexp.MustCompile(`(?m)^//\t\d\d .*$`).FindAllString(string(doc), -1)
	if len(said) != 29 || len(rows) != 30 {
		t.Fatalf("%d rows in the documentation, %d here", len(said), len(rows)-1)
	}
	for i, line := range said {
		var here []string
		for _, f := range rows[i+1].tests {
			here = append(here, nameOf(f))
		}
		if got := names.FindAllString(line, -1); !slices.Equal(got, here) {
			t.Errorf("row %d: the documentation says %v, what runs is %v", i+1, got, here)
		}
		if got := letters.FindStringSubmatch(line); got == nil || got[1] != rows[i+1].shells {
			t.Errorf("row %d: the documentation says the shells %q, here are %q", i+1, got, rows[i+1].shells)
		}
	}
}

// coverage is which test ran in which shell at which latency.
type coverage struct {
	mu  sync.Mutex
	saw map[run]bool
}

type run struct {
	test, shell string
	slow        bool
}

var ran = coverage{saw: map[run]bool{}}

// note says that a test has a session with a shell.
func (c *coverage) note(t *testing.T, shell string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(t.Name(), slowTest+"/"), "/")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saw[run{name, shell, slow(t)}] = true
}

// missing are the rows that did not run where the table says: at night in every
// shell on either link, by day in one.
func (c *coverage) missing() []string {
	var out []string
	for n, r := range rows {
		for _, link := range []bool{false, true} {
			var not []string
			want := strings.ReplaceAll(r.shells, "d", "dako")
			for _, letter := range want {
				if !c.ranIn(r, shellNames[letter], link) {
					not = append(not, shellNames[letter])
				}
			}
			if len(not) == len(want) && n > 0 || len(not) > 0 && nightly("y", "") != "" {
				out = append(out, fmt.Sprintf("row %d, slow link %v: not in %s", n, link, strings.Join(not, ", ")))
			}
		}
	}
	return out
}

func (c *coverage) ranIn(r row, shell string, link bool) bool {
	return slices.ContainsFunc(r.tests, func(f test) bool { return c.saw[run{nameOf(f), shell, link}] })
}

// wholeRun tells whether no test was left out on the command line.
func wholeRun() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

// besides are tests of no row that run over a slow link as well, at night.
var besides = []test{
	TestStartFilesOfManyKinds, TestTheSystemsCompletionIsNotTheAccountsCode, TestASlowLoginIsWaitedFor, TestComposedLinesAreCompletedOnTheSideChannel,
	TestComposedHistoryIsSearchedAndLinesAreSeveral, TestLinesAreComposedWithVisKeys, TestANetworkDeviceIsComposed, TestADevicesHelpAndCompletionAcceptNothing,
	TestADevicesEscapeAndQuestions, TestOtherPOSIXShellsAreComposed, TestAnOlderBashIsComposed, TestAPagerRunsNothing, TestAFloodAsksForNothing,
	TestWhatWasTypedBeforeAFieldIsSentOnce, TestPluginsThatWrapTheEditorsWidgets, TestARefusedSuggestionLeavesTheOperatorsLine, TestAQuestionIsVoidWhenItsShellOrItsLineGoes,
}

// roundTrip is that of a slow link.
const roundTrip = 150 * time.Millisecond

const slowTest = "TestAcceptanceOverASlowLink"

// slow tells whether a test runs over a slow link.
func slow(t *testing.T) bool { return strings.HasPrefix(t.Name(), slowTest+"/") }

// Every row over a link with a round trip of 150 ms: at night in every shell,
// by day in one, another from row to row.
func TestAcceptanceOverASlowLink(t *testing.T) {
	for _, r := range rows {
		for _, f := range r.tests {
			t.Run(nameOf(f), func(t *testing.T) { f(t) })
		}
	}
	for _, f := range besides {
		if nightly("y", "") != "" {
			t.Run(nameOf(f), func(t *testing.T) { f(t) })
		}
	}
}

// onLink gives the shells to try: over a slow link one by day.
func onLink(t *testing.T, letters string) string {
	if !slow(t) || os.Getenv("SALLYPORT_NIGHTLY") != "" {
		return letters
	}
	at := len(t.Name()) % len(letters)
	return letters[at : at+1]
}
