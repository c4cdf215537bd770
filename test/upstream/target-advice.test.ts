import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { failureOf } from '../../src/upstream/failure.js';
import type { TargetOwner } from '../../src/upstream/target-advice.js';

describe('the advice of a failed connection to a target', () => {
  const adviceFor = (code: string, owner: TargetOwner): string => {
    const error = Object.assign(new Error('failed'), { code });
    const problem = failureOf(error, { phase: 'connecting', owner });
    assert.ok(problem instanceof Problem);
    return problem.extras.advice ?? '';
  };

  const AUTHORITY = /certificate of the authority .* in tls\.caFile/;
  for (const [code, adapter, egress] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate of the target in tls\.caFile/, /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', AUTHORITY, /this authority in NODE_EXTRA_CA_CERTS/],
    ['SELF_SIGNED_CERT_IN_CHAIN', AUTHORITY, /this authority in NODE_EXTRA_CA_CERTS/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /tls\.serverName/, /^Send a URI with a host name of the certificate/],
    ['CERT_HAS_EXPIRED', /renew its certificate/, /renew its certificate/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /TLS port of the target in baseUrl/, /^Send a URI with the TLS port/],
  ] as const)
    // prettier-ignore
    it(`names the setting for ${code}`, () => {
      assert.match(adviceFor(code, 'adapter'), adapter);
      assert.match(adviceFor(code, 'egress'), egress);
    });

  it('names the base URL for a target that cannot be reached, and nothing for a URI of the caller', () => {
    assert.match(adviceFor('ECONNREFUSED', 'adapter'), /orchestrator runs, that host and port of baseUrl/);
    assert.match(adviceFor('ENOTFOUND', 'adapter'), /host in baseUrl, or the DNS/);
    assert.equal(adviceFor('ECONNREFUSED', 'egress'), '');
  });

  it('names https for a target that ends a plain connection without a reply, and only then', () => {
    const closed = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    const adviceOf = (isPlain: boolean) => {
      const problem = failureOf(closed, { phase: 'waiting for the reply', owner: 'adapter', isPlain });
      assert.ok(problem instanceof Problem);
      return problem.extras.advice;
    };
    assert.match(adviceOf(true) ?? '', /https:\/\/ in baseUrl/);
    assert.equal(adviceOf(false), undefined);
  });
});
