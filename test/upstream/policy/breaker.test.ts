import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBreaker, type BreakerPermit } from '../../../src/upstream/policy/breaker.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

function start({ failures = 3, openMs = 1_000, random = 0 } = {}) {
  const clock = createFakeScheduler();
  const breaker = createBreaker({ failures, openMs }, { clock, random: () => random });
  const admit = (): BreakerPermit => {
    const pass = breaker.admit();
    assert.ok(pass, 'was not admitted');
    return pass;
  };
  const fail = (times: number): void => {
    for (let time = 0; time < times; time += 1) admit().end('failed');
  };
  return { clock, breaker, admit, fail };
}

describe('the breaker of a base URL', () => {
  it('opens after so many failures in a row, and not before', () => {
    const { breaker, fail, admit } = start();
    fail(2);
    admit().end('worked');
    fail(2);
    assert.deepEqual([breaker.state(), breaker.failures()], ['closed', 2]);
    fail(1);
    assert.equal(breaker.state(), 'open');
    assert.equal(breaker.admit(), undefined);
    assert.equal(breaker.waitMs(), 1_000);
  });

  it('takes no notice of calls that say nothing', () => {
    const { breaker, admit } = start({ failures: 1 });
    admit().end('neither');
    assert.equal(breaker.state(), 'closed');
  });

  it('stays open for its time and up to a tenth more', async () => {
    const { breaker, clock, fail } = start({ random: 0.5 });
    fail(3);
    await clock.pass(1_049);
    assert.equal(breaker.admit(), undefined);
    await clock.pass(1);
    assert.equal(breaker.state(), 'half-open');
    assert.ok(breaker.admit());
  });

  it('admits one call at a time when it is half-open, and all of them once one has worked', async () => {
    const { breaker, clock, fail, admit } = start();
    fail(3);
    await clock.pass(1_000);
    const probe = admit();
    assert.equal(breaker.admit(), undefined);
    assert.equal(breaker.state(), 'half-open');
    probe.end('worked');
    assert.equal(breaker.state(), 'closed');
    assert.ok(breaker.admit() && breaker.admit());
  });

  it('opens again when the call that was tried fails', async () => {
    const { breaker, clock, fail, admit } = start();
    fail(3);
    await clock.pass(1_000);
    admit().end('failed');
    assert.equal(breaker.state(), 'open');
    await clock.pass(999);
    assert.equal(breaker.admit(), undefined);
    await clock.pass(1);
    assert.ok(breaker.admit());
  });

  it('lets another call try when the caller of the one that was tried has left', async () => {
    const { breaker, clock, fail, admit } = start();
    fail(3);
    await clock.pass(1_000);
    admit().end('neither');
    assert.ok(breaker.admit());
  });

  it('does not listen to calls that began before it opened', async () => {
    const { breaker, clock, fail, admit } = start();
    const [early, late] = [admit(), admit()];
    fail(3);
    early.end('worked');
    assert.equal(breaker.state(), 'open');
    await clock.pass(1_000);
    const probe = admit();
    late.end('failed');
    probe.end('worked');
    assert.equal(breaker.state(), 'closed');
  });

  it('closes when a health probe finds that all is well, and is not kept open by one that does not', async () => {
    const { breaker, clock, fail } = start();
    fail(3);
    breaker.report('worked');
    assert.equal(breaker.state(), 'closed');
    fail(3);
    await clock.pass(900);
    breaker.report('failed');
    await clock.pass(100);
    assert.ok(breaker.admit());
  });

  it('opens by health probes as well', () => {
    const { breaker } = start();
    for (let probe = 0; probe < 3; probe += 1) breaker.report('failed');
    assert.equal(breaker.state(), 'open');
  });

  it('never opens with 0 failures', () => {
    const { breaker, fail } = start({ failures: 0 });
    fail(1_000);
    assert.equal(breaker.state(), 'closed');
  });

  it('never has two calls on trial, and always comes back, whatever happens', async () => {
    const events = fc.array(fc.constantFrom('admit', 'worked', 'failed', 'neither', 'report', 'wait'), { maxLength: 100 }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const { breaker, clock } = start();
        const running: { pass: BreakerPermit; onTrial: boolean }[] = [];
        for (const event of list) {
          if (event === 'admit') {
            const onTrial = breaker.state() !== 'closed';
            const pass = breaker.admit();
            if (pass) running.push({ pass, onTrial });
            assert.ok(!onTrial || running.filter((one) => one.onTrial).length <= 1);
          } else if (event === 'wait') await clock.pass(1_000);
          else if (event === 'report') breaker.report('failed');
          else running.splice(running.findIndex(({ onTrial }) => onTrial) , 1)[0]?.pass.end(event); // prettier-ignore
        }
        for (const { pass } of running.splice(0)) pass.end('failed');
        await clock.pass(1_000);
        const pass = breaker.admit();
        assert.ok(pass);
        pass.end('worked');
        assert.equal(breaker.state(), 'closed');
      }),
      { numRuns: 100 },
    );
  });
});
