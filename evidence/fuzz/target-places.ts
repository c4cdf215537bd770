import assert from 'node:assert/strict';
import { parseEgressUri } from '../../src/upstream/egress-uri.js';
import { confine, parseBaseUrl } from '../../src/upstream/target.js';
import { problemOf } from './verdict.js';

const BASE = parseBaseUrl('https://nso.example:8888/restconf/base');

/** A path is refused, or stays below its base however often it is decoded. */
export function readAsPath(input: Buffer): void {
  const path = input.toString('latin1');
  const read = problemOf(() => confine(BASE, path), 'invalid_path');
  if (!read) return;
  const url = new URL(read.value);
  assert.equal(url.href, read.value);
  assert.ok(read.value.startsWith(`${BASE.origin}${BASE.path}/`), read.value);
  let decoded = url.pathname;
  for (let round = 0; round < 4; round += 1) {
    const parts = decoded
      .replaceAll('\\', '/')
      .split('/')
      .map((part) => part.split(';', 1)[0] ?? '');
    assert.ok(!parts.some((part) => part === '..' || part === '.'), decoded);
    assert.ok(!/[\u0000-\u001f\u007f]/.test(decoded), decoded);
    const next = URL.canParse(`http://a${decoded}`) ? decodeURIComponent(decoded) : decoded;
    if (next === decoded || /%(?![0-9A-Fa-f]{2})/.test(next)) return;
    decoded = next;
  }
}

/** Returns a URL without the encoding of characters that are encoded in a query. */
function withPlainQuery({ href, search }: URL): string {
  const decoded = search.replaceAll(/%(?:2[27]|3[CE]|5[BDE]|60|7[BCD])/g, decodeURIComponent);
  return href.slice(0, href.length - search.length) + decoded;
}

/** A URI is refused, or is called as it was written, but for the encoding of its query, by every reader. */
export function readAsEgressUri(input: Buffer): void {
  const uri = input.toString('latin1');
  const read = problemOf(() => parseEgressUri(uri), 'invalid_uri');
  if (!read) return;
  const { url, origin, host, port, secure } = read.value;
  const parsed = new URL(uri);
  assert.deepEqual([parsed.origin, new URL(url).href], [origin, url]);
  assert.equal(withPlainQuery(parsed), withPlainQuery(new URL(url)));
  assert.deepEqual([parsed.username, parsed.password, parsed.hash], ['', '', '']);
  assert.equal(parsed.hostname.replace(/^\[|\]$/g, ''), host);
  assert.equal(Number(parsed.port || (secure ? 443 : 80)), port);
  assert.ok(uri.toLowerCase().includes(`//${parsed.hostname.startsWith('[') ? '[' : host}`));
}
