import assert from 'node:assert/strict';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { column } from '../support/columns.js';

const policyOf = (allow: string[], deny: string[] = [], isPublicOpen = true) => {
  const { policy, faults } = parseEgress({ allow, deny, public: isPublicOpen });
  assert.deepEqual(faults, []);
  return (address: string, { host = 'host.example', port = 443 } = {}) =>
    policy.refusal({ host, port, address });
};

describe('the egress policy', () => {
  it('allows only public addresses if public is on, and names only the address class', () => {
    const refusal = policyOf([]);
    assert.equal(refusal('8.8.8.8'), undefined);
    assert.equal(refusal('2600::1'), undefined);
    assert.equal(refusal('10.1.2.3'), 'its address is private');
    assert.equal(refusal('127.0.0.1'), 'its address is loopback');
    assert.equal(refusal('::ffff:169.254.169.254'), 'its address is metadata');
  });

  it('denies public addresses that no entry names if public is off', () => {
    const refusal = policyOf(['8.8.8.0/24:443', 'jenkins.example'], [], false);
    const closed =
      'public addresses are closed; the operator can name it in egress.allow, or set egress.public to true';
    assert.equal(refusal('9.9.9.9'), closed);
    assert.equal(refusal('2600::1'), closed);
    assert.equal(refusal('8.8.8.8', { port: 80 }), closed);
    assert.equal(refusal('10.1.2.3'), 'its address is private');
    assert.equal(refusal('8.8.8.8'), undefined);
    assert.equal(refusal('9.9.9.9', { host: 'jenkins.example' }), undefined);
  });

  it('allows the network, address or host of an entry, with or without a port', () => {
    for (const [entry, address, closed] of [
      ['10.20.0.0/16', '10.20.255.255', '10.21.0.0'],
      ['10.20.0.0/16:443', '10.20.0.0', '10.19.255.255'],
      ['10.20.0.1', '10.20.0.1', '10.20.0.2'],
      ['10.20.0.1:443', '10.20.0.1', '10.20.0.2'],
      ['fd12::/16', 'fd12::1', 'fd13::1'],
      ['fd12::1', 'fd12::1', 'fd12::2'],
      ['[fd12::1]', 'fd12::1', 'fd12::2'],
      ['[fd12::1]:443', 'fd12::1', 'fd12::2'],
      ['[fd12::/16]:443', 'fd12::1', 'fd13::1'],
      ['[fd12::]/16:443', 'fd12::1', 'fd13::1'],
    ] as const) {
      const refusal = policyOf([entry]);
      assert.equal(refusal(address), undefined, entry);
      assert.notEqual(refusal(closed), undefined, entry);
      assert.equal(refusal(address, { port: 8443 }) === undefined, !entry.includes(':443'), entry);
    }
  });

  it('allows a named host with any address, and no other host', () => {
    const refusal = policyOf(['NSO.example', 'other.example:8443']);
    assert.equal(refusal('127.0.0.1', { host: 'nso.example' }), undefined);
    assert.equal(refusal('10.0.0.1', { host: 'other.example', port: 8443 }), undefined);
    assert.notEqual(refusal('10.0.0.1', { host: 'other.example' }), undefined);
    assert.notEqual(refusal('10.0.0.1', { host: 'sub.nso.example' }), undefined);
    assert.notEqual(refusal('10.0.0.1', { host: 'nso.example.evil.test' }), undefined);
  });

  it('refuses a name before its address is known, only if no address could be allowed', () => {
    const refusalOf = (allow: string[], deny: string[] = [], isPublicOpen = false) => {
      const { policy } = parseEgress({ allow, deny, public: isPublicOpen });
      return (host: string, port = 443) => policy.refusalOfName({ host, port });
    };
    const named = refusalOf(['nso.example', 'db.example:5432', 'web.example:8443']);
    const unnamed = named('other.example');
    assert.match(unnamed ?? '', /egress\.allow/);
    assert.equal(named('nso.example'), undefined);
    assert.equal(named('web.example', 8443), undefined);
    assert.equal(named('web.example'), unnamed);
    assert.equal(named('db.example', 5432), undefined);
    assert.match(named('nso.example', 5432) ?? '', /its port 5432/);
    assert.match(named('other.example', 5432) ?? '', /its port 5432/);
    // A name may have an address of the network.
    const network = refusalOf(['10.0.0.0/8', '10.1.0.0/16:8200']);
    assert.equal(network('any.example'), undefined);
    assert.equal(network('any.example', 8200), undefined);
    assert.match(network('any.example', 5432) ?? '', /its port 5432/);
    assert.equal(refusalOf(['10.0.0.0/8:8443'])('any.example'), unnamed);
    // Only the denied name is refused, on the port of its entry.
    const denied = refusalOf([], ['bad.example', 'half.example:8443'], true);
    assert.equal(denied('bad.example'), 'it is denied by the operator');
    assert.equal(denied('half.example', 8443), 'it is denied by the operator');
    assert.equal(denied('half.example'), undefined);
    assert.equal(denied('good.example', 8443), undefined);
  });

  it('treats an IPv4 address in IPv6 form as the IPv4 address', () => {
    assert.equal(policyOf(['10.0.0.0/8'])('::ffff:10.0.0.1'), undefined);
    assert.notEqual(policyOf(['10.0.0.0/8'])('64:ff9b::10.0.0.1'), undefined);
    assert.notEqual(policyOf(['10.0.0.0/8'])('::10.0.0.1'), undefined);
  });

  it('applies deny before allow and before public, in every embedding', () => {
    const refusal = policyOf(
      ['10.0.0.0/8', '::/0'],
      ['10.0.0.7', '8.8.0.0/16', 'bad.example', '10.9.0.0/16:80'],
    );
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '64:ff9b::10.0.0.7', '2002:a00:7::', '8.8.8.8']) {
      assert.equal(refusal(address), 'it is denied by the operator', address);
    }
    assert.equal(refusal('10.0.0.8', { host: 'bad.example' }), 'it is denied by the operator');
    assert.equal(refusal('10.9.0.1'), undefined);
    assert.equal(refusal('10.9.0.1', { port: 80 }), 'it is denied by the operator');
  });

  it('denies ports of other protocols, unless an entry names the port', () => {
    const refusal = policyOf(['10.0.0.0/8', '10.0.0.1:6379']);
    for (const port of [22, 25, 6000, 6379, 11211]) {
      assert.match(refusal('8.8.8.8', { port }) ?? '', /not an HTTP port/);
      assert.match(refusal('10.0.0.2', { port }) ?? '', /not an HTTP port/);
    }
    assert.equal(refusal('10.0.0.1', { port: 6379 }), undefined);
    assert.equal(refusal('8.8.8.8', { port: 8080 }), undefined);
  });

  it('finding F15: denies ports of infrastructure in an open range, unless an entry names the port', () => {
    const refusal = policyOf(['10.0.0.0/8', '10.0.0.1:9200']);
    for (const port of [2375, 2379, 5432, 8200, 9200, 10250, 27017]) {
      assert.match(refusal('8.8.8.8', { port }) ?? '', /entry of egress\.allow must name the port/);
      assert.match(refusal('10.0.0.2', { port }) ?? '', new RegExp(`its port ${port} `));
    }
    assert.equal(refusal('10.0.0.1', { port: 9200 }), undefined);
  });

  it('denies a text that is not an address', () => {
    assert.equal(policyOf(['0.0.0.0/0', '::/0'])('nonsense'), 'its address is reserved');
  });

  it('reports entries that it cannot parse, and ignores them', () => {
    const wrong = `http://host host/path host: host:80:90 *.example.net host. 10.0.0.0/ 10.0/16 0x7f000001 010.0.0.1
      2130706433 [fd12::1 [10.0.0.1] münchen.example`;
    for (const entry of [' ', 'a b', ...wrong.split(/\s+/)]) {
      const { faults, policy } = parseEgress({ allow: ['10.0.0.1', entry], deny: [entry], public: true });
      assert.deepEqual(column(faults, 'pointer'), ['/allow/1', '/deny/0'], entry);
      assert.equal(policy.refusal({ host: 'h', port: 80, address: '10.0.0.1' }), undefined);
      for (const { message, fix } of faults) assert.ok(message.length > 10 && fix.endsWith('.'));
    }
  });

  it('explains the fault of an entry', () => {
    const fix =
      'Write host, host:port, 10.0.0.0/8, 10.0.0.0/8:443, [2001:db8::1]:443 or [2001:db8::/32]:443.';
    for (const [entry, message] of [
      ['', 'is not a host, an address or a CIDR, with an optional port'],
      ['[host]:80', 'is not a host, an address or a CIDR, with an optional port'],
      ['host:0', 'has a port that is not between 1 and 65535'],
      ['host:65536', 'has a port that is not between 1 and 65535'],
      ['host/8', 'has a prefix length but no address before it'],
      ['-host', 'is not a host name, an address or a CIDR'],
      ['127.1', 'is an address in a short or unusual spelling; write all four parts'],
      ['10.0.0.0/33', 'has a prefix length beyond 32'],
      ['fd12::/129', 'has a prefix length beyond 128'],
      ['::ffff:10.0.0.0/104', 'is an IPv4 address in IPv6 form; write it as IPv4'],
      ['10.0.0.1/8', 'has bits set beyond its prefix length; write the first address'],
      ['fd12::1/16', 'has bits set beyond its prefix length; write the first address'],
    ] as const) {
      const { faults } = parseEgress({ allow: [], deny: [entry], public: true });
      assert.deepEqual(faults, [{ pointer: '/deny/0', code: 'egress', message, fix }], entry);
    }
  });

  it('accepts the first and the last port, and every prefix length', () => {
    for (const entry of ['host:1', 'host:65535', '0.0.0.0/0', '10.0.0.1/32', '::/0', 'fd12::1/128'])
      assert.deepEqual(parseEgress({ allow: [entry], deny: [], public: true }).faults, [], entry);
  });
});
