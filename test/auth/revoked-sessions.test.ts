import assert from 'node:assert/strict';
import {
  createRevokedSessions,
  originOf,
  revokedSessionKey,
  revokedSubjectKey,
} from '../../src/auth/revoked-sessions.js';
import { createRevokedTokens } from '../../src/auth/revoked-tokens.js';
import { manualClock } from './fixtures.js';

const ISSUER = 'https://idp.test';

describe('createRevokedSessions', () => {
  it('contains the tokens of a session, and of no other session or issuer', () => {
    const revoked = createRevokedSessions();
    revoked.add(revokedSessionKey(ISSUER, 's1'));
    assert.ok(revoked.has(originOf(ISSUER, { sid: 's1', sub: 'ada', iat: 9 })));
    for (const other of [
      originOf(ISSUER, { sid: 's2', sub: 'ada', iat: 9 }),
      originOf(ISSUER, { sub: 's1', iat: 9 }),
      originOf('https://other.test', { sid: 's1', sub: 'ada', iat: 9 }),
    ])
      assert.ok(!revoked.has(other));
  });

  it('contains the tokens of a subject until the time of the latest entry', () => {
    const revoked = createRevokedSessions();
    const has = (iat?: number): boolean =>
      revoked.has(originOf(ISSUER, { sub: 'ada', ...(iat !== undefined && { iat }) }));
    revoked.add(revokedSubjectKey(ISSUER, 'ada', 200));
    revoked.add(revokedSubjectKey(ISSUER, 'ada', 100));
    assert.deepEqual([has(), has(150), has(200), has(201)], [true, true, true, false]);
    revoked.remove(revokedSubjectKey(ISSUER, 'ada', 100));
    assert.ok(has(200));
    revoked.remove(revokedSubjectKey(ISSUER, 'ada', 200));
    assert.ok(!has(200));
  });

  it('ignores the digest of a single token', () => {
    const revoked = createRevokedSessions();
    revoked.add('c2lkOnMx');
    assert.ok(!revoked.has(originOf(ISSUER, { sid: 's1', sub: 'c2lkOnMx', iat: 0 })));
  });
});

describe('createRevokedTokens', () => {
  it('passes revoked sessions on to listeners and to other processes, and drops them when they expire', async () => {
    const clock = manualClock();
    const [main, worker] = [createRevokedTokens(clock, 1), createRevokedTokens(clock, 1)];
    main.onEnd(worker.add);
    const until = clock.now() + 10_000;
    await main.endAll([{ digest: revokedSessionKey(ISSUER, 's1'), until }]);
    const origin = originOf(ISSUER, { sid: 's1', sub: 'ada', iat: 1 });
    assert.deepEqual([main.hasOrigin(origin), worker.hasOrigin(origin)], [true, true]);
    const restarted = createRevokedTokens(clock);
    restarted.add(main.all());
    assert.ok(restarted.hasOrigin(origin));
    clock.seconds += 10;
    await main.endAll([{ digest: 'x', until: clock.now() + 1 }]);
    assert.ok(!main.hasOrigin(origin));
  });
});
