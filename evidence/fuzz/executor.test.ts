import assert from 'node:assert/strict';
import { Executor, type Failure, minimise } from './executor.js';
import { Progress } from './progress.js';

describe('a failing input', () => {
  it('is minimized', () => {
    const input = Buffer.from('some text, then {{ and more of it, then }} and the end');
    const shortest = minimise(input, (text) => /\{\{.*\}\}/.test(text.toString()));
    assert.equal(shortest.toString(), '{{}}');
  });

  it('is minimized only while the same failure occurs', () => {
    const run = (input: Buffer): void => {
      const text = input.toString();
      if (text.length < 3) throw new Error('too short');
      if (text.includes('x')) throw new Error(`an x in ${text}`);
    };
    const failureOf = (...texts: readonly string[]): Failure | undefined => {
      const executor = new Executor({ seeds: [], tokens: [], run }, new Progress());
      for (const text of texts) executor.execute(Buffer.from(text));
      return executor.failure;
    };
    assert.equal(failureOf('quite right'), undefined);
    const { kind, input = [] } = failureOf('quite right', 'extra words', '') ?? {};
    assert.equal(kind, 'crash');
    assert.match(Buffer.from(input).toString(), /^(?=.*x)...$/);
  });

  it('is visible to another thread while the parser reads it', () => {
    const progress = new Progress();
    const other = new Progress(progress.memory);
    let seen = '';
    const run = (): void => {
      seen = `${other.begun}: ${other.input().toString()}`;
    };
    const executor = new Executor({ seeds: [], tokens: [], run }, progress);
    executor.execute(Buffer.from('one and more'));
    executor.execute(Buffer.from('two'));
    assert.match(seen, /^\d: two$/);
  });
});
