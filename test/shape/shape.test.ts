import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { column } from '../support/columns.js';
import { COMPOSING, importCycles, noneIn, readSources, ROOT, filesBelow, slashed } from './source-files.js';

const sources = readSources('src', 'plugins');

/** Mechanisms, which know nothing of features, and which every feature may use. */
const MECHANISMS = [
  ...['form-model', 'json-schema', 'json-schema/engine', 'json-schema/validator-pool', 'yang'],
  ...['config', 'storage', 'http', 'auth', 'secrets', 'telemetry', 'adapters', 'upstream', 'server/state'],
];

/** Features that build on others, and use more of them than their types: each on features before it in this list. */
const BUILT_ON: readonly (readonly [feature: string, others: readonly string[]])[] = [
  ['applications', ['adapters']],
  ['yang-forms', ['orchestrator']],
  ['forms', ['yang-forms']],
  ['tasks', ['forms', 'orchestrator']],
  ['console', ['limits', 'secrets-page', 'traffic']],
  ['notifications', ['console']],
];

/**
 * Returns the folder whose rules apply to a file: `core`, `auth`, `json-schema/engine`, `features/tools`,
 * `server/state`, `cli/yang`, `composition`, `plugins/restconf`.
 */
function folderOf(path: string): string {
  const [top, folder = '', below = ''] = path.split('/');
  if (top === 'bin') return top;
  if (top === 'plugins') return `plugins/${folder}`;
  if (path.startsWith('src/json-schema/')) return below.endsWith('.ts') ? folder : `${folder}/${below}`;
  if (path.startsWith('src/adapters/openapi/')) return 'adapters/openapi';
  if (path === 'src/plugin-sdk/contract.ts') return 'plugin-sdk/contract';
  if (COMPOSING.test(path)) return 'composition';
  return ['features', 'server', 'cli'].includes(folder) ? `${folder}/${below}` : folder;
}

/** The folders that every other folder may import. */
const SHARED = ['core', 'settings', 'lib', 'json'];

/** What some folders may import besides {@link SHARED}. */
const MORE_IMPORTS = new Map([
  ['server/state', ['config', 'secrets', 'adapters']],
  ['server/watchdog', ['telemetry']],
  // A worker composes a whole server, and the starter the part of one that it needs. Its program is in `bin`.
  [
    'server/workers',
    [
      ...['auth', 'http', 'storage', 'features/cache', 'features/console'],
      ...['server/state', 'server/watchdog', 'composition', 'bin'],
    ],
  ],
  ['plugin-sdk/contract', ['plugin-sdk', 'config', 'json-schema']],
  ['cli/lib', ['server/watchdog']],
  ['cli/adapter', ['cli/lib', 'cli/records', 'adapters', 'adapters/openapi', 'config', 'secrets']],
  // It copies what a server stores, with the parts that open it.
  [
    'cli/backup',
    ['cli/lib', 'auth', 'config', 'features/audit', 'json-schema', 'server/state', 'storage', 'composition'],
  ],
  // It checks the files that it wrote as `gatehouse check` does.
  ['cli/import-properties', ['cli/lib', 'adapters', 'config', 'secrets', 'composition']],
  // It writes the schemas as `gatehouse schemas` does.
  ['cli/init', ['cli/lib', 'auth', 'config', 'upstream', 'composition']],
  ['cli/login', ['cli/lib', 'auth', 'http', 'upstream']],
  ['cli/plugin', ['cli/lib', 'cli/init']],
  [
    'cli/records',
    ['cli/lib', 'cli/login', 'config', 'features/adapters', 'features/forms', 'json-schema', 'server/state'],
  ],
  ['cli/yang', ['cli/lib', 'config', 'json-schema/engine', 'yang']],
  // Data in XML has types by the YANG modules of the device alone.
  ['plugins/netconf', ['yang', 'json-schema/engine']],
  // Its thread locates faults in YAML, and tries patterns.
  ['adapters/openapi', ['config', 'json-schema/engine']],
]);

/** Returns the folders that a folder may import besides itself. */
function mayImport(folder: string): readonly string[] | 'anything' {
  if (folder === 'composition') return 'anything';
  if (folder === 'lib') return [];
  if (folder === 'json') return ['lib'];
  if (folder === 'core' || folder === 'settings') return SHARED;
  if (folder === 'form-model') return ['lib', 'json'];
  const more = MORE_IMPORTS.get(folder);
  if (more) return [...SHARED, ...more];
  if (folder.startsWith('features/')) {
    const others = BUILT_ON.find(([feature]) => folder === `features/${feature}`)?.[1] ?? [];
    return [...SHARED, ...MECHANISMS, 'features/lib', ...others.map((other) => `features/${other}`)];
  }
  return SHARED;
}

/** Third-party packages, each with the files that may import it. */
const PACKAGE_PLACES: Readonly<Record<string, RegExp>> = {
  '@apidevtools/json-schema-ref-parser': /^src\/adapters\/openapi\/read-document\.ts$/,
  ajv: /^src\/json-schema\//,
  'ajv-formats': /^src\/json-schema\//,
  '@photostructure/sqlite': /^src\/storage\//,
  'http-cache-semantics': /^src\/features\/cache\/freshness\.ts$/,
  'http-proxy-middleware': /^src\/upstream\/stream\/proxy\.ts$/,
  '@modelcontextprotocol/server': /^src\/features\/mcp\/exchange-message\.ts$/,
  cors: /^src\/http\/cors\.ts$/,
  express: /^src\/http\//,
  'ipaddr.js': /^src\/upstream\//,
  jsonwebtoken: /^src\/auth\/jwt\.ts$/,
  kysely: /^src\/(?:storage|features)\//,
  'modern-tar': /^src\/cli\/backup\/archive\.ts$/,
  'proxy-addr': /^src\/http\/client-address\.ts$/,
  selfsigned: /^src\/cli\/init\/local-ca\.ts$/,
  sirv: /^src\/http\/static-files\.ts$/,
  'openid-client': /^src\/auth\/oidc\/client/,
  nodemailer: /^src\/features\/notifications\/send\.ts$/,
  'node-vault': /^src\/secrets\/vault\/client\.ts$/,
  pg: /^src\/storage\//,
  re2js: /^src\/json-schema\/engine\//,
  saxes: /^src\/yang\/(?:syntax\/yin|encoding\/parse-xml)\.ts$/,
  undici: /^src\/upstream\//,
  winston: /^src\/telemetry\/log\//,
  'winston-transport': /^src\/telemetry\/log\//,
  yaml: /^src\/config\//,
};

/** Names from the specification. */
const GIVEN_NAMES = new Set(['orchestratorManager']);

const assertNone = noneIn(sources);

describe('the sources', () => {
  it('are found in a plausible number', () => {
    assert.ok(sources.length > 50);
    assert.ok(sources.some(({ imports }) => imports.length > 5));
  });

  it('import only permitted folders', () => {
    assertNone(({ path, imports, typeImports }) => {
      const folder = folderOf(path);
      const allowed = mayImport(folder);
      if (allowed === 'anything') return [];
      const isTypeOfOther = (target: string): boolean =>
        folder.startsWith('features/') &&
        typeImports.has(target) &&
        /^(?:composition|server\/workers|features\/.*)$/.test(folderOf(target));
      return imports
        .filter((target) => ![folder, ...allowed].includes(folderOf(target)) && !isTypeOfOther(target))
        .map((target) => `imports ${target}`);
    });
  });

  it('have features that know only types of each other and of the server, except those that are built on others', () => {
    const places = BUILT_ON.map(([feature]) => feature);
    const early = BUILT_ON.flatMap(([feature, others], place) =>
      others.filter((other) => places.indexOf(other) >= place).map((other) => `${feature} uses ${other}`),
    );
    assert.deepEqual(early, []);
  });

  it('have a README.md in the folder of each feature', () => {
    const features = new Set(
      sources.map(({ path }) => folderOf(path)).filter((one) => one.startsWith('features/')),
    );
    assert.ok(features.size > 20);
    assert.deepEqual(
      [...features].filter((folder) => !existsSync(join(ROOT, 'src', folder, 'README.md'))),
      [],
    );
  });

  it('have a core of types and pure rules without packages, and a form model, which also run in browsers', () => {
    const pure = ['core', 'settings', 'form-model'];
    assertNone(({ path, packages }) => (pure.includes(folderOf(path)) ? packages : []));
  });

  it('have a schema engine without Node.js modules, which also runs in a browser', () => {
    assertNone(({ path, packages }) =>
      folderOf(path) === 'json-schema/engine' ? packages.filter((name) => name.startsWith('node:')) : [],
    );
  });

  it('decide in one place which address a client has', () => {
    // Limits of connections apply before there is a request, so they use the peer.
    const readers = sources.filter(
      ({ path }) => path.startsWith('src/http/') && readFileSync(path, 'utf8').includes('remoteAddress'),
    );
    assert.deepEqual(column(readers, 'path'), [
      'src/http/client-address.ts',
      'src/http/connection-places.ts',
    ]);
  });

  it('create folders by createFolder (the recursive mkdir of Node.js does not end below /proc)', () => {
    const recursive = /\bmkdir(?:Sync)?\([^;]*recursive/;
    const places = sources.filter(({ path }) => recursive.test(readFileSync(path, 'utf8')));
    assert.deepEqual(column(places, 'path'), []);
  });

  it('import each package in one place', () => {
    assertNone(({ path, packages }) =>
      packages.filter((name) => !name.startsWith('node:') && !PACKAGE_PLACES[name]?.test(path)),
    );
  });

  it('have no import cycle, including types', () => {
    assert.deepEqual(importCycles(sources), []);
  });

  it('have small files and functions', () => {
    assertNone(({ path, lines, functions }) => [
      ...(lines > maxLines(path) ? [`${lines} lines`] : []),
      ...functions
        .filter((one) => one.lines > 60 && !COMPOSITION_ROOTS.has(path))
        .map((one) => `${one.name} has ${one.lines} lines`),
      ...functions
        .filter((one) => one.parameters > 3)
        .map((one) => `${one.name} has ${one.parameters} parameters`),
    ]);
  });

  it('pass every dependency by name, without spreads of object literals', () => {
    assertNone(({ bundleSpreads }) => bundleSpreads.map((text) => `spreads ${text}`));
  });

  it('have no file at the top level and at most 19 folders', () => {
    const entries = new Set(
      sources.filter(({ path }) => path.startsWith('src/')).map(({ path }) => path.split('/')[1] ?? ''),
    );
    const wrong = [...entries].filter((name) => name.endsWith('.ts'));
    assert.deepEqual(wrong, []);
    assert.ok(entries.size <= 19, `${entries.size} folders`);
  });

  it('do not use export *, default exports, enums, namespaces and decorators', () => {
    assertNone(({ bannedConstructs }) => bannedConstructs);
  });

  it('have kebab-case file names and no catch-all folders', () => {
    assertNone(({ path }) => {
      const parts = path.replace(/\.ts$/, '').split('/');
      return parts.filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part) || DUMPING_GROUNDS.test(part));
    });
  });

  it('export no names that end in Manager, Service, Helper or Util', () => {
    const vague = /(Manager|Service|Helper|Util)s?$/;
    assertNone(({ exports }) => exports.filter((name) => vague.test(name) && !GIVEN_NAMES.has(name)));
  });
});

describe('the workspaces bench and evidence', () => {
  it('are imported by nothing else, so that nothing else needs them compiled', () => {
    const others = ['src', 'plugins', 'demo', 'test', 'console/src', 'site/src'].flatMap(filesBelow);
    assert.ok(others.length > 2000);
    const importing = others.filter((file) =>
      /(?:from|import\() ?'(?:\.\.\/)+(?:bench|evidence)\//.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(importing.map(slashed), []);
  });
});

/** Files that are one list of steps in boot order, which is easiest to read as a whole. */
const COMPOSITION_ROOTS: ReadonlySet<string> = new Set([
  'src/server/create-server.ts',
  'src/features/index.ts',
]);

/** Examples of the API description, which test/e2e/description-examples.test.ts writes. */
const GENERATED = /^src\/features\/docs\/examples\/(?!index\.ts)/;

function maxLines(path: string): number {
  if (GENERATED.test(path)) return 600;
  return path.startsWith('src/server/') && COMPOSITION_ROOTS.has(path) ? 210 : 300;
}

const DUMPING_GROUNDS = /^(utils?|helpers?|common|shared|misc)$/;
