import assert from 'node:assert/strict';
import { type IssuerMonitor, openIssuerMonitor } from '../../src/auth/issuer-monitor.js';
import type { IssuerCheck, IssuerFinding } from '../../src/core/login.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

const ISSUER = 'https://idp.example/realms/net';
const FAULT: IssuerFinding = {
  pointer: '/issuers/0/issuer',
  code: 'issuer_unreachable',
  message: 'has no metadata: the target refuses connections on this port',
  fix: 'Check that the issuer runs.',
};
const REASON = `auth${FAULT.pointer} ${FAULT.message}. ${FAULT.fix}`;

describe('openIssuerMonitor', () => {
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  let findings: readonly IssuerFinding[] = [];
  let runs = 0;
  let swap = (): void => undefined;
  let isClosed = false;
  let monitor: IssuerMonitor | undefined;
  const check: IssuerCheck = {
    issuer: ISSUER,
    run: () => {
      runs += 1;
      return Promise.resolve(findings);
    },
  };
  let active = { issuerChecks: [check] };

  function open(): IssuerMonitor {
    const onSwap = (listener: () => void) => {
      swap = listener;
      return () => void (isClosed = true);
    };
    return (monitor = openIssuerMonitor({ current: () => active, onSwap }, { scheduler, log }));
  }

  beforeEach(() => {
    [findings, runs, isClosed, active] = [[], 0, false, { issuerChecks: [check] }];
    lines.splice(0);
  });
  afterEach(() => monitor?.close());

  const shown = (): readonly string[] =>
    lines.map(
      ({ level, message, fields }) => `${level} ${message} ${(fields['reason'] as string | undefined) ?? ''}`,
    );

  it('delays nothing: the state is unknown before the first check has ended', async () => {
    const opened = open();
    assert.deepEqual(opened.states(), [{ issuer: ISSUER, state: 'unknown' }]);
    await scheduler.pass(0);
    assert.deepEqual(opened.states(), [{ issuer: ISSUER, state: 'running' }]);
    assert.deepEqual(shown(), []);
  });

  it('warns once of a failure and tells of its end', async () => {
    findings = [{ ...FAULT, isWarning: true }, FAULT];
    const opened = open();
    await scheduler.pass(0);
    assert.deepEqual(opened.states(), [{ issuer: ISSUER, state: 'failed', reason: REASON }]);
    await scheduler.pass(60_000);
    assert.equal(runs, 2);
    findings = [];
    await scheduler.pass(60_000);
    assert.deepEqual(shown(), [
      `warn issuer check failed; tokens and sign-ins of the issuer may fail ${REASON}`,
      'info issuer check succeeded ',
    ]);
  });

  it('checks every 10 minutes while all is well; a warning is no failure', async () => {
    findings = [{ ...FAULT, isWarning: true }];
    const opened = open();
    await scheduler.pass(0);
    await scheduler.pass(599_000);
    assert.equal(runs, 1);
    await scheduler.pass(1_000);
    assert.equal(runs, 2);
    assert.equal(opened.states()[0]?.state, 'running');
  });

  it('checks the issuers of a changed configuration at once, and nothing after another change', async () => {
    open();
    await scheduler.pass(0);
    swap();
    await scheduler.pass(0);
    assert.equal(runs, 1);
    active = { issuerChecks: [check] };
    swap();
    await scheduler.pass(0);
    assert.equal(runs, 2);
  });

  it('ends its checks when it is closed', async () => {
    open().close();
    await scheduler.pass(3_600_000);
    assert.deepEqual([runs, isClosed, scheduler.next()], [1, true, undefined]);
  });
});
