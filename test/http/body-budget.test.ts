import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { createBodyBudget } from '../../src/http/body-budget.js';

const KIB = 1024;

describe('the budget for bodies of callers without a token', () => {
  const isRefusal = (error: unknown): boolean =>
    error instanceof Problem && error.code === 'overloaded' && error.extras.headers?.['retry-after'] === '1';

  it('finding F1: limits what the requests of one network hold', () => {
    const budget = createBodyBudget();
    const releases = Array.from({ length: 64 }, () => budget.reserve('2001:db8::1', 16 * KIB));
    assert.throws(() => budget.reserve('2001:db8::2', 1), isRefusal);
    budget.reserve('2001:db8:0:1::1', 16 * KIB);
    releases[0]?.();
    budget.reserve('2001:db8::3', 16 * KIB);
  });

  it('finding F1: limits what all requests hold', () => {
    const budget = createBodyBudget();
    for (let at = 0; at < 1_024; at += 1) budget.reserve(`192.0.${at >> 8}.${at & 255}`, 16 * KIB);
    assert.throws(() => budget.reserve('198.51.100.1', 1), isRefusal);
  });
});
