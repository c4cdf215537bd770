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
    says: 'the verifier accepts the valid tokens of public suites, of a playbook and of our own vectors, and rejects the invalid and every changed one',
    shows: ['J1', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7', 'J10', 'J11'],
    sabotage: 'the library alone, without a list of algorithms',
  },
  paths: {
    script: 'paths/main.js',
    says: 'no path leaves the base URL of its adapter; legitimate paths pass',
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
    says: 'JSON that parsers read differently is accepted or rejected as specified',
    shows: ['H5'],
    sabotage: 'JSON.parse of bytes read leniently',
  },
  ssrf: {
    script: 'ssrf/main.js',
    says: 'no spelling, name or header of a call reaches a forbidden address',
    shows: ['S1', 'S3', 'S5'],
    sabotage: 'a policy that denies nothing',
  },
  addresses: {
    script: 'ssrf/addresses-main.js',
    says: 'all 4,294,967,296 IPv4 addresses are classified as in the registries',
    shows: ['S2'],
    sabotage: 'a policy without the metadata addresses of clouds',
  },
  hostile: {
    script: 'hostile/main.js',
    says: '60 faults of orchestrators and 33 attacks of a NETCONF device end in a documented error within limits of time and memory, and block no event loop',
    shows: ['S7', 'L8'],
    sabotage: 'replies without limits, and messages of devices that are read in the main thread',
  },
  slow: {
    script: 'slow/main.js',
    says: '500 clients that send one byte a second are disconnected within 15 seconds, and no other call fails',
    shows: ['H3'],
    sabotage: 'a server with a time limit of one day',
  },
  floods: {
    script: 'floods/main.js',
    says: 'during and after a flood of one caller or of an unknown client, other callers are served, within 1 GiB of memory',
    shows: ['H3', 'L6', 'L8'],
    sabotage: 'every limit of the configuration is lifted, and the memory for replies',
  },
  reload: {
    script: 'reload.js',
    says: 'no call fails over 100 reloads that replace an adapter under load',
    shows: ['L2'],
    sabotage: 'the adapter is stopped before it is replaced',
  },
  restarts: {
    script: 'restarts.js',
    says: 'no call of a million fails over 100 reloads and 100 restarts of two workers',
    shows: ['L2', 'L3'],
    sabotage: 'workers that are killed before they reply',
  },
  leak: {
    script: 'leak.js',
    says: '500 such reloads leave no memory, socket or listener',
    shows: ['L7'],
    sabotage: 'a plugin that adds a listener to the process in each instance',
  },
  day: {
    script: 'soak.js',
    says: 'memory and open files do not grow over the calls of a day at 50 a second',
    shows: ['L7'],
    sabotage: 'a plugin that stores data of each call',
  },
  isolation: {
    script: 'isolation.js',
    says: 'an adapter with 1,000 stuck calls slows no other adapter',
    shows: ['U2'],
    sabotage: 'one queue of 1,000 places for all adapters',
  },
  crash: {
    script: 'crash.js',
    says: 'no acknowledged write is lost in 10,000 kill -9 during writes',
    shows: ['D1'],
    sabotage: 'a store that acknowledges before it writes',
  },
  stalls: {
    script: 'stalls/main.js',
    says: 'neither storing forms in SQLite, nor any kind of body that is sent to any operation, blocks the main loop for 50 ms',
    shows: ['L8'],
    sabotage: 'SQLite in the main thread, and no limit of the values of a body',
  },
  power: {
    script: 'power.js',
    says: 'no acknowledged form is lost after a power failure; without fsync some are lost',
    shows: ['D2'],
    sabotage: 'a store that does not wait for fsync',
  },
  bombs: {
    script: 'expansion-attacks.js',
    says: 'more than 300 schema bombs end within their limits',
    shows: ['F2'],
    sabotage: 'schemas are validated in the main thread',
  },
  model: {
    script: 'model.js',
    says: 'SQLite, PostgreSQL and a model give the same results for 100,000 sequences',
    shows: ['F7'],
    sabotage: 'a store that updates no form',
  },
  yang: {
    script: 'yang/main.js',
    says: 'the YANG compiler, yanglint and pyang agree, or a line of a file has the reason, if yanglint is installed',
    sabotage: 'a compiler that ignores mandatory nodes',
  },
  schema: {
    script: 'schema/main.js',
    says: 'our JSON Schema engine and Ajv agree on those of 10,000 generated pairs of schema and value that Ajv can judge',
    sabotage: 'an engine without the keyword required',
  },
  'yang-bombs': {
    script: 'yang/bombs.js',
    says: 'the YANG compiler spends at most a second on each malicious module',
    shows: ['F3'],
    sabotage: 'groupings that expand without a limit',
  },
  package: {
    script: 'package.js',
    says: 'the packed tarball, installed without a compiler, prints its version and serves',
    sabotage: 'a file is missing from the tarball',
  },
  'first-call': {
    script: 'first-call.js',
    says: 'a new user gets from the packed tarball to a first reply: install, init, serve, token, query',
    sabotage: 'the recorded replies of the adapter are removed',
  },
  cluster: {
    script: 'cluster.js',
    says: 'no acknowledged write is lost while three nodes, a PostgreSQL primary and its standby are killed in turn',
    shows: ['D5', 'D6'],
    sabotage: 'a primary that does not wait for its standby',
  },
  audit: {
    script: 'audit/main.js',
    says: 'every acknowledged change has its audit record after 1,000 kill -9, and verification finds every changed byte',
    shows: ['L10'],
    sabotage: 'the last record is removed after each kill',
  },
  starts: {
    script: 'starts.js',
    says: 'the server starts after each of 1,000 kill -9 during the start',
    shows: ['L4'],
    sabotage: 'a key file that is only half written',
  },
  descriptors: {
    script: 'descriptors.js',
    says: 'a server with 256 file descriptors survives 2,000 connections and then serves again',
    shows: ['L11'],
    sabotage: 'connections are never closed',
  },
  disk: {
    script: 'disk.js',
    says: 'with a full disk, changes are refused and no acknowledged change is lost; with free space, changes are accepted again',
    shows: ['D4'],
    sabotage: 'the disk stays full',
  },
  faults: {
    script: 'faults/main.js',
    says: 'no acknowledged change is lost and no partial file is read if any one system call fails',
    shows: ['D3'],
    sabotage: 'files that ignore failures of write and fsync',
  },
  clocks: {
    script: 'clocks/main.js',
    says: 'jumps of the system clock affect the validity of tokens and no other time limit',
    shows: ['L9'],
    sabotage: 'durations that are measured with the system clock',
  },
  vault: {
    script: 'vault.js',
    says: 'no call fails while Vault is sealed for ten minutes; a start waits for Vault',
    shows: ['V2', 'V3'],
    sabotage: 'Vault stays sealed',
  },
  rotation: {
    script: 'rotation.js',
    says: 'no call fails while credentials are rotated in a real OpenBao, by four methods',
    sabotage: 'a call that does not read new credentials after a 401',
  },
  fuzz: {
    script: 'fuzz/main.js',
    says: 'no generated input, guided by coverage and then random, makes a parser throw, hang or return a wrong result',
    shows: ['F4'],
    sabotage: 'parsers that throw or hang after four bytes',
  },
  mutation: {
    script: 'mutation/main.js',
    says: 'the tests detect nine of ten mutants of the code for access and audit',
    sabotage: 'tests without assertions',
  },
  overload: {
    script: 'overload/main.js',
    says: 'under ten times the maximum load, nearly the maximum rate of calls is answered in time',
    shows: ['L6'],
    sabotage: 'no call is refused',
  },
  storm: {
    script: 'burst.js',
    says: 'no action of 100,000 is received twice while connections are reset',
    shows: ['U1'],
    sabotage: 'every failed request is sent again',
  },
  suite: {
    script: 'suite/main.js',
    says: 'no test is flaky in repeated runs of the whole suite',
    sabotage: 'a test that fails in every second run',
  },
};
