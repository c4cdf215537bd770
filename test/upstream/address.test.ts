import assert from 'node:assert/strict';
import fc from 'fast-check';
import { classifyAddress, type AddressClass } from '../../src/upstream/address.js';
import { dotted, IPV4_RANGES, oracle4 } from './address-oracle.js';

/**
 * Values of the first groups, number of fixed bits, class; `inner` returns the embedded IPv4 address, if any.
 */
interface Prefix {
  readonly base: bigint;
  readonly bits: number;
  readonly expected: AddressClass | { readonly shift: bigint; readonly live: boolean };
}

const prefix = (groups: readonly number[], bits: number, expected: Prefix['expected']): Prefix => ({
  base: groups.reduce((sum, group, at) => sum | (BigInt(group) << BigInt(112 - 16 * at)), 0n),
  bits,
  expected,
});

const IPV6: readonly Prefix[] = [
  prefix([0, 0, 0, 0, 0, 0, 0, 1], 128, 'loopback'),
  prefix([], 128, 'unspecified'),
  prefix([0, 0, 0, 0, 0, 0xffff], 96, { shift: 0n, live: true }),
  prefix([0x64, 0xff9b], 96, { shift: 0n, live: true }),
  prefix([], 96, { shift: 0n, live: false }),
  prefix([0, 0, 0, 0, 0xffff], 96, { shift: 0n, live: false }),
  prefix([0x64, 0xff9b, 1], 48, { shift: 0n, live: false }),
  prefix([0x2002], 16, { shift: 80n, live: false }),
  prefix([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, 'metadata'),
  prefix([0xfc00], 7, 'unique-local'),
  prefix([0xfe80], 10, 'link-local'),
  prefix([0xfec0], 10, 'private'),
  prefix([0xff00], 8, 'multicast'),
  prefix([0x2001, 2], 48, 'benchmarking'),
  prefix([0x2001], 23, 'reserved'),
  prefix([0x2001, 0xdb8], 32, 'documentation'),
  prefix([0x3fff], 20, 'documentation'),
  prefix([0x2000], 3, 'public'),
];

const spelled = (n: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((n >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':');
const last = ({ base, bits }: Prefix) => base + (1n << BigInt(128 - bits)) - 1n;

function oracle6(n: bigint): AddressClass {
  const found = IPV6.find((row) => row.base <= n && n <= last(row));
  if (!found) return 'reserved';
  if (typeof found.expected === 'string') return found.expected;
  const inner = oracle4(Number((n >> found.expected.shift) & 0xffffffffn));
  return inner === 'public' && !found.expected.live ? 'reserved' : inner;
}

describe('classifyAddress', () => {
  it('agrees with the registries at both ends of every IPv4 range and one address beyond', () => {
    for (const [from, to] of IPV4_RANGES) {
      for (const n of [from - 1, from, from + 1, to - 1, to, to + 1]) {
        if (n < 0 || n > 0xffffffff) continue;
        assert.equal(classifyAddress(dotted(n)), oracle4(n), dotted(n));
      }
    }
  });

  it('agrees with the registries for 120,000 IPv4 addresses across the whole address space', () => {
    const step = 35_791; // A prime number, so that the steps reach every part of the address space.
    for (let n = 0; n <= 0xffffffff; n += step) {
      const found = classifyAddress(dotted(n));
      if (found !== oracle4(n)) assert.equal(found, oracle4(n), dotted(n));
    }
  });

  it('agrees with the registries at both ends of every IPv6 range and one address beyond', () => {
    for (const row of IPV6) {
      for (const n of [row.base - 1n, row.base, row.base + 1n, last(row) - 1n, last(row), last(row) + 1n]) {
        if (n < 0n || n >> 128n > 0n) continue;
        assert.equal(classifyAddress(spelled(n)), oracle6(n), spelled(n));
      }
    }
  });

  it('agrees with the registries for random IPv6 addresses in general and inside every range', () => {
    const any = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    const within = fc.constantFrom(...IPV6).chain((row) => fc.bigInt({ min: row.base, max: last(row) }));
    fc.assert(
      fc.property(fc.oneof(any, within), (n) => {
        // A separate test covers ISATAP.
        fc.pre(((n >> 32n) & 0xfdffffffn) !== 0x5efen);
        assert.equal(classifyAddress(spelled(n)), oracle6(n), spelled(n));
      }),
      { numRuns: 5_000 },
    );
  });

  it('returns the class of the embedded IPv4 address for every embedding', () => {
    const spellings = `::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:FFFF:7F00:0001 ::127.0.0.1 ::7f00:1
      ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2600::5efe:7f00:1 2600::200:5efe:127.0.0.1`;
    for (const spelling of spellings.split(/\s+/))
      assert.equal(classifyAddress(spelling), 'loopback', spelling);
    for (const [address, expected] of [
      ['::ffff:169.254.169.254', 'metadata'],
      ['2600::5efe:808:808', 'public'],
      ['fe80::5efe:808:808', 'link-local'],
    ] as const)
      assert.equal(classifyAddress(address), expected, address);
  });

  it('does not treat an address that only resembles ISATAP as an embedding', () => {
    const ips =
      '2600::1234:5efe:7f00:1 2600::100:5efe:7f00:1 2600::1:5efe:7f00:1 2600::5eff:7f00:1 2600::5ffe:7f00:1';
    for (const ip of ips.split(' ')) assert.equal(classifyAddress(ip), 'public', ip);
  });

  it('never returns public for the ranges that libraries often omit', () => {
    for (const ip of '100::1 100:0:0:1::1 5f00::1 3fff::1 2001::1 2001:20::1 4000:: 1::'.split(' '))
      assert.notEqual(classifyAddress(ip), 'public', ip);
  });

  it('ignores the zone, and returns reserved for a text that is not an address', () => {
    assert.equal(classifyAddress('fe80::1%eth0'), 'link-local');
    const others = '127.1 0x7f.0.0.1 0177.0.0.1 2130706433 8.8.8.8. [::1] localhost';
    for (const text of ['', ...others.split(' ')]) assert.equal(classifyAddress(text), 'reserved', text);
  });
});
