import assert from 'node:assert/strict';
import fc from 'fast-check';
import { proposedPathsFor, proposeReferences, storeCommands } from '../../src/secrets/propose-references.js';
import { parseReference } from '../../src/secrets/reference.js';
import { anyText } from '../support/any-text.js';

type ReferenceLocation = readonly [adapter: string | null, pointer: string];
const propose = (...migrants: readonly ReferenceLocation[]) =>
  proposeReferences(
    migrants.map(([adapter, pointer]) => ({ adapter, pointer })),
    new Set(['adapters/old#password']),
  );
const texts = (...migrants: readonly ReferenceLocation[]): readonly string[] =>
  propose(...migrants).map(({ text }) => text);

describe('proposeReferences', () => {
  it('names a reference after the adapter, or after the location in the main file', () => {
    assert.deepEqual(
      texts(
        ['nso1', '/auth/password'],
        ['nso1', '/options/headers/X-Key'],
        [null, '/auth/issuers/0/secret'],
        [null, '/storage'],
        ['my nso.', '/options/tokens/0'],
      ),
      [
        '$VAULT_adapters/nso1#password',
        '$VAULT_adapters/nso1#X-Key',
        '$VAULT_gatehouse/auth/issuers/0#secret',
        '$VAULT_gatehouse#storage',
        '$VAULT_adapters/my%20nso#tokens-0',
      ],
    );
  });

  it('proposes unique references that do not exist in Vault', () => {
    assert.deepEqual(
      texts(
        ['old', '/auth/password'],
        ['old', '/auth/password'],
        ['a', '/x/key'],
        ['a', '/y/key'],
        ['a.', '/z/y/key'],
        ['a', '/0'],
      ),
      [
        '$VAULT_adapters/old#auth-password',
        '$VAULT_adapters/old#password-2',
        '$VAULT_adapters/a#key',
        '$VAULT_adapters/a#y-key',
        '$VAULT_adapters/a#z-y-key',
        '$VAULT_adapters/a#value',
      ],
    );
  });

  it('proposes valid references for any names', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9 ._-]{0,20}$/);
    const token = anyText({ maxLength: 6 }).map((name) => name.replaceAll(/[~/]/g, '~1'));
    const migrant = fc.tuple(
      fc.option(id),
      fc.array(token, { minLength: 1, maxLength: 3 }).map((all) => `/${all.join('/')}`),
    );
    fc.assert(
      fc.property(fc.array(migrant, { maxLength: 8 }), (migrants) => {
        const homes = propose(...migrants);
        assert.equal(new Set(homes.map(({ text }) => text)).size, migrants.length);
        for (const { text } of homes) assert.equal(parseReference(text).kind, 'reference', text);
      }),
    );
  });
});

describe('the commands that store values', () => {
  const options = { mount: 'secret', kvVersion: 2, taken: new Set(['adapters/old#user']) };

  it('put the first field of a new path and patch all other fields', () => {
    const homes = propose(['nso1', '/auth/password'], ['nso1', '/options/key'], ['old', '/token'], ['my nso', '/a']); // prettier-ignore
    assert.deepEqual(storeCommands(homes, options), [
      'vault kv put -mount=secret adapters/nso1 password=-',
      'vault kv patch -mount=secret adapters/nso1 key=-',
      'vault kv patch -mount=secret adapters/old token=-',
      "vault kv put -mount=secret 'adapters/my nso' a=-",
    ]);
  });

  it('name every field in one command for KV version 1', () => {
    const homes = propose(['nso1', '/auth/password'], ['old', '/token']);
    assert.deepEqual(storeCommands(homes, { ...options, mount: 'kv', kvVersion: 1 }), [
      'vault kv put -mount=kv adapters/nso1 password=-',
      'vault kv put -mount=kv adapters/old -   # reads {"user": ..., "token": ...}: KV version 1 keeps no field that is not named',
    ]);
  });

  it('know the path and field of every existing reference', () => {
    const texts = ['$VAULT_a/b#c', '$VAULT_/secret/a#d', '$VAULT_/other/a#d', '$VAULT_e'];
    const references = texts.map((text) => {
      const parsed = parseReference(text);
      assert.ok(parsed.kind === 'reference');
      return parsed.reference;
    });
    assert.deepEqual([...proposedPathsFor(references, 'secret')], ['a/b#c', 'a#d', 'e#']);
  });
});
