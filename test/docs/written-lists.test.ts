import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGN_IN_SENTENCES } from '../../console/src/pages/sign-in/failure.js';
import { STYLES } from '../../src/core/login.js';
import { vaultSchema } from '../../src/settings/vault.js';
import { headingsOf, readPage, ROOT, rowsBelow } from './markdown.js';

const TOKEN_CHECKS = 'docs/reference/token-checks.md';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (path: string): readonly string[] =>
  readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
const matchesIn = (path: string, pattern: RegExp): readonly string[] => read(path).match(pattern) ?? [];
const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

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
    assertLists(cells.filter((cell) => /^`\w+`$/.test(cell)).flatMap(codesIn), STYLES, 2);
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
    assertLists(headings.flatMap(codesIn), loginMethods(), 5);
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
});
