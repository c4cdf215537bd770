import assert from 'node:assert/strict';
import { matchesName } from '../../src/lib/name-pattern.js';

describe('matchesName', () => {
  const CASES: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
    ['nso1', 'nso1', true],
    ['nso1', 'nso10', false],
    ['nso*', 'nso1.example.com', true],
    ['nso*', 'nso', true],
    ['*.example.com', 'nso1.example.com', true],
    ['*.example.com', 'nso1.example.org', false],
    ['n*1*', 'nso1/berlin', true],
    ['NSO*', 'nso1', false],
    ['.*', 'nso1', false],
    ['*', '', true],
    ['nso*', 'xnso1', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*bc*c', 'abc', false],
    ['orchestrator-manager.*', 'orchestrator-manager.restQuery', true],
    ['orchestrator-manager.*', 'orchestratorXmanager.restQuery', false],
  ];
  it('matches names by patterns', () => {
    for (const [pattern, name, matches] of CASES) assert.equal(matchesName(pattern, name), matches, pattern);
  });

  it('stays fast for a hostile pattern and name', () => {
    assert.equal(matchesName('a*'.repeat(64) + 'b', 'a'.repeat(100_000)), false);
  });
});
