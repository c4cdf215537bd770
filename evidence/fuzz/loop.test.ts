import assert from 'node:assert/strict';
import { Random } from '../../test/support/random.js';
import { Executor } from './executor.js';
import { fuzzBlind } from './loop.js';
import { Progress } from './progress.js';

describe('fuzzBlind', () => {
  const { stackTraceLimit } = Error;
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('stops at the first failing input, and reports its stack', () => {
    const parse = (input: Buffer): void => {
      if (input.includes('<')) throw new Error('a fault');
    };
    const target = { seeds: [], tokens: ['<'], run: parse };
    const executor = new Executor(target, new Progress());
    const corpus = [Buffer.from('some text')];
    fuzzBlind(executor, target, { corpus, random: new Random(1), mayGoOn: () => executor.executions < 1e6 });
    const { kind, input = [], message } = executor.failure ?? {};
    assert.deepEqual([kind, Buffer.from(input).toString()], ['crash', '<']);
    assert.match(message ?? '', /a fault\n.*at .*parse/);
  });
});
