import assert from 'node:assert/strict';
import { networkOf } from '../../src/lib/network-of.js';

describe('networkOf', () => {
  it('returns the network of each address', () => {
    for (const [address, network] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
      ['2001:db8::9', '2001:db8:0:0::/64'],
      ['2001:db8::4:5:6:7:8', '2001:db8:0:4::/64'],
      ['2001:0db8:0000:0000::9', '2001:db8:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['fe80::1%0', 'fe80:0:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['::', '0:0:0:0::/64'],
      ['2001:db8::ffff:192.0.2.1', '2001:db8:0:0::/64'],
      ['1::ffff:192.0.2.1', '1:0:0:0::/64'],
      ['', ''],
    ] as const)
      assert.equal(networkOf(address), network, address);
  });
});
