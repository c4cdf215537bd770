import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { resourceMetadata, withChallenge } from '../../../src/features/mcp/resource-metadata.js';

const ORIGIN = 'https://gatehouse.example.com';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METADATA = `resource_metadata="${ORIGIN}${WELL_KNOWN}/mcp"`;

describe('resourceMetadata', () => {
  it('describes the resource of its path, with the issuers that have a URL', () => {
    const issuers = [{ issuer: 'https://login.example.com' }, { issuer: 'internal' }];
    const common = { bearer_methods_supported: ['header'], resource_name: 'gatehouse' };
    assert.deepEqual(resourceMetadata(`${WELL_KNOWN}/mcp`, ORIGIN, issuers), {
      ...{ resource: `${ORIGIN}/mcp`, authorization_servers: ['https://login.example.com'], ...common },
    });
    assert.deepEqual(resourceMetadata(WELL_KNOWN, ORIGIN, []), { resource: ORIGIN, ...common });
  });

  it('is undefined for other paths', () => {
    assert.equal(resourceMetadata('/mcp', ORIGIN, []), undefined);
    assert.equal(resourceMetadata(`${WELL_KNOWN}/other`, ORIGIN, []), undefined);
  });
});

describe('withChallenge', () => {
  const challengeOf = (problem: Problem) =>
    withChallenge(problem, ORIGIN).extras.headers?.['www-authenticate'];

  it('adds the metadata to the challenges of a caller without a valid token', () => {
    const problem = new Problem('unauthorized', 'no', {
      headers: { 'www-authenticate': ['Bearer error="invalid_token"', 'Basic realm="gatehouse"'] },
    });
    assert.deepEqual(challengeOf(problem), [
      `Bearer error="invalid_token", ${METADATA}`,
      'Basic realm="gatehouse"',
    ]);
    assert.deepEqual(challengeOf(new Problem('unauthorized', 'no')), [`Bearer ${METADATA}`]);
  });

  it('tells a caller without a role which roles are needed', () => {
    assert.equal(
      challengeOf(new Problem('forbidden', 'needs "admin" \\ ü.')),
      `Bearer error="insufficient_scope", error_description="needs 'admin' ' '.", ${METADATA}`,
    );
  });

  it('changes no other problem', () => {
    const problem = new Problem('adapter_not_found', 'no');
    assert.equal(withChallenge(problem, ORIGIN), problem);
  });
});
