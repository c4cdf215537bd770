import assert from 'node:assert/strict';
import { backtracksExponentially } from '../../src/yang/patterns/backtracking.js';
import { compileBody } from '../support/yang.js';

describe('a pattern that an engine may need exponential time for', () => {
  it('is found', () => {
    for (const source of [
      '^(?:a+)+$',
      '^(?:a*)*$',
      '^(?:a|a)*$',
      '^(?:a?b?)*$',
      '^(?:[a-z]+[a-z0-9]*)+$',
      '^(?:[a-zA-Z0-9]+[a-zA-Z0-9.\\-]*:*)+$',
      '^(?:(?:\\p{L}|[a-z0-9])+-?)*$',
      '^(?:a{1,})*$',
    ])
      assert.equal(backtracksExponentially(source), true, source);
  });

  it('is not found in other patterns', () => {
    for (const source of [
      '^[a-z]+$',
      '^(?:a+b)+$',
      '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
      '^(?:[a-z][a-z0-9]*:)*[a-z]+$',
      '^(?:(?:[a-z0-9]|-[a-z0-9])*\\.)+$',
      '^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$',
      '^(?:ab|cd)*$',
      '^(?:a{1,3},)*$',
    ])
      assert.equal(backtracksExponentially(source), false, source);
  });

  it('causes a warning that says which validators are affected', () => {
    const { warnings } = compileBody(`leaf a { type string { pattern "([a-z]+[a-z0-9]*)+"; } }`);
    assert.deepEqual(warnings, [
      {
        path: '/m:a',
        message:
          'the pattern "([a-z]+[a-z0-9]*)+" can take exponential time in an engine that backtracks, such as that of JavaScript; gatehouse takes linear time',
      },
    ]);
  });
});

describe('the warnings of a module', () => {
  it('are counted by kind, also beyond the maximum that is listed', () => {
    const leaves = Array.from({ length: 1200 }, (_, at) => `leaf l${at} { must "true()"; type string; }`);
    const { warnings, warningCounts } = compileBody(
      `${leaves.join(' ')} leaf w { when "true()"; type leafref { path "/l0"; } }`,
    );
    assert.deepEqual(warningCounts, { must: 1200, when: 1, leafref: 1 });
    assert.equal(warnings.length, 1001);
    assert.deepEqual(warnings.at(-1), {
      path: '/',
      message: 'only the first 1000 of 1202 warnings are listed: 1200 must, 1 when, 1 leafref',
    });
  });
});
