package session_test

import (
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// rows are the tests of the acceptance table in the package documentation.
var rows = [][]func(*testing.T){
	1:  {TestLineExitCwdAndOutputAreExact, TestOfAnAcceptedLineNoLineEndArrives},
	2:  {TestDeniedLineStaysToBeEdited},
	3:  {TestKeysWaitWhileAQuestionIsOpen},
	4:  {TestEveryKeyThatAcceptsALineAsks},
	5:  {TestNoEditorIsOpenedOnTheLine, TestViMode},
	6:  {TestRecalledAndExpandedLinesAreJudgedWhole},
	7:  {TestSeveralLinesAreJudgedJoined},
	8:  {TestAContinuedWordIsJudgedJoined},
	9:  {TestAPasteOfLinesIsOneCleanedRequest},
	10: {TestKeysTypedWhileSomethingRunsAreHeldThenJudged},
	11: {TestWhatIsAlreadyInTheTerminalIsJudged, TestMacrosAndBoundKeysAreJudged},
	12: {TestNineWaysPastTheHookAreVetoed},
	13: {TestForgedAndReplayedMarksAreNothing},
	14: {TestSecretsAreNowhereOnTheHost},
	15: {TestABufferThatChangedWhileAQuestionWasOpenDoesNotRun, TestAWrongKeyRunsNothing, TestAWindowThatClosesWhileAQuestionIsOpenRefuses},
	16: {TestInterrupts},
	17: {TestBackgroundOutputDisturbsNothing},
	18: {TestSuggestionsArriveExactly, TestAComposedSuggestionIsRefusedOrExact},
	19: {TestCompletionRunsNothing, TestAbbreviationsAndCorrectionAreSeen, TestCorrectionCannotChangeAnApprovedLine, TestCodeBoundToKeysIsListed, TestCodeBoundToKeysIsHeldToThePolicy},
	20: {
		TestANestedShellIsFramedAndPopped, TestSudoAndSuAreFramedWithTheirAccount, TestOnwardSSHIsFramedAndUnverified,
		TestAContainersShellIsFramed, TestAShellThatCannotBeFramedIsHeld, TestAMultiplexerGetsNoKeys,
	},
	21: {TestASecretIsMaskedLearnedAndNotRecorded, TestSudosPasswordIsMasked, TestASecretTypedTooEarlyIsDropped, TestLinesForAShellInAPipeAreJudgedAsItsInput},
	22: {
		TestAQuestionOpensALineField, TestAPackageManagersQuestion, TestAProgramThatReadsLinesGetsThemAndAnEnd,
		TestALineEditorsLinesAreText, TestAnInterpretersLinesAreCode, TestADatabaseClientsLinesAreSQL, TestARealDatabaseClientsLinesAreSQL, TestAShellThatReadsLinesIsJudgedByItsDialect,
	},
	23: {TestAnEditorGetsKeysAndTheGateComesBack, TestAProgramIsStartedAsThePolicySays, TestAShellInsideAnEditorGetsNoKeys, TestAnUnlistedProgramGetsNoKeys},
	24: {TestAForceCommandGetsComposedLines, TestStartFilesThatReplaceTheShell, TestStartFilesThatBecomeAnotherShell, TestALineEditorThatIsTurnedOff, TestAHostWithoutSttyIsComposed},
	25: {TestRandomKeysRunNothing},
	26: {TestWhatAReaderOfTheScreenGetsWrong, TestAPagersSpaceIsNoLine},
	27: {TestTheShellsStateReachesThePolicy, TestACommentIsOneOnlyWhereTheShellTakesItForOne, TestAnAliasOrFunctionIsJudgedForWhatItIs, TestALineInAnotherCharmapIsNotReadAsUTF8},
	28: {TestASuggestionCopiedByHandKeepsItsOrigin},
	29: {TestASlowLink, TestEnterBehindASlowCompletionRunsOnce, TestAHostThatAnswersLateWaitsOrComposesAsTold},
}

func nameOf(f func(*testing.T)) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// The table in the package documentation names the tests of each row, and they
// are those that run over a slow link too.
func TestEveryAcceptanceRowHasItsTests(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\bTest\w+`)
	said := regexp.MustCompile(`(?m)^//\t\d\d .*$`).FindAllString(string(doc), -1)
	if len(said) != 29 || len(rows) != 30 {
		t.Fatalf("%d rows in the documentation, %d here", len(said), len(rows)-1)
	}
	for i, line := range said {
		var here []string
		for _, f := range rows[i+1] {
			here = append(here, nameOf(f))
		}
		if got := names.FindAllString(line, -1); !slices.Equal(got, here) {
			t.Errorf("row %d: the documentation says %v, what runs is %v", i+1, got, here)
		}
	}
}

// roundTrip is that of a slow link.
const roundTrip = 150 * time.Millisecond

const slowTest = "TestAcceptanceOverASlowLink"

// slow tells whether a test runs over a slow link.
func slow(t *testing.T) bool { return strings.HasPrefix(t.Name(), slowTest+"/") }

// Every row over a link with a round trip of 150 ms: at night in every shell,
// by day in one, another from row to row.
func TestAcceptanceOverASlowLink(t *testing.T) {
	for _, tests := range rows {
		for _, f := range tests {
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
