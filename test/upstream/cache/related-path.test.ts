import assert from 'node:assert/strict';
import { areRelated, segmentsOf } from '../../../src/upstream/cache/related-path.js';

describe('related paths', () => {
  const related = (one: string, other: string): boolean => areRelated(segmentsOf(one), segmentsOf(other));

  it('are at, above or below each other', () => {
    for (const [one, other] of [
      ['/a/b', '/a'],
      ['/a', '/a/b/c'],
      ['/a', '/a?x=/b'],
      ['/', '/a'],
      ['/a//b/', '/a/b'],
      ['/interfaces/interface', '/interfaces/interface=eth0/mtu'],
      ['/ietf-interfaces:interfaces', '/interfaces/x'],
      ['/%61', '/A'],
      ['/a%zz', '/a%zz'],
    ] as const)
      assert.ok(related(one, other) && related(other, one), `${one} ${other}`);
  });

  it('are not beside each other', () => {
    for (const [one, other] of [
      ['/a/b', '/a/c'],
      ['/interface=eth0', '/interface=eth1'],
      ['/a', '/ab'],
    ] as const)
      assert.ok(!related(one, other) && !related(other, one), `${one} ${other}`);
  });
});
