import assert from 'node:assert/strict';
import { Random } from '../yang/random.js';
import { Executor } from './executor.js';
import { fuzzBlind } from './loop.js';
import { Progress } from './progress.js';

describe('the search at full speed', () => {
  const { stackTraceLimit } = Error;
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('ends with the first input that fails, and tells where', () => {
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
