import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonText, isJsonTextInSteps, readJsonText } from '../../src/json/json-text.js';

const isText = (text: string): boolean => isJsonText(Buffer.from(text));

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const TOKENS = [
  ...Array.from('{}[]:,"\\ \n\t01e.-+u'),
  ...String.raw`"a" "" "\u00e9" 12 1e5 true false null`.split(' '),
];

describe('isJsonText', () => {
  it('accepts exactly the token sequences that JSON.parse accepts', () => {
    const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(tokens, (text) => {
        assert.equal(isText(text), parses(text), JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('agrees with JSON.parse after a character was changed, removed or inserted', () => {
    const changed = fc
      .tuple(fc.jsonValue({ maxDepth: 4 }), fc.nat(), fc.nat({ max: 1 }), fc.string({ maxLength: 1 }))
      .map(([value, place, cut, sign]) => {
        const text = JSON.stringify(value);
        const at = place % text.length;
        return text.slice(0, at) + sign + text.slice(at + cut);
      });
    fc.assert(
      fc.property(changed, (text) => {
        const bytes = Buffer.from(text);
        assert.equal(isJsonText(bytes), parses(bytes.toString()), text);
      }),
      { numRuns: 5_000 },
    );
  });

  it('accepts any nesting depth', () => {
    const deep = 100_000;
    assert.ok(isText('['.repeat(deep) + ']'.repeat(deep)));
    assert.ok(isText('{"a":'.repeat(deep) + '1' + '}'.repeat(deep)));
    assert.ok(!isText('['.repeat(deep)));
    assert.ok(!isText('['.repeat(deep) + '}'.repeat(deep)));
  });

  it('rejects a byte order mark, a leading zero, control characters and unknown escapes', () => {
    for (const text of ['\ufeff1', '"\u0001"', '"\\x"', '"\\u12g4"', '01'])
      assert.ok(!isText(text), JSON.stringify(text));
  });

  it('reports ASCII text exactly when every character is ASCII', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        const { isText, isAscii } = readJsonText(Buffer.from(text));
        assert.deepEqual([isText, isAscii], [true, Buffer.byteLength(text) === text.length]);
      }),
    );
  });
});

describe('isJsonTextInSteps', () => {
  const inSteps = async (text: string, stepBytes: number) => {
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses += 1;
      return Promise.resolve();
    };
    return { isText: await isJsonTextInSteps(Buffer.from(text), stepBytes, pause), pauses };
  };

  it('finding F2: accepts exactly the token sequences that JSON.parse accepts, whatever the step', async () => {
    const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(tokens, fc.integer({ min: 1, max: 6 }), async (text, stepBytes) => {
        assert.equal((await inSteps(text, stepBytes)).isText, parses(text), JSON.stringify(text));
      }),
      { numRuns: 10_000 },
    );
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 1, max: 6 }), async (value, step) => {
        assert.ok((await inSteps(JSON.stringify(value, undefined, 1), step)).isText);
      }),
    );
  });

  it('finding F2: pauses inside long strings and names, in lists, and between brackets', async () => {
    const long = 'a'.repeat(1_000);
    for (const text of [
      `"${long}"`,
      `{"${long}":1}`,
      `[0,{"${long}":1}]`,
      `[${'1,'.repeat(500)}1]`,
      `[${'{},'.repeat(300)}{}]`,
      '['.repeat(500) + ']'.repeat(500),
      `"${'\\u0001'.repeat(200)}"`,
    ]) {
      const { isText, pauses } = await inSteps(text, 100);
      assert.ok(isText, text);
      assert.ok(pauses >= 8, `${pauses} pauses in ${text.slice(0, 20)}`);
    }
  });

  it('passes the error of a pause on', async () => {
    const gone = () => Promise.reject(new Error('the caller left'));
    await assert.rejects(isJsonTextInSteps(Buffer.from('[1,2,3]'), 2, gone), /the caller left/);
  });
});
