import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { fingerprintOf, knownHostKeys, pinnedKeys } from '../../../plugins/netconf/host-key.js';

const KEY = Buffer.from('AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl', 'base64');
const OTHER = Buffer.from(KEY).fill(7, 40);
const LINE = `ssh-ed25519 ${KEY.toString('base64')}`;

/** Returns `accepted`, or the reason why the key of a host is refused. */
function outcome(text: string, host: string, port = 22): string {
  return knownHostKeys(text, host, port).refusal(KEY) ?? 'accepted';
}

function hashed(name: string): string {
  const salt = Buffer.from('0123456789abcdefghij');
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

describe('host keys', () => {
  it('are pinned by the fingerprints that ssh-keygen prints', () => {
    assert.equal(fingerprintOf(KEY), 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
    assert.equal(pinnedKeys([fingerprintOf(KEY)]).refusal(KEY), undefined);
    const refusal = pinnedKeys([fingerprintOf(KEY)]).refusal(OTHER);
    assert.match(refusal ?? '', /^the host key of the server is SHA256:/);
    assert.match(pinnedKeys([]).refusal(KEY) ?? '', /hostKeys/);
  });

  const ACCEPTED: readonly (readonly [line: string, host: string, port?: number])[] = [
    [`router.example ${LINE}`, 'router.example'],
    [`ROUTER.example ${LINE} a comment`, 'router.example'],
    [`a,router.example,b ${LINE}`, 'router.example'],
    [`*.example ${LINE}`, 'router.example'],
    [`r?uter.* ${LINE}`, 'router.example'],
    [`[router.example]:830 ${LINE}`, 'router.example', 830],
    [`[*.example]:830 ${LINE}`, 'router.example', 830],
    [`${hashed('router.example')} ${LINE}`, 'router.example'],
    [`${hashed('[router.example]:830')} ${LINE}`, 'router.example', 830],
    [`# a comment\n\nother ssh-rsa AAAA\nrouter.example ${LINE}\n`, 'router.example'],
  ];
  it('are known by their lines', () => {
    for (const [text, host, port] of ACCEPTED)
      assert.equal(outcome(text, host, port), 'accepted', text.slice(0, 40));
  });

  const REFUSED: readonly (readonly [line: string, reason: RegExp, port?: number])[] = [
    ['', /has no key for this host/],
    [`other.example ${LINE}`, /has no key/],
    [`router.example ${LINE}`, /has no key/, 830],
    [`[router.example]:830 ${LINE}`, /has no key/],
    [`!router.example,*.example ${LINE}`, /has no key/],
    [`${hashed('other.example')} ${LINE}`, /has no key/],
    [`@cert-authority *.example ${LINE}`, /has no key/],
    [`#router.example ${LINE}`, /has no key/],
    [`router.example ssh-ed25519 ${OTHER.toString('base64')}`, /has other keys/],
    [`router.example ${LINE}\n@revoked * ${LINE}`, /is revoked/],
    ['|1|a router.example', /has no key/],
  ];
  it('are refused for other lines', () => {
    for (const [text, reason, port] of REFUSED)
      assert.match(outcome(text, 'router.example', port), reason, JSON.stringify(text.slice(0, 40)));
  });

  it('name the types that a server may present', () => {
    assert.deepEqual(knownHostKeys(`a ${LINE}\na ${LINE}`, 'a', 22).types, ['ssh-ed25519']);
  });

  it('are compared in time proportional to the pattern', () => {
    const pattern = `${'*a'.repeat(2000)}b`;
    assert.match(outcome(`${pattern} ${LINE}`, 'a'.repeat(5000)), /has no key/);
  });
});
