import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGN_IN_SENTENCES } from '../../console/src/pages/sign-in/failure.js';
import { STYLES } from '../../src/core/login.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { describeOperations } from '../../src/features/operations.js';
import type { Desired } from '../../src/server/state/configuration.js';
import { restartNeeded } from '../../src/server/state/restart-needed.js';
import { settingsSchema } from '../../src/settings/settings.js';
import { vaultSchema } from '../../src/settings/vault.js';
import { pathFault } from '../../src/upstream/target.js';
import { codeOf, codesIn, headingsOf, readPage, ROOT, rowsBelow } from './markdown.js';

const TOKEN_CHECKS = 'docs/reference/token-checks.md';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (path: string): readonly string[] =>
  readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
const matchesIn = (path: string, pattern: RegExp): readonly string[] => read(path).match(pattern) ?? [];

/** Returns the texts in backticks in the first cells of a table. */
const codesBelow = (path: string, heading: string): readonly string[] =>
  rowsBelow(readPage(path), heading)
    .slice(2)
    .flatMap(([cell = '']) => codesIn(cell));

/** Asserts that a page lists exactly the names of the code. */
function assertLists(listed: readonly string[], known: Iterable<string>, minimum: number): void {
  const names = [...new Set(known)].sort();
  assert.ok(names.length >= minimum, `only ${names.length} names were found in the code`);
  assert.deepEqual([...new Set(listed)].sort(), names);
}

/** Returns the values of `vault.auth.method`. */
function loginMethods(): readonly string[] {
  interface Node {
    readonly properties?: Readonly<Record<string, Node>>;
    readonly oneOf?: readonly Node[];
    readonly const?: string;
  }
  const { properties: { auth } = {} } = vaultSchema as Node;
  return (auth?.oneOf ?? []).flatMap(({ properties }) => properties?.['method']?.const ?? []);
}

describe('pages that are written by hand list exactly', () => {
  it('the authentication methods', () => {
    const cells = rowsBelow(readPage(TOKEN_CHECKS), '## Authentication methods').map(([cell]) => cell ?? '');
    assertLists(
      cells.filter((cell) => /^`\w+`$/.test(cell)).flatMap((cell) => codesIn(cell)),
      STYLES,
      2,
    );
  });

  it('the descriptions of rejected tokens', () => {
    const known = matchesIn('src/auth/rejected-token.ts', /(?<=: ')(?:The|A claim of the) [^']+(?=',)/g);
    assertLists(codesBelow(TOKEN_CHECKS, '## Descriptions'), known, 10);
  });

  it('the codes of issuer checks', () => {
    const known = ['issuer-check.ts', 'client-check.ts'].flatMap((name) =>
      matchesIn(`src/auth/oidc/${name}`, /(?<=')issuer_\w+(?=')/g),
    );
    assertLists(codesBelow(TOKEN_CHECKS, '## Issuer checks'), known, 5);
  });

  it('the problems of a sign-in', () => {
    assertLists(codesBelow(TOKEN_CHECKS, '## Sign-in problems'), Object.keys(SIGN_IN_SENTENCES), 2);
  });

  it('the login methods of Vault, each with a heading', () => {
    const headings = headingsOf(readPage('docs/reference/vault-logins.md'));
    assertLists(
      headings.flatMap((heading) => codesIn(heading)),
      loginMethods(),
      5,
    );
  });

  it('the widgets of forms', () => {
    const [list = ''] = matchesIn(
      'console/src/form/model/field/ui.ts',
      /(?<=const WIDGETS[^=]*= new Set\(\[).*?(?=\]\);)/s,
    );
    assertLists(
      codesBelow('docs/reference/form-widgets.md', '## Widgets'),
      list.match(/(?<=')[\w-]+(?=')/g) ?? [],
      10,
    );
  });

  it('the YANG modules of the package', () => {
    const known = namesIn('config/yang').filter((name) => name.endsWith('.yang'));
    assertLists(
      codesBelow('docs/reference/yang-mapping.md', '### Modules of the package'),
      known.map((name) => name.replace(/@.*/, '')),
      5,
    );
  });

  it('the files that import node:crypto', () => {
    const files = namesIn('src').map((name) => `src/${name}`);
    const known = files.filter((file) => file.endsWith('.ts') && read(file).includes("'node:crypto'"));
    assertLists(matchesIn('docs/cryptography.md', /(?<=`)src\/[^`]+\.ts(?=`)/g), known, 30);
  });

  it('the operations that are tools for agents, with their roles', () => {
    const rows = rowsBelow(readPage('docs/reference/mcp.md'), '## Tools').filter(([, cell]) => codeOf(cell));
    const listed = rows.map(([, operation, roles]) => [...codesIn(operation), ...codesIn(roles)].join(' '));
    const tools = describeOperations().filter(({ row }) => row.tool);
    assertLists(
      listed,
      tools.map(({ name, row: { roles } }) => [name, roles].flat().join(' ')),
      5,
    );
  });
});

describe('the table of paths', () => {
  it('shows paths that are rejected, and paths that are accepted instead', () => {
    const rows = rowsBelow(readPage('docs/reference/requests.md'), '## Paths').slice(1, 10);
    const rejected = rows.flatMap(([path]) => codesIn(path));
    const accepted = rows.flatMap(([, , instead]) => codesIn(instead)).filter((path) => path !== '/');
    assert.ok(rejected.length >= 10 && accepted.length >= 4);
    assert.deepEqual(
      rejected.filter((path) => pathFault(path) === undefined),
      [],
    );
    assert.deepEqual(
      accepted.filter((path) => pathFault(path) !== undefined),
      [],
    );
  });
});

describe('the methods of the proxy', () => {
  it('are those of the API description, wherever a text names them (bug: "any method")', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description: string }>>>>;
    };
    const [, item = {}] = Object.entries(paths).find(([path]) => path.startsWith('/proxy/')) ?? [];
    const methods = Object.keys(item).filter((name) => name !== 'parameters');
    assert.equal(methods.length, 7);
    const { prose } = readPage('docs/how-to/stream-through-the-proxy.md');
    const [guide = ''] = prose.split('\n## ', 1);
    for (const text of [guide, ...methods.map((method) => item[method]?.description ?? '')]) {
      for (const method of methods) assert.ok(text.includes(method.toUpperCase()), `${method}: ${text}`);
      assert.doesNotMatch(text, /any method/);
    }
  });
});

/** Returns the keys of a schema that have no keys below them. */
function leavesOf({ properties }: { readonly properties?: Readonly<Record<string, JsonSchema>> }): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const below = leavesOf(member);
    return below.length > 0 ? below.map((key) => `${name}.${key}`) : [name];
  });
}

/** Returns a configuration in which only this key has a value. */
function withKey(key: string, leaf: string): Desired {
  const value = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf);
  return { main: { written: { value } } } as unknown as Desired;
}

describe('the table of keys that need a restart', () => {
  const rows = rowsBelow(readPage('docs/reference/configuration-files.md'), '## Keys that need a restart');
  const live = new Set(rows.flatMap(([cell]) => codesIn(cell)));
  const fixed = new Set(rows.flatMap(([, cell]) => codesIn(cell)));

  /** Returns the longest documented key that is the key or contains it. */
  function sectionOf(key: string): string | undefined {
    const parts = key.split('.');
    const sections = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
    return sections.find((section) => live.has(section) || fixed.has(section));
  }

  const keys = leavesOf(settingsSchema).filter((key) => key !== 'adapters' && key !== 'auth.local.enabled');

  it('has each key in the right column', () => {
    assert.ok(keys.length > 40);
    const misplaced = keys.filter((key) => {
      const needsRestart = restartNeeded(withKey(key, 'before'), withKey(key, 'after')).length > 0;
      return !(needsRestart ? fixed : live).has(sectionOf(key) ?? '');
    });
    assert.deepEqual(misplaced, []);
  });
});
