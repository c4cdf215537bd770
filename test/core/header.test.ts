import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ADDED_REPLY_HEADER_PATTERN,
  forwardedReplyHeaders,
  headerNamePattern,
  isHeaderName,
  isHeaderValue,
  isOwnHeader,
  retryAfterMs,
} from '../../src/core/header.js';

describe('header names and values', () => {
  const pattern = new RegExp(headerNamePattern(['cookie']), 'u');

  it('match the name pattern exactly when the name is valid, not reserved and not excluded', () => {
    const names = fc.oneof(
      fc.string(),
      fc.mixedCase(
        fc.constantFrom(...'host te cookie proxy-x x-forwarded-for x-own tea cookies forwarded'.split(' ')),
      ),
    );
    fc.assert(
      fc.property(names, (name) => {
        const free = isHeaderName(name) && !isOwnHeader(name) && name.toLowerCase() !== 'cookie';
        assert.equal(pattern.test(name), free, name);
      }),
    );
  });

  it('accept no line break, no control character and no character beyond Latin-1', () => {
    for (const value of ['a\r\nb', 'a\nb', 'a\0', 'a\x7f', 'ā', '\u2028'])
      assert.equal(isHeaderValue(value), false);
    for (const value of ['', 'a b', 'a\tb', 'é']) assert.equal(isHeaderValue(value), true);
  });
});

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);

  it('returns the expected value for each input', () => {
    for (const [value, expected] of [
      ['3', 3_000],
      [' 0 ', 0],
      ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
      ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
      ['Thursday, 01-Jan-26 12:00:05 GMT', 5_000],
      ['-1', undefined],
      ['1.5', undefined],
      ['soon', undefined],
      ['', undefined],
      ['2026-01-01', undefined],
      ['99999999999', undefined],
    ] as const)
      assert.equal(retryAfterMs({ headers: { 'retry-after': value } }, now), expected, value);
  });

  it('reads the first header and returns undefined without a header', () => {
    assert.equal(retryAfterMs({ headers: { 'retry-after': ['1', '2'] } }, now), 1_000);
    assert.equal(retryAfterMs({ headers: {} }, now), undefined);
  });
});

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Headers that no caller may get from an orchestrator. */
const STEERING = {
  sessions: 'Set-Cookie Set-Cookie2 Set-Login Login-Status Sec-Session-Registration Activate-Storage-Access',
  authentication: `WWW-Authenticate Proxy-Authenticate Authentication-Info Authentication-Control
    Optional-WWW-Authenticate Proxy-Authentication-Info`,
  connections: `Connection Keep-Alive Transfer-Encoding Upgrade Trailer TE Proxy-Connection HTTP2-Settings`,
  'reverse proxies': `X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset
    X-Sendfile X-Sendfile-Type X-LIGHTTPD-send-file X-LiteSpeed-Location X-LiteSpeed-Cache-Control
    X-Reproxy-URL X-Envoy-Immediate-Health-Check-Fail Surrogate-Control Surrogate-Key Edge-Control
    CDN-Cache-Control Cloudflare-CDN-Cache-Control`,
  'the origin of a browser': `Strict-Transport-Security Alt-Svc Clear-Site-Data Service-Worker-Allowed NEL
    Report-To Reporting-Endpoints Access-Control-Allow-Origin Access-Control-Expose-Headers Refresh
    Use-As-Dictionary Available-Dictionary Accept-CH Critical-CH Expect-CT Origin-Agent-Cluster
    Public-Key-Pins Speculation-Rules Document-Policy Permissions-Policy Feature-Policy No-Vary-Search
    Cross-Origin-Opener-Policy Cross-Origin-Embedder-Policy Cross-Origin-Resource-Policy
    Supports-Loading-Mode Observe-Browsing-Topics Ad-Auction-Allowed Attribution-Reporting-Register-Source
    Shared-Storage-Write Timing-Allow-Origin Content-Security-Policy Content-Security-Policy-Report-Only
    X-Frame-Options X-Content-Type-Options X-DNS-Prefetch-Control`,
  'what gatehouse says itself':
    'X-Request-Id RateLimit RateLimit-Policy Cache-Status Via Forwarded X-Forwarded-For',
} as const;

/** Headers that clients of orchestrators use. */
const NEEDED = `Accept-Patch Accept-Ranges Age Allow Cache-Control Content-Disposition Content-Encoding
  Content-Language Content-Length Content-Location Content-Range Content-Type Date Deprecation Digest ETag
  Expires Last-Modified Link Location Pragma Preference-Applied Retry-After Sec-WebSocket-Accept
  Sec-WebSocket-Protocol Sunset Vary Warning X-RateLimit-Remaining X-Total-Count`;

describe('the headers of replies that callers get', () => {
  const forwarded = forwardedReplyHeaders();
  const isAddable = (name: string): boolean => new RegExp(ADDED_REPLY_HEADER_PATTERN).test(name);

  for (const [kind, names] of Object.entries(STEERING))
    it(`findings N3 and N8: exclude headers about ${kind}, and no setting adds them`, () => {
      for (const name of words(names)) {
        assert.ok(!forwarded.has(name.toLowerCase()), name);
        assert.ok(!isAddable(name) && !isAddable(name.toLowerCase()), name);
      }
    });

  it('include content, caching, ranges, paging and limits', () => {
    for (const name of words(NEEDED)) assert.ok(forwarded.has(name.toLowerCase()), name);
  });

  it('include what the setting adds, in any case', () => {
    for (const name of ['X-Device-State', 'API-Version', 'Server', 'Operation-Location', 'X-Cookie'])
      assert.ok(isAddable(name), name);
    for (const name of ['', 'x-*', 'a b', 'x:y', 'ä']) assert.ok(!isAddable(name), name);
    const added = forwardedReplyHeaders(['X-Device-State']);
    assert.ok(added.has('x-device-state') && added.has('etag') && !added.has('server'));
  });
});
