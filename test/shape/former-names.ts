/** Names that the code once had, before it had those of the field: none of them comes back. */
export const FORMER_NAMES: ReadonlySet<string> = new Set(
  `
    AdapterPicture AdapterSigns Answered Aside Asked AskedAtBoot AttemptPlace Attempts AuditedVisit
    BarePage Beginning Box BuiltMain Burden Caller CallerSignal Callers Carried CarriedRequest Carry
    ChangeNews CheckOutgoing Circumstances Complaint Deed Departure DesignDesk DesiredOfOne Desk Dialler
    DiallerOptions Doors DoorsInput Ear Echoes EncLeft EndListener EndedToken EndedTokens EntranceTarget
    Errand EventDesk Farewell Fate FreshTrouble GateScene Gathered GivenToken Ground Guess Guesser HandOn
    HearPeers Hearing HearingInput HeldEndedTokens HeldParts HeldSecrets HoldOff Home HotDoor HotRoute
    House InTurn JudgeOptions Judged Judgement KeepCurrentInput KeepOptions KeepSecrets KeptCurrent
    KeptLevels KeptSession KeptTexts KeptToken LOOK_MS LadderInput Ledger LeftOut LentCredentials
    LiveSnapshot Loan LockedPlace LoginGuard LoginPlace Look LookBelow MainOffers Making Migrant
    MigrantKind NO_WISH News NextPart NotThere Nowhere Offers OffersInput OpenJudge OpenObservation
    OpenOnce OperationDeps Outbox Outside Owed OwnNews OwnedTokenDesk PATIENCE PATIENCE_MS Pair Parcel Pass
    PassTerms Passage Passed Patience PeerWatch Performed PictureInput Piece PlacedFault PlainPage
    PlainTracing PlatformMark Post PourTerms Poured Preparation PrepareInput Prepared PulseInput Rebased
    RefreshPace RelayedLog RenewalPace ResolvedPiece Retired RetiredLeases Returned RevisionLookInput Rooms
    RoomsInput Roster RotationPace Said Say SchemaJudge SchemaVerdict SealedRecord Sealing SecretGroup
    SecretPicture SecretPlace SecretsPicture SeenParts ServerSigns Serving ServingInput SessionKeeper
    SharedEndedTokens Sheet Shelf SignInFirst SignedIn SingleLogin Sink SoundPart Spared Spot Standing
    Standings Strain StreamDoor StreamDoorDeps StreamLines Strip Suspect TakenField Tally TaskWishes Teller
    Tellers TokenDesk TokenJudges TokenSource Told Trip Trouble TryOutcome Turnstile Underpinnings Visit
    VisitDeps VitalSigns VitalSignsInput Vitals Wanted Way WayOut WayToEdit Ways Weighing Whereabouts Wish
    WorkerBasis WorkerOffers Workshop World WrittenPiece YangComplaint aboutOf aloneWith answerOf
    answeredBy askAtBoot basisFor bury callOff callerGone carryOut carryReferences complain complaintOf
    connectRooms createChangeNews createDoors createEndedTokens createEventDesk createHotDoor
    createKeepSecrets createLadder createNews createOffers createOutbox createOutgoingCheck createPause
    createRevisionLook createRoster createRotationPace createStandings createStreamDoor createTally
    createTurns createTurnstile createWays decay deleteWish doubtAudit endedHereAlone endsBoot escapeUnseen
    factsOf fateOf feelPulse findMigrants firing firstRoom gather giveToken goOn greet hangUp hasArrived
    headFault hearOf hearPeers homeOf homesOf inTurn isOutage isReusable isUnsent judgeData judgeTokens
    judged keepCurrent keepFormer keepPart keepReporting keepSession keeperFor keepsNoVersions logVisit
    lookAround lookUp lookUpSecrets markup maskedSecrets mayConcern mint mostTelling nextAdapter nextMain
    notTooOften openCallers openEntrance openGround openHandOn openHouse openObservation openSchemaJudge
    openServing openSite openStreamDoor openVisit openVitals openWorld ownLines ownRecord ownersBehind
    passBack passOn passedOn passedState patienceFor patienceOf performedOrThrow pictureOf pour
    prepareWorkers problemAnswer rarely readKept redirectAnswer refusalPage refuseBeyond refuseOnWire
    refuseTheRest refusingSource replaceLoans replyAnswer reportStray sealingWith secretPlaces selectWish
    selectWishes serveCalls shareEndedTokens shareWork signedIn siteOf spaceRefusals spellings spellingsOf
    spreadNews standInSecrets standingOf standingsOf startNew steadyBeside steadyScheduler stranger swallow
    takeTurn takeUp takeUpRecords takenHomes takenParameter tellBranches tellLogin tellOfBegin tellOfTorn
    tellingOf textAnswer toBaseUrl toldUsage troubleOf troublesOf tryWays undivided unfit unlock unrunnable
    upsertWish verdictOf wasHeldBack wasRefused watchCaller watchGoodbye watchVitalSigns weigh wentLive
    wishFor wishOf withFacts withPatience
  `
    .trim()
    .split(/\s+/),
);

/** Phrases that name no object, or are translated word by word. */
export const ODD_IDIOMS =
  /\b(?:tells?|told|stands?|stood|whoever|nobody|somebody|anew|call(?:s|ed)? off|hears?|heard|looks? (?:at|for|into) (?:it|them|what)|puts? up with|owned up|takes? no part|serves on|so many|at which|behind (?:it|them|which)|is none|are none|has (?:it|them) (?:done|made)|what is (?:asked|known|told|live|under way)|the way of|by itself|by themselves|for ever|of its own|in vain|goes on|comes? to)\b/i;
