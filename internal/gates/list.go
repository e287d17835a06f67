package main

// A gate is something that must hold whatever happens.
type gate struct {
	id    string
	holds string

	// tests prove it: a folder, then regular expressions for the names of its tests. A
	// test says how many cases it tried with cases.Tried; otherwise its subtests count.
	// A test that is not there is a bad case, unless its name begins with "?".
	tests [][]string

	run  func(form) outcome // proves the rest; nil if there is none
	note string             // what the numbers mean
}

// gates are those of the programme, in its order: R for what is stored, P for what is
// read, S for who attacks, M for agents' protocol, B for the program itself.
var gates = []gate{
	{id: "R1", holds: "killed at random while indexing or updating: the next start works, each document old or new, never torn", tests: [][]string{
		{".", "TestKilledWhileIndexing", "TestKilledWhileTheIndexLives"},
		{"./internal/engine/segment", "TestKilledAtRandom"},
		{"./internal/surface/cli", "TestKilledUpdate"},
		{"./internal/source/fetch", "TestKilledUpdateLeavesAUsableTree"},
		{"./internal/store/sqlite", "TestKilledWriter", "TestKilledBeforeTheFirstTable"},
	}},
	{id: "R2", holds: "killed in every single call that changes a file, of an index of 200 documents, of a pack, of a database, and of changes to them: the same", tests: [][]string{
		{".", "TestFaultAtEveryWrite"},
		{"./internal/engine/segment", "TestKilledAtEveryStep"},
	}, note: "the log of each run proves which call it was"},
	{id: "R3", holds: "the power fails at any moment: an index or a pack is the old one or the new one", tests: [][]string{
		{"./internal/engine/segment", "TestPowerFailure", "TestPowerFailureWhileAFileIsWritten"},
	}, note: "every state that a file system may leave, by a model of the least it must do; for a database SQLite promises it"},
	{id: "R4", holds: "the disk is full: a clear error, the old index serves, nothing is left behind", tests: [][]string{
		{".", "TestFaultAtEveryWrite", "TestFullDisk", "TestFullDiskLater"},
		{"./internal/engine/segment", "TestFullDisk", "TestReadOnlyFileSystem"},
	}},
	{id: "R5", holds: "the disk fails in any call that changes a file: an error, and a whole index", tests: [][]string{
		{".", "TestFaultAtEveryWrite"},
		{"./internal/engine/segment", "TestFailureAtEveryStep"},
	}},
	{id: "R6", holds: "flipped bits, cuts, zeroes and garbage in index, pack and lists: found, and rebuilt or refused; no wrong answer", tests: [][]string{
		{".", "TestDamagedIndexIsMadeAnew", "TestDamagedIndexIsBroughtUpToDate", "TestDamagedPack", "TestDamagedFoldersAreReadAgain", "TestDamagedNamedIndexesAreMended", "?TestIndexCutShortWhileAsked", "?TestReplacedPackIsOpenedAgain"},
		{"./internal/engine/segment", "TestEveryFlippedBitIsFound", "TestEveryTruncationIsRefused", "TestRandomDamage", "TestFileCutShortWhileOpen"},
		{"./internal/library/refresh", "?TestSegmentCutShortWithinAQuestion"},
	}},
	{id: "R7", holds: "two writers and eight readers on one index, also in processes of their own: no error, every answer true", tests: [][]string{
		{".", "TestWritersAndReaders", "TestWritersWithOtherSettings"},
		{"./internal/engine/segment", "TestWritersAndReaders", "TestWritersAndReadersInProcesses", "TestOneWriterAtATime"},
		{"./internal/store/sqlite", "TestOneWriterManyReaders"},
	}},
	{id: "R8", holds: "files edited, truncated, renamed and deleted while they are indexed: afterwards as if made afresh", tests: [][]string{
		{".", "TestChangesWhileIndexing", "TestBurstSettlesToARebuild"},
		{"./internal/source/crawl", "TestFilesThatChangeWhileTheyAreRead", "TestFaults"},
	}},
	{id: "R9", holds: "change after change: the answers are those of an index made afresh", tests: [][]string{
		{".", "TestIncrementalEqualsRebuild", "TestCompactEqualsRebuild"},
		{"./internal/engine/index", "TestIncrementalEqualsRebuild"},
		{"./internal/engine/graph", "TestEditsEqualRebuild"},
	}},
	{id: "R10", holds: "a file that was changed, moved or deleted is never served as it was", tests: [][]string{
		{".", "TestChangedFilesAreNotServedAsTheyWere", "TestUnreadableDocumentIsDropped", "TestNothingIsMissingUnlessJustCompared"},
	}},
	{id: "R11", holds: "formats of other versions: a clear message or a rebuild", tests: [][]string{
		{"./internal/engine/segment", "TestOtherVersionsSayWhatToDo", "TestOtherFilesAreRefused", "TestFormat1IsWrittenAndRead", "TestManifest1IsRead"},
		{"./internal/store/sqlite", "TestOpenRefusesWhatIsNotOurs"},
	}, note: "no version is released yet"},
	{id: "R12", holds: "memory: 1 GiB of documents within 512 MiB, 200,000 small files within 300 MiB, GOMEMLIMIT obeyed", tests: [][]string{
		{"./internal/surface/cli", "TestTortureMemory", "TestTortureManyFiles", "TestTortureMemoryLimit"},
	}},

	{id: "P1", holds: "any Markdown file up to 10 MiB: at most 2 s of processor time and 200 MiB", tests: [][]string{
		{"./internal/text/markdown", "TestPathologicalInputs", "TestPathologicalPages", "TestPagesAreLinear", "TestStructureIsBounded"},
		{"./internal/text/chunk", "TestHostileShapes", "TestWorkIsLinear"},
		{"./internal/engine/index", "TestUnlistedWords"},
		{"./internal/surface/cli", "?TestTortureLargeFiles"},
	}},
	{id: "P2", holds: "the examples of CommonMark 0.31: blocks, headings and lines as the reference has them", tests: [][]string{
		{"./internal/text/markdown", "TestSpecExamples", "TestSpecPages", "TestSpecLinks"},
	}},
	{id: "P3", holds: "encodings and line ends: read, or skipped with the reason", tests: [][]string{
		{"./internal/source/crawl", "TestEncodings"},
		{"./doc", "TestEndLines"},
	}},
	{id: "P4", holds: "huge files, deep and wide folders, strange names: no crash, and what is skipped is counted", tests: [][]string{
		{"./internal/source/crawl", "TestDeepFolders", "TestWideFolder", "TestNamesThatCannotBePrinted", "TestListSkipsBySize", "TestHostileIgnoreFiles"},
		{"./tool", "TestEveryRefLeadsBack"},
		{"./internal/surface/cli", "TestTortureManyFiles", "TestTortureHugeFiles", "TestTortureAMillionFiles"},
	}},
	{id: "P5", holds: "pipes, sockets, links out and in circles, folders without permission: no hang, nothing read outside", tests: [][]string{
		{"./internal/source/crawl", "TestFIFOsAndSocketsDoNotHang", "TestSymlinksAreNotFollowed", "TestTheTreeItselfMayBeASymlink", "TestUnreadableIsSkipped", "TestOpenRefuses"},
		{"./internal/engine/segment", "TestPipesDoNotBlock", "TestLinksDoNotLeadOutside"},
	}},
	{id: "P6", holds: "everything that reads bytes from outside, on random input: no crash, no broken promise", run: fuzz},
	{id: "P7", holds: "any text is a question: none fails", tests: [][]string{
		{".", "TestAnyTextIsAQuestion", "TestDatabaseTakesAnyQuestion"},
		{"./internal/store/sqlite", "TestAnyWordIsAValidQuery"},
	}},
	{id: "P8", holds: "nasty patterns for grep: answered or refused soon", tests: [][]string{
		{"./internal/engine/grep", "TestNastyPatternsAreAnsweredOrRefused", "TestLargePatternsAreRefused"},
		{"./internal/glob", "TestHostilePatterns"},
		{"./internal/source/crawl", "TestHostilePatternsEnd"},
	}},

	{id: "S1", holds: "names that try to leave the corpus: none reads a file outside it", tests: [][]string{
		{".", "TestNoNameLeadsOutside", "TestSetsLeadNowhereElse"},
		{"./internal/source/crawl", "TestReadRefusesWhatIsNotInTheTree"},
		{"./internal/surface/web", "TestWhatIsRefused"},
	}},
	{id: "S2", holds: "malicious archives: nothing written outside, all limits kept", tests: [][]string{
		{"./internal/source/fetch", "TestHostileArchives", "TestBombIsGivenUpEarly", "TestLinksInTheProjectLeadNowhere"},
	}},
	{id: "S3", holds: "keys and tokens go nowhere but to their server, by no redirect, and into no error", tests: [][]string{
		{"./internal/source/fetch", "TestTokenStaysHome", "TestTokenNeedsHTTPS"},
		{"./internal/model/llm", "TestKeyStaysAtHome", "TestKeyIsNotInErrors"},
	}},
	{id: "S4", holds: "Host, Origin, token, path and slow clients over HTTP: each gets exactly the status it must", tests: [][]string{
		{"./internal/surface/mcp", "TestWhoIsLetIn", "TestTwoOriginsAreForeign", "TestBadHTTPRequests", "TestAddressesOthersCanReachNeedAToken", "TestSlowRequestsAreGivenUp", "TestSlowReadersAreGivenUp", "TestIdleConnectionsAreLimited"},
		{"./internal/surface/cli", "TestPagesAreGuarded"},
	}},
	{id: "S5", holds: "hostile documents: no hidden characters in answers, no script in pages, no word in what agents are told of tools", tests: [][]string{
		{"./internal/surface/mcp", "TestHostileDocumentsAreTamed", "TestNamesOfFoldersCannotSpeak"},
		{"./internal/surface/web", "TestHostileDocuments", "TestNothingUnescaped", "TestPagesKeepTheirPolicy", "TestForeign"},
		{"./internal/text/visible", "TestText"},
		{"./internal/model/llm", "TestHostileCandidates"},
	}},
	{id: "S6", holds: "a hostile project: no command run, no path outside, no endpoint of its choice", tests: [][]string{
		{"./internal/source/config", "TestHostileConfigs"},
		{"./internal/source/trust", "TestHostileConfigs"},
		{"./internal/source/git", "TestHostileConfiguration"},
		{"./internal/source/fetch", "TestGitRunsNoCommands"},
		{".", "TestIndexesAreNotWrittenElsewhere"},
	}},

	{id: "M1", holds: "the protocol's own conformance suites", run: conformance("suite-", "docent-", "typescript-")},
	{id: "M2", holds: "the inspector: every tool, resource and prompt, in both eras, over stdio and HTTP", run: conformance("inspector-")},
	{id: "M3", holds: "bad frames, odd strings in any field, the end of input: the server lives and says only messages", tests: [][]string{
		{"./internal/surface/mcp", "TestRandomFramesDoNotEndTheSession", "TestAnyStringOfAnyMethodIsAnswered", "TestABadLineCostsThatLine", "TestAnyURIIsAnswered", "TestEndOfInputWaitsForAnswers", "TestEndOfInputDoesNotWaitForEver"},
		{"./internal/surface/cli", "TestPipes"},
	}},
	{id: "M4", holds: "many clients at once: no error, no growth of memory, descriptors or goroutines", tests: [][]string{
		{"./internal/surface/mcp", "TestManyClientsOverHTTP", "TestManyReadersWhileFilesChange"},
		{"./internal/surface/cli", "TestManyClientsOfOneProcess"},
		{"./internal/surface/web", "TestManyReaders"},
	}},
	{id: "M5", holds: "a panic costs one call; cancelling and hanging up stop the work", tests: [][]string{
		{"./internal/surface/mcp", "TestPanicIsAnErrorOfOneCall", "TestCancelStopsWork", "TestAClientThatGoesAwayStopsItsCall", "TestAClientThatHangsUpIsNoError", "TestSlowAnswersAreNotGivenUp"},
		{"./internal/library/refresh", "TestPanicReleasesTheSnapshot"},
		{".", "TestWorkEndsWithItsContext"},
	}},
	{id: "M6", holds: "no answer is dearer than its budget, no definition than it may be", tests: [][]string{
		{"./internal/surface/mcp", "TestNoAnswerIsDearerThanItMayBe", "TestDefinitionsAreCheap", "TestDefinitionsSuitEveryClient"},
		{".", "TestBudgetIsKept"},
	}},
	{id: "M7", holds: "no data race in any test of storage, library and servers", run: race},

	{id: "B1", holds: "the same source gives the same program, from two folders, for four systems", run: reproducible},
	{id: "B2", holds: "no connection unless one is asked for", tests: [][]string{
		{"./internal/surface/cli", "TestNoConnections"},
		{"./internal/model/llm", "TestMakingAClientOpensNoConnection"},
	}},
}
