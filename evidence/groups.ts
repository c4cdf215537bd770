/** The long version of a check that the test suite contains in short. */
interface Group {
  /** Compiled file, relative to this folder. */
  readonly script: string;
  /** Property that the group shows. */
  readonly says: string;
  /** Ids of the catalogue that it shows. */
  readonly shows?: readonly string[];
  /** Replacement of a part with `--sabotage`; the group must then fail. */
  readonly sabotage: string;
}

export const GROUPS: Readonly<Record<string, Group>> = {
  jwt: {
    script: 'jwt/main.js',
    says: 'tokens of public suites, of a playbook and our own are judged right, and none that was changed is taken',
    shows: ['J1', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7', 'J10', 'J11'],
    sabotage: 'the library alone, no algorithm pinned',
  },
  paths: {
    script: 'paths/main.js',
    says: 'no path leaves the base URL of its adapter, and legitimate ones pass',
    shows: ['P1', 'P2', 'P3', 'P4'],
    sabotage: 'paths are appended to the base URL',
  },
  http: {
    script: 'http/main.js',
    says: 'no message hides a second request; limits and routes hold',
    shows: ['H1', 'H2', 'H4', 'H8'],
    sabotage: 'a bare server of Node.js with its lenient parser',
  },
  json: {
    script: 'json/main.js',
    says: 'JSON that parsers disagree about is taken or refused as specified',
    shows: ['H5'],
    sabotage: 'JSON.parse of bytes read leniently',
  },
  ssrf: {
    script: 'ssrf/main.js',
    says: 'no spelling, name or header of a call leads to an address that is closed',
    shows: ['S1', 'S3', 'S5'],
    sabotage: 'a policy that denies nothing',
  },
  addresses: {
    script: 'ssrf/addresses-main.js',
    says: 'each of 4,294,967,296 IPv4 addresses is classified as the registries say',
    shows: ['S2'],
    sabotage: 'without the addresses at which clouds serve credentials',
  },
  hostile: {
    script: 'hostile/main.js',
    says: 'orchestrators that misbehave in 60 ways end in a documented error, in time and memory, and stop no event loop',
    shows: ['S7', 'L8'],
    sabotage: 'no limit of a reply',
  },
  slow: {
    script: 'slow/main.js',
    says: '500 clients that send a byte a second are gone within 15 seconds, and nobody else fails',
    shows: ['H3'],
    sabotage: 'a server that waits for a day',
  },
  floods: {
    script: 'floods/main.js',
    says: 'floods of one caller or of a stranger: others are served meanwhile and afterwards, in 1 GiB of memory',
    shows: ['H3', 'L6', 'L8'],
    sabotage: 'every limit of the configuration is lifted',
  },
  reload: {
    script: 'reload.js',
    says: '100 reloads that replace an adapter under load lose no call',
    shows: ['L2'],
    sabotage: 'the adapter is stopped before it is replaced',
  },
  restarts: {
    script: 'restarts.js',
    says: 'a million calls over 100 reloads and 100 restarts of two workers: none is lost',
    shows: ['L2', 'L3'],
    sabotage: 'workers that are killed before they have answered',
  },
  leak: {
    script: 'leak.js',
    says: '500 such reloads leave nothing behind',
    shows: ['L7'],
    sabotage: 'a plugin that listens to the process in each instance',
  },
  day: {
    script: 'soak.js',
    says: 'as many calls as a day has at 50 a second: memory does not grow, and nothing stays open',
    shows: ['L7'],
    sabotage: 'a plugin that keeps something of each call',
  },
  isolation: {
    script: 'isolation.js',
    says: 'an adapter with 1,000 stuck calls slows no other',
    shows: ['U2'],
    sabotage: 'one line of 1,000 places for all adapters',
  },
  crash: {
    script: 'crash.js',
    says: '10,000 times kill -9 in a write loop: no acknowledged write is lost',
    shows: ['D1'],
    sabotage: 'a store that answers before it has written',
  },
  stalls: {
    script: 'stalls.js',
    says: 'keeping forms in SQLite never stops the main loop for 50 ms',
    shows: ['L8'],
    sabotage: 'SQLite in the main thread',
  },
  power: {
    script: 'power.js',
    says: 'no acknowledged form is lost with the power, and without syncs some are',
    shows: ['D2'],
    sabotage: 'a store that does not wait for the disk',
  },
  bombs: {
    script: 'expansion-attacks.js',
    says: 'more than 300 schemas that are bombs end within their limits',
    shows: ['F2'],
    sabotage: 'schemas are applied in the main thread',
  },
  model: {
    script: 'model.js',
    says: '100,000 sequences do the same in SQLite, PostgreSQL and a model',
    shows: ['F7'],
    sabotage: 'a store that changes no form',
  },
  yang: {
    script: 'yang/main.js',
    says: 'the YANG compiler against yanglint, where that is installed',
    sabotage: 'no node is mandatory to the compiler',
  },
  schema: {
    script: 'schema/main.js',
    says: 'our engine for JSON Schema against Ajv, on 10,000 generated pairs',
    sabotage: 'an engine that does not know required',
  },
  'yang-bombs': {
    script: 'yang/bombs.js',
    says: 'no text made to harm the YANG compiler takes it more than a second',
    shows: ['F3'],
    sabotage: 'groupings multiply without end',
  },
  package: {
    script: 'package.js',
    says: 'the packed tarball, installed without a compiler, tells its version and serves',
    sabotage: 'a file is missing from the tarball',
  },
  'first-call': {
    script: 'first-call.js',
    says: 'from the packed tarball to the reply of a first call: install, init, serve, token, query',
    sabotage: 'the recorded replies of the adapter are removed',
  },
  cluster: {
    script: 'cluster.js',
    says: 'three nodes on a primary and its standby, all of them killed in turn: no acknowledged write is lost',
    shows: ['D5', 'D6'],
    sabotage: 'the primary acknowledges what its standby does not have',
  },
  audit: {
    script: 'audit/main.js',
    says: '1,000 times kill -9 among calls: each that was acknowledged has its record; each changed byte of a trail is found',
    shows: ['L10'],
    sabotage: 'the last record is taken out after each kill',
  },
  starts: {
    script: 'starts.js',
    says: '1,000 times kill -9 in a start: the next one serves',
    shows: ['L4'],
    sabotage: 'a key that is left half written',
  },
  descriptors: {
    script: 'descriptors.js',
    says: '2,000 connections where 256 files may be open: it goes on, and serves again',
    shows: ['L11'],
    sabotage: 'connections are never closed',
  },
  disk: {
    script: 'disk.js',
    says: 'a full disk refuses what cannot be kept, loses nothing, and takes more when there is room',
    shows: ['D4'],
    sabotage: 'room is never made',
  },
  faults: {
    script: 'faults/main.js',
    says: 'each system call that fails, one at a time: nothing acknowledged is lost, nothing half is taken for whole',
    shows: ['D3'],
    sabotage: 'files that do not hear when a write or a sync fails',
  },
  clocks: {
    script: 'clocks/main.js',
    says: 'the clock of the machine jumps ahead and back: tokens follow it, and nothing else does',
    shows: ['L9'],
    sabotage: 'a time for durations that can be set',
  },
  vault: {
    script: 'vault.js',
    says: 'a sealed Vault fails no call for ten minutes; a start waits for it',
    shows: ['V2', 'V3'],
    sabotage: 'Vault is never opened again',
  },
  rotation: {
    script: 'rotation.js',
    says: 'no call fails while the credentials of adapters are replaced in a real OpenBao, in four ways',
    sabotage: 'a call that is refused reads no credentials',
  },
  fuzz: {
    script: 'fuzz/main.js',
    says: 'no input, made by what it reaches and then at random, makes a parser throw, hang or mean something else',
    shows: ['F4'],
    sabotage: 'parsers that throw, and do not end, behind four bytes',
  },
  mutation: {
    script: 'mutation/main.js',
    says: 'tests notice nine of ten small changes of what keeps strangers out, or says who was in',
    sabotage: 'tests that assert nothing',
  },
  overload: {
    script: 'overload/main.js',
    says: 'ten times more calls than can be carried: nearly as many as ever are answered in time',
    shows: ['L6'],
    sabotage: 'no call is turned away',
  },
  storm: {
    script: 'burst.js',
    says: '100,000 actions under resets: none is received twice',
    shows: ['U1'],
    sabotage: 'whatever failed is sent again',
  },
  suite: {
    script: 'suite/main.js',
    says: 'all tests, again and again: none fails now and then',
    sabotage: 'a test that fails in every second run',
  },
};
