import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { decodeSource } from '../../src/yang/syntax/source-text.js';

const TEXT = 'module m {\n  namespace "urn:m"; prefix m;\n  contact "J\u00fcrgen"; }\n';

describe('the encoding of a module', () => {
  it('is UTF-8', () => {
    assert.deepEqual(decodeSource('m.yang', Buffer.from(TEXT)), { file: 'm.yang', text: TEXT });
  });

  it('is refused with the position of the first byte that is not UTF-8 (RFC 7950 6)', () => {
    const compiled = compileYang([decodeSource('m.yang', Buffer.from(TEXT, 'latin1'))]);
    assert.ok('faults' in compiled);
    const found = compiled.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
    assert.deepEqual(found, ['3:13 the byte 0xFC is not UTF-8; save the file as UTF-8']);
  });

  it('may be wrong in a lenient compilation, which warns', () => {
    const compiled = compileYang([decodeSource('m.yang', Buffer.from(TEXT, 'latin1'))], { lenient: true });
    assert.ok('modules' in compiled);
    assert.match(compiled.modules[0]?.warnings[0]?.message ?? '', /tolerated: .*0xFC is not UTF-8/);
  });
});
