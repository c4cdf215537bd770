import assert from 'node:assert/strict';
import { areRelated, segmentsOf } from '../../../src/features/cache/related-path.js';

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
      ['/a;v=1/b', '/a/b/c'],
      ['/interface=eth0;x', '/interface=eth0/mtu'],
      ['/a%2Fb', '/a/b/c'],
      ['/interface=Gi0%2F1', '/interface=gi0%2f1/mtu'],
      ['/protocol=oc-types:BGP,bgp', '/protocol=BGP,bgp'],
      ['/neighbor=2001:db8::1', '/neighbor=2001:0DB8::1/enabled'],
      ['/restconf/ds/ietf-datastores:running/m:a', '/restconf/data/m:a/b'],
      ['/restconf/ds/ietf-datastores:operational/a', '/restconf/ds/ietf-datastores:running/a'],
    ] as const)
      assert.ok(related(one, other) && related(other, one), `${one} ${other}`);
  });

  it('are not beside each other', () => {
    for (const [one, other] of [
      ['/a/b', '/a/c'],
      ['/interface=eth0', '/interface=eth1'],
      ['/a', '/ab'],
      ['/interface=Gi0%2F1', '/interface=Gi0%2F2'],
      ['/restconf/ds/ietf-datastores:running/a', '/restconf/data/b'],
    ] as const)
      assert.ok(!related(one, other) && !related(other, one), `${one} ${other}`);
  });
});
