import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJsonAround, sizeOfJson } from '../../src/json/json-size.js';
import { parseJson } from '../../src/json/strict-json.js';
import { JSON_DEPTH, StrictReader } from '../../src/json/strict-reader.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const faultOf = (text: string) => {
  const result = parse(text);
  return 'fault' in result ? result.fault : undefined;
};

/** Returns what a reader finds that looks at every name, without the shorter way for plain texts. */
function readEveryName(text: string, member: string): ReturnType<typeof parseJson> {
  const value: unknown = JSON.parse(text);
  const reader = new StrictReader(text, { member });
  const fault = reader.run();
  return fault ? { fault } : { value, memberText: reader.memberText };
}

/** Documents with few names, so that many objects have a name twice, and with blanks. */
const { document: DOCUMENT } = fc.letrec<{ document: string }>((tie) => {
  const name = fc.constantFrom('"a"', '"b"', '"body"', '"__proto__"', '"1"', '""', '"\\u0061"', '"é"');
  const scalar = fc.constantFrom(
    ...'1 -0 1.5 123456789012345 12345678901234567890 true null "x:y,{"'.split(' '),
  );
  const member = fc.tuple(name, tie('document')).map(([key, value]) => `${key} : ${value}`);
  const listOf = (items: fc.Arbitrary<string>) =>
    fc.array(items, { maxLength: 4 }).map((all) => all.join(', '));
  return {
    document: fc.oneof(
      { maxDepth: 4 },
      scalar,
      listOf(member).map((members) => `{${members}}`),
      listOf(tie('document')).map((items) => `[ ${items}]`),
    ),
  };
});

const ALPHABET = Array.from('{}[]:,"\\ 1eatrueflsn-.');

describe('parseJson', () => {
  it('accepts every document that JSON.stringify writes, unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parse(text), { value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('rejects exactly what JSON.parse rejects, apart from duplicate members', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...ALPHABET) }), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const fault = faultOf(text);
        if (!valid) assert.ok(fault);
        else assert.ok(!fault || fault.message === 'occurs twice in its object', text);
      }),
    );
  });

  it('reports the pointer of a duplicate member, also if it is written with escapes', () => {
    assert.deepEqual(faultOf('{"a":[0,{"b":1,"\\u0062":2}]}'), {
      pointer: '/a/1/b',
      message: 'occurs twice in its object',
    });
    assert.equal(faultOf('{"a":{"x":1},"b":{"x":1},"c":["x","x"]}'), undefined);
    assert.equal(faultOf('{"__proto__":1,"__proto__":2}')?.pointer, '/__proto__');
  });

  it('finds the same as a reader of every name', () => {
    fc.assert(
      fc.property(DOCUMENT, (text) => {
        assert.deepEqual(parseJson(Buffer.from(text), 'body'), readEveryName(text, 'body'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects nesting beyond the maximum depth with the pointer', () => {
    assert.equal(faultOf('['.repeat(JSON_DEPTH) + ']'.repeat(JSON_DEPTH)), undefined);
    const fault = faultOf('['.repeat(JSON_DEPTH + 1) + ']'.repeat(JSON_DEPTH + 1));
    assert.equal(fault?.pointer, '/0'.repeat(JSON_DEPTH));
  });

  it('rejects invalid UTF-8 and a byte order mark', () => {
    assert.deepEqual(parseJson(Uint8Array.of(0x22, 0xff, 0x22)), {
      fault: { pointer: '', message: 'is not valid UTF-8' },
    });
    assert.ok('fault' in parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)));
  });

  it('reports the line and column of a syntax error without quoting the text', () => {
    const fault = faultOf('{"password": "hunter2",\n  "x" 1}');
    assert.equal(fault?.message, 'is not well-formed JSON at line 2, column 7');
    assert.equal(faultOf('{"password": hunter2}')?.message, 'is not well-formed JSON');
    assert.equal(faultOf('  ')?.message, 'is empty');
  });

  it('rejects numbers that would lose digits and accepts exact numbers', () => {
    for (const kept of '9007199254740991 0.1 -1.5e300 1e21 100000000000000000000 0.30000000000000004'.split(
      ' ',
    ))
      assert.equal(faultOf(`[${kept}]`), undefined, kept);
    for (const lost of ['12345678901234567890', '9007199254740993', '1e400', '0.123456789012345678901'])
      assert.equal(faultOf(`{"n":[0,${lost}]}`)?.pointer, '/n/1', lost);
    assert.equal(faultOf('{"text":"12345678901234567890"}'), undefined);
  });

  it('rejects numbers that underflow and accepts every notation of zero', () => {
    for (const lost of ['1e-400', '-123e-10000000', '1.2345678e-320'])
      assert.equal(faultOf(`[${lost}]`)?.pointer, '/0', lost);
    for (const kept of ['0', '-0', '0.000', '0e-500', '5e-324', '2.2250738585072014e-308'])
      assert.equal(faultOf(`[${kept}]`), undefined, kept);
  });

  it('rejects half a surrogate pair in names and values and accepts whole pairs', () => {
    assert.equal(faultOf('{"a":["x","\\uD800"]}')?.pointer, '/a/1');
    assert.equal(faultOf('{"\\udc00":1}')?.message, 'has half a surrogate pair, which is no character');
    assert.equal(faultOf('["\\uDD1E\\uD834"]')?.pointer, '/0');
    assert.deepEqual(parse('["\\uD834\\uDD1E", "\\\\ud800"]'), { value: ['\u{1d11e}', '\\ud800'] });
  });

  it('rejects a number of a hundred thousand digits without delay', () => {
    assert.equal(faultOf(`[1.${'0'.repeat(100_000)}1]`)?.pointer, '/0');
    assert.equal(faultOf(`[${'1'.repeat(400)}]`)?.pointer, '/0');
  });

  it('accepts a string of a megabyte without a stack overflow', () => {
    assert.equal(faultOf(JSON.stringify({ a: 'x\\"'.repeat(400_000) })), undefined);
  });

  it('returns the text of a member of the outermost object as it was written', () => {
    const text = '{ "params": { "body": 1 }, "body" : { "mtu": 1.50, "rates": [1e3, -0] } , "n": "body" }';
    const result = parseJson(Buffer.from(text), 'body');
    assert.ok('value' in result);
    assert.equal(result.memberText, '{ "mtu": 1.50, "rates": [1e3, -0] }');
    assert.deepEqual(parseJson(Buffer.from('{"a":{"body":1}}'), 'body'), {
      value: { a: { body: 1 } },
      memberText: undefined,
    });
    assert.deepEqual(parseJson(Buffer.from('["body", 1]'), 'body'), {
      value: ['body', 1],
      memberText: undefined,
    });
  });

  it('returns a text that is parsed to the value of its member', () => {
    const members = fc.dictionary(
      fc.constantFrom('a', 'body', 'b"o\\dy', 'z'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(members, fc.constantFrom('', ' ', '\t'), (value, indent) => {
        const result = parseJson(Buffer.from(JSON.stringify(value, null, indent)), 'body');
        if ('fault' in result) return;
        const { memberText } = result;
        assert.equal(memberText !== undefined, Object.hasOwn(value, 'body'));
        if (memberText !== undefined)
          assert.deepEqual(JSON.parse(memberText), JSON.parse(JSON.stringify(value['body'])));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseJsonAround', () => {
  const around = (text: string, pause = () => Promise.resolve()) => {
    const bytes = Buffer.from(text);
    const { member } = sizeOfJson(bytes, { member: 'body' });
    assert.ok(member, text);
    return parseJsonAround(bytes, { name: 'body', ...member }, pause);
  };

  it('finds the same faults and the same text as parseJson, and makes no values of the member', () =>
    fc.assert(
      fc.asyncProperty(DOCUMENT, async (inner) => {
        const text = `{"params": {"a": 1}, "body": ${inner} , "last": [2]}`;
        const expected = parseJson(Buffer.from(text), 'body');
        const found = await around(text);
        const body = /^\s*\[/.test(inner) ? [] : {};
        const value = { params: { a: 1 }, body, last: [2] };
        assert.deepEqual(found, 'fault' in expected ? expected : { ...expected, value });
      }),
    ));

  it('refuses what is malformed inside the member, and a member that occurs twice', async () => {
    for (const text of ['{"body":[1,]}', '{"body":{"a":01}}', '{"body":[}}']) {
      const found = await around(text);
      assert.deepEqual(found, { fault: { pointer: '', message: 'is not well-formed JSON' } });
    }
    const twice = await around('{"body":[1],"b\\u006fdy":[2]}');
    assert.deepEqual(twice, { fault: { pointer: '/body', message: 'occurs twice in its object' } });
  });

  it('lets other work run while it reads (bug: one body of a megabyte stopped the server for 0.2 s)', async () => {
    let pauses = 0;
    const pause = () => Promise.resolve(void (pauses += 1));
    await around(`{"body":[${Array(100_000).fill('{}').join(',')}]}`, pause);
    assert.ok(pauses > 20, `${pauses} pauses`);
  });
});
