import assert from 'node:assert/strict';
import { fileValue } from '../../../src/secrets/files/file-store.js';
import { parseReference } from '../../../src/secrets/reference.js';
import { SecretError } from '../../../src/secrets/secret-error.js';

function valueOf(text: string, selector = ''): unknown {
  const parsed = parseReference(`$FILE_x${selector}`);
  assert.ok(parsed.kind === 'reference', selector);
  try {
    return fileValue(text, parsed.reference);
  } catch (error) {
    assert.ok(error instanceof SecretError);
    assert.ok(!error.message.includes('c4n4ry'));
    return error.code;
  }
}

describe('the value of a secret file', () => {
  it('is its text without one final line break', () => {
    assert.equal(valueOf('pw\n'), 'pw');
    assert.equal(valueOf('pw\r\n'), 'pw');
    assert.equal(valueOf('pw\n\n'), 'pw\n');
    assert.equal(valueOf(' pw '), ' pw ');
    assert.equal(valueOf('\uFEFFpw'), '\uFEFFpw');
    assert.equal(valueOf('\n'), 'FILE_EMPTY');
  });

  it('is a member of its JSON object, by name or by pointer', () => {
    const text =
      '{"user":"u","n":7,"on":true,"deep":{"a/b":"x"},"list":[],"":"e","empty":"","big":9007199254740993}';
    assert.equal(valueOf(text, '#user'), 'u');
    assert.equal(valueOf(text, '#n'), 7);
    assert.equal(valueOf(text, '#on'), true);
    assert.equal(valueOf(text, '#/deep/a~1b'), 'x');
    assert.equal(valueOf(text, '#none'), 'FILE_FIELD_MISSING');
    assert.equal(valueOf(text, '#__proto__'), 'FILE_FIELD_MISSING');
    assert.equal(valueOf(text, '#deep'), 'FILE_FIELD_NOT_SCALAR');
    assert.equal(valueOf(text, '#big'), 'FILE_FIELD_NOT_SCALAR');
    assert.equal(valueOf(text, '#empty'), 'FILE_FIELD_EMPTY');
    assert.equal(valueOf(text), text);
  });

  it('is refused for a member of a file that is no JSON object', () => {
    for (const text of ['c4n4ry', '["c4n4ry"]', '"c4n4ry"', '{"a":c4n4ry'])
      assert.equal(valueOf(text, '#a'), 'FILE_NOT_JSON');
  });

  it('is decoded from base64', () => {
    assert.equal(valueOf('cHc=\n', '?encoding=base64'), 'pw');
    assert.equal(valueOf('{"k":"cHc="}', '?encoding=base64#k'), 'pw');
    assert.equal(valueOf('c4n4ry!', '?encoding=base64'), 'FILE_ENCODING');
    assert.equal(valueOf('/w==', '?encoding=base64'), 'FILE_ENCODING');
  });
});

describe('a reference to a file', () => {
  it('is written back as it was', () => {
    for (const text of ['$FILE_a', '$FILE_a/b.txt#k', '$FILE_.hidden', '$FILE_a%20b?encoding=base64#/x/y']) {
      const parsed = parseReference(text);
      assert.equal(parsed.kind, 'reference', text);
    }
    assert.deepEqual(parseReference('$$FILE_a'), { kind: 'literal', text: '$FILE_a' });
    assert.deepEqual(parseReference('a $FILE_a'), { kind: 'literal', text: 'a $FILE_a' });
  });

  it('is refused if its path leads elsewhere, or has no meaning for a file', () => {
    const wrong = [
      ...['$FILE_', '$FILE_/etc/passwd', '$FILE_a/../b', '$FILE_..', '$FILE_..data/x', '$FILE_a/..2026/x'],
      ...['$FILE_a%2Fb', '$FILE_%2e%2e/x', '$FILE_a//b', '$FILE_a/', '$FILE_a\\b', '$FILE_a%00', '$FILE_a b'],
      ...['$FILE_a?version=1', '$FILE_a?x=1', '$FILE_a#', '$FILE_a#b#c', '$file_a', '$File_a', ' $FILE_a'],
      '$FILE_a $KEY_b',
    ];
    for (const text of wrong) {
      const parsed = parseReference(text);
      assert.ok(parsed.kind === 'fault' && parsed.code === 'FILE_REF_SYNTAX', text);
      assert.match(parsed.fix, /\$FILE_<path>/);
    }
  });
});
