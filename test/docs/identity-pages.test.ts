import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STYLES } from '../../src/core/login.js';
import { SIGN_IN_SENTENCES } from '../../src/core/sign-in.js';
import { vaultSchema } from '../../src/config/vault-schema.js';
import { codeOf, headingsOf, readPage, ROOT, rowsBelow } from './markdown.js';

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** Returns the codes in the first column of the table below a heading. */
function codesBelow(path: string, heading: string): readonly string[] {
  const codes = rowsBelow(readPage(path), heading).flatMap(([cell]) => codeOf(cell) ?? []);
  assert.equal(new Set(codes).size, codes.length, `${path} lists a code twice`);
  return sorted(codes);
}

describe('the reference of token checks', () => {
  const path = 'docs/reference/token-checks.md';

  it('lists exactly the authentication methods', () => {
    assert.deepEqual(codesBelow(path, '## Authentication methods').filter(isMethod), sorted(STYLES));
  });

  it('lists exactly the descriptions of rejected tokens', () => {
    const source = readFileSync(join(ROOT, 'src/auth/rejected-token.ts'), 'utf8');
    const known = source.match(/(?<=: ')(?:The|A claim of the) [^']+(?=',)/g) ?? [];
    assert.ok(known.length > 10);
    assert.deepEqual(codesBelow(path, '## Descriptions'), sorted(known));
  });

  it('lists exactly the codes of issuer checks', () => {
    const sources = ['issuer-check.ts', 'client-check.ts'].map((name) =>
      readFileSync(join(ROOT, 'src/auth/oidc', name), 'utf8'),
    );
    const known = sources.flatMap((text) => text.match(/(?<=')issuer_\w+(?=')/g) ?? []);
    assert.ok(known.length > 5);
    assert.deepEqual(codesBelow(path, '## Issuer checks'), sorted(known));
  });

  it('lists exactly the problems of a sign-in', () => {
    assert.deepEqual(codesBelow(path, '## Sign-in problems'), sorted(Object.keys(SIGN_IN_SENTENCES)));
  });
});

/** Returns true for a method, and false for a path in the table of cases. */
function isMethod(code: string): boolean {
  return !code.startsWith('/');
}

describe('the reference of logins to Vault', () => {
  it('has a heading for every login method', () => {
    const headings = headingsOf(readPage('docs/reference/vault-logins.md'));
    const documented = headings.flatMap((heading) => heading.match(/(?<=`)\w+(?=`)/g) ?? []);
    assert.deepEqual(sorted(documented), sorted(loginMethods()));
  });
});

/** Returns the values of `vault.auth.method`. */
function loginMethods(): readonly string[] {
  interface Node {
    readonly properties?: Readonly<Record<string, Node>>;
    readonly oneOf?: readonly Node[];
    readonly const?: string;
  }
  const { properties: { auth } = {} } = vaultSchema as Node;
  const methods = (auth?.oneOf ?? []).flatMap(({ properties }) => properties?.['method']?.const ?? []);
  assert.ok(methods.length > 5);
  return methods;
}
