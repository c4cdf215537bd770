/** A group of test folders that is run, and timed, together. */
export interface Tier {
  readonly name: string;
  /** A common property of its tests, for `--help`. */
  readonly about: string;
  /** Folders and files below `test/`. A file belongs to the tier with the longest matching path. */
  readonly paths: readonly string[];
  /** Servers that are started once for all of its files. */
  readonly services: readonly ServiceName[];
  /** Files of other tiers that run a second time in this tier, with its services. */
  readonly reruns?: readonly string[];
  /** True: `npm test` omits the tier, and `.ci/run` runs it. */
  readonly onlyByName?: boolean;
}

export type ServiceName = 'postgres' | 'browser' | 'openbao' | 'keycloak';

/** The tiers in the order of execution. Tiers that fail fastest come first. */
export const TIERS: readonly Tier[] = [
  {
    // Apart from `unit`, because the release of Node.js changes nothing here.
    name: 'shape',
    about: 'the source text: layers, sizes, names and language',
    paths: ['shape'],
    services: [],
  },
  {
    name: 'unit',
    about: 'one part by itself; no process of its own',
    paths: [
      'adapters',
      'api',
      'auth',
      'bench',
      'config',
      'console',
      'core',
      'json-schema',
      'plugin-sdk',
      'run',
      'server',
      'site',
      'supply',
      'telemetry/metrics',
      'telemetry/trace',
      'yang',
    ],
    services: [],
  },
  {
    name: 'integration',
    about: 'parts with real sockets, files, databases and processes',
    paths: [
      'api/forms/yang-from-adapters.test.ts',
      'api/forms/yang-to-schema.test.ts',
      'api/schema/schema.test.ts',
      'api/services/yang-from-adapters.test.ts',
      'audit',
      'cli',
      'deploy',
      'http',
      'plugins',
      'server/cluster',
      'storage',
      'telemetry/log',
      'upstream',
      'vault',
    ],
    services: ['postgres'],
  },
  {
    name: 'e2e',
    about: 'whole servers, by their API',
    paths: ['deploy/load-balancers.test.ts', 'e2e'],
    services: ['postgres'],
  },
  { name: 'browser', about: 'the pages, in Chromium', paths: ['browser'], services: ['browser'] },
  {
    name: 'docs',
    about: 'every command of the documentation, and every example',
    paths: ['docs', 'examples'],
    services: [],
  },
  {
    name: 'clients',
    about: 'clients, linters and fuzzers of others, by the API description (npm run api-tools)',
    paths: ['clients'],
    services: [],
  },
  {
    // The last of all: its server takes the place of the Vault double for all tests that follow.
    name: 'openbao',
    about: 'secrets on a real OpenBao server; also the tests that the Vault double has passed',
    paths: ['openbao'],
    reruns: ['vault', 'cli/secrets-check.test.ts', 'server/reload/store-inline-secrets.test.ts'],
    services: ['openbao', 'postgres'],
  },
  {
    name: 'keycloak',
    about: 'sign-in, tokens and the command line with a real Keycloak server (KEYCLOAK_HOME)',
    paths: ['keycloak'],
    services: ['keycloak'],
  },
  {
    name: 'tools',
    about: 'the tools of evidence/, mutation and fuzzing themselves',
    paths: ['evidence'],
    services: [],
    onlyByName: true,
  },
];

/** Tests that need the whole machine. They run after all other tests, one file at a time. */
export const SERIAL = /\.serial\.test\.ts$/;

/** Returns the tier of a file by its path below `test/`. The longest matching path decides. */
export function tierOf(path: string): string | undefined {
  const holders = TIERS.flatMap(({ name, paths }) =>
    paths.filter((one) => isBelow(path, one)).map((one) => ({ name, length: one.length })),
  );
  return holders.sort((one, other) => other.length - one.length)[0]?.name;
}

/** Returns true if a tier runs a file of another tier a second time. */
export function isRerun({ reruns = [] }: Tier, path: string): boolean {
  return reruns.some((one) => isBelow(path, one));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
