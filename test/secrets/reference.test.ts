import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatReference, isReference, parseReference, type Reference } from '../../src/secrets/reference.js';
import { secretPath } from '../../src/secrets/secret-path.js';
import { type Engine, readAddress } from '../../src/secrets/vault/address.js';

/** Returns the path below `/v1/` at which a reference is read, and its mount. */
function readAt(
  reference: Reference,
  mount = 'secret',
  engine: Engine = 'kv2',
): { readonly url: string; readonly mount: readonly string[] } {
  const path = secretPath(reference, mount);
  const { url } = readAddress(path, { engine, length: path.mountLength, isKnown: path.isBelowMount });
  return { url, mount: path.segments.slice(0, path.mountLength) };
}

// Text, URL below /v1/, field.
const ACCEPTED: readonly (readonly [text: string, url: string, field: string | null])[] = [
  ['$VAULT_a', 'secret/data/a', null],
  ['$VAULT_a#b', 'secret/data/a', 'b'],
  ['$VAULT_adapters/nso1#password', 'secret/data/adapters/nso1', 'password'],
  ['$VAULT_/kv/a#b', 'kv/data/a', 'b'],
  ['$VAULT_/secret/a#b', 'secret/data/a', 'b'],
  ['$VAULT_a?version=3#b', 'secret/data/a?version=3', 'b'],
  ['$VAULT_a?version=0000000007#b', 'secret/data/a?version=7', 'b'],
  ['$VAULT_a?encoding=base64#b', 'secret/data/a', 'b'],
  ['$VAULT_a?encoding=utf8&version=1#b', 'secret/data/a?version=1', 'b'],
  ['$VAULT_a?version=2', 'secret/data/a?version=2', null],
  ['$VAULT_a#/b/c~1d', 'secret/data/a', '/b/c~1d'],
  ['$VAULT_a#my key?', 'secret/data/a', 'my key?'],
  ['$VAULT_a#b%23c', 'secret/data/a', 'b#c'],
  ['$VAULT_a%20b/%C3%BC#c', 'secret/data/a%20b/%C3%BC', 'c'],
  ['$VAULT_a%252e%252e/b#c', 'secret/data/a%252e%252e/b', 'c'],
  ["$VAULT_a!$&'()*+,;=:@~b#c", "secret/data/a!%24%26'()*%2B%2C%3B%3D%3A%40~b", 'c'],
  ['$VAULT_...a/.b#c', 'secret/data/...a/.b', 'c'],
  ['$VAULT_data/a#b', 'secret/data/data/a', 'b'],
  ['$VAULT_a $KEY_b', 'secret/data/a', 'b'],
  ['$SECRET_a $KEY_b', 'secret/data/a', 'b'],
  ['$SECRET_/kv/a $KEY_my key', 'kv/data/a', 'my key'],
  ['$SECRET_a $KEY_50%', 'secret/data/a', '50%'],
];

const REFUSED: readonly string[] = [
  '$VAULT_', '$VAULT_#b', '$VAULT_a#', '$VAULT_a#b#c', '$VAULT_a?#b', '$VAULT_a?version=0#b',
  '$VAULT_a?version=-1#b', '$VAULT_a?version=12345678901#b', '$VAULT_a?version=1&version=2#b',
  '$VAULT_a?version#b', '$VAULT_a?version=1=2#b', '$VAULT_a?encoding=hex#b', '$VAULT_a?other=1#b',
  '$VAULT_a//b#c', '$VAULT_a/#c', '$VAULT_//a#c', '$VAULT_/a#c', '$VAULT_/#c',
  '$VAULT_/auth/token/lookup-self#id', '$VAULT_/sys/raw/core#value',
  '$VAULT_/team-a/auth/token/lookup-self#id', '$SECRET_/auth/token/lookup-self $KEY_id',
  '$VAULT_../sys/raw#a', '$VAULT_a/../b#c', '$VAULT_a/./b#c', '$VAULT_a/%2e%2E/b#c',
  '$VAULT_a%2Fb#c', '$VAULT_a%5cb#c', '$VAULT_a\\b#c', '$VAULT_a%00#c', '$VAULT_a%#c',
  '$VAULT_a%ff#c', '$VAULT_aü#c', '$VAULT_a.#c', '$VAULT_a b#c', '$VAULT_a#b\n', '$VAULT_a#b\tc',
  '$VAULT_a#b%0ac', '$VAULT_a#b%', '$VAULT_a#/b~2', '$VAULT_a#b ', ' $VAULT_a#b', '$vault_a#b',
  '$Vault_a#b', '$VAULT-a#b', '$VAULT', '$VAULT:a#b', '$SECRET_a', '$SECRET_a#b',
  '$SECRET_a $KEY_', '$SECRET_a  $KEY_b', '$secret_a $KEY_b', '$VAULT_a $KEY_b#c',
  '$VAULT_a?version=1 $KEY_b', `$VAULT_${'a'.repeat(1017)}#b`,
]; // prettier-ignore

const FOREIGN = [
  '${VAULT_a}', '${vault:secret/a#b}', '{vault://env/a}', 'vault://secret/a', 'ref+vault://a#b',
  '$secret://vault/1/a',
]; // prettier-ignore

const LITERALS = [
  '', 'x', 'x$VAULT_a#b', '$', '$$', '$1', '$KEY_a', '$Secret123', 'vault:8200', '$x$ENC', '$$x',
  'ENC',
]; // prettier-ignore

describe('a reference', () => {
  it('G-01 accepts the notations of a reference', () => {
    for (const [text, url, field] of ACCEPTED) {
      const parsed = parseReference(text);
      assert.equal(parsed.kind, 'reference', text);
      assert.equal(readAt(parsed.reference).url, url, text);
      assert.equal(parsed.reference.field, field, text);
      assert.ok(isReference(text), text);
    }
  });

  it('G-02 refuses every other text with the prefix of a reference', () => {
    for (const text of REFUSED) {
      const parsed = parseReference(text);
      assert.ok(
        parsed.kind === 'fault' && parsed.code === 'VAULT_REF_SYNTAX',
        JSON.stringify(text).slice(0, 40),
      );
    }
  });

  it('G-02 shows the correct notation instead of a foreign one', () => {
    for (const text of FOREIGN) {
      const parsed = parseReference(text);
      assert.ok(parsed.kind === 'fault' && parsed.code === 'VAULT_REF_FOREIGN', text);
      assert.match(parsed.fix, /\$VAULT_<path>#<field>/);
    }
  });

  it('G-02 treats other strings as literals', () => {
    for (const text of LITERALS) assert.deepEqual(parseReference(text), { kind: 'literal', text });
  });

  it('G-03 is escaped by a doubled dollar sign', () => {
    for (const text of ['$VAULT_x', '$SECRET_x', '$ENCx', '$vault', '${vault}', '$$VAULT_x', '$encode'])
      assert.deepEqual(parseReference(`$${text}`), { kind: 'literal', text });
  });

  it('G-06 parses to the same result in the notation of the platform', () => {
    assert.deepEqual(parseReference('$SECRET_a/b $KEY_c'), parseReference('$VAULT_a/b#c'));
    assert.deepEqual(parseReference('$VAULT_a/b $KEY_c'), parseReference('$VAULT_a/b#c'));
  });

  it('finds a mount with several segments in an absolute path', () => {
    const parsed = parseReference('$VAULT_/team/kv/a/b#c');
    assert.ok(parsed.kind === 'reference');
    assert.equal(readAt(parsed.reference, 'team/kv').url, 'team/kv/data/a/b');
    assert.equal(readAt(parsed.reference, 'team', 'kv1').url, 'team/kv/a/b');
  });

  it('G-13 equals the parsed form of its canonical text', () => {
    fc.assert(
      fc.property(references(), (reference) => {
        assert.deepEqual(parseReference(formatReference(reference)), { kind: 'reference', reference });
      }),
    );
  });

  it('G-13 never resolves to a URL outside the mount', () => {
    const pieces = [
      '$VAULT_', '/', '..', '.', '%2e', '%2f', '%5c', '#', '?', '&', 'version=1', 'a', ' ', '\\',
      '$KEY_', '&#x2F;', '\r\n',
    ]; // prettier-ignore
    const hostile = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 12 });
    fc.assert(
      fc.property(hostile, (parts) => {
        const parsed = parseReference(`$VAULT_${parts.join('')}`);
        if (parsed.kind !== 'reference') return;
        const { url: path, mount } = readAt(parsed.reference);
        const url = new URL(`https://vault/v1/${path}`);
        assert.ok(url.pathname.startsWith(`/v1/${mount.map(encodeURIComponent).join('/')}/data/`), url.href);
        assert.equal(url.hash, '');
        assert.equal(
          url.pathname.split('/').length,
          4 + parsed.reference.segments.length - (parsed.reference.absolute ? 1 : 0),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('G-05 does not appear in the fault of a refused text', () => {
    fc.assert(
      fc.property(fc.constantFrom('$ENC', '$enc', ' $ENC', '$vault', '$VAULT_ '), canary(), (start, text) => {
        assert.ok(!JSON.stringify(parseReference(start + text)).includes(text));
      }),
    );
  });
});

function canary(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[A-Z0-9]{12}$/);
}

function references(): fc.Arbitrary<Reference> {
  const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
  const clean = (value: string): boolean => !/\p{Cc}/u.test(value);
  const segment = text.filter((value) => clean(value) && !/[/\\]|\.$/u.test(value));
  const field = text.filter((value) => clean(value) && !value.startsWith('/'));
  return fc.record(
    {
      absolute: fc.boolean(),
      segments: fc.array(segment, { minLength: 2, maxLength: 4 }),
      version: fc.option(fc.integer({ min: 1, max: 9_999_999_999 })),
      encoding: fc.constantFrom('utf8', 'base64'),
      field: fc.option(fc.oneof(field, fc.constantFrom('/a/b', '/a~1b/~0'))),
    },
    { noNullPrototype: true },
  );
}
