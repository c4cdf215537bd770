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
  it('opens after the configured number of consecutive failures, and not before', () => {
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

  it('ignores calls that neither worked nor failed', () => {
    const { breaker, admit } = start({ failures: 1 });
    admit().end('neither');
    assert.equal(breaker.state(), 'closed');
  });

  it('stays open for openMs plus up to 10 %', async () => {
    const { breaker, clock, fail } = start({ random: 0.5 });
    fail(3);
    await clock.pass(1_049);
    assert.equal(breaker.admit(), undefined);
    await clock.pass(1);
    assert.equal(breaker.state(), 'half-open');
    assert.ok(breaker.admit());
  });

  it('admits one call at a time when half-open, and all calls after one has worked', async () => {
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

  it('opens again when the trial call fails', async () => {
    const { breaker, clock, fail, admit } = start();
    fail(3);
    await clock.pass(1_000);
    admit().end('failed');
    assert.equal(breaker.state(), 'open');
    await clock.pass(999);
    assert.equal(breaker.admit(), undefined);
    await clock.pass(1);
    admit().end('neither');
    assert.ok(breaker.admit(), 'the caller of the trial call has left');
  });

  it('ignores calls that began before it opened', async () => {
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

  it('closes when a health probe succeeds, and does not stay open longer when it fails', async () => {
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

  it('opens after failed health probes as well', () => {
    const { breaker } = start();
    for (let probe = 0; probe < 3; probe += 1) breaker.report('failed');
    assert.equal(breaker.state(), 'open');
  });

  it('never opens if failures is 0', () => {
    const { breaker, fail } = start({ failures: 0 });
    fail(1_000);
    assert.equal(breaker.state(), 'closed');
  });

  it('never has two trial calls, and always recovers, for any order of events', async () => {
    const event = fc.constantFrom('admit', 'worked', 'failed', 'neither', 'report', 'wait');
    const events = fc.array(event, { maxLength: 100 });
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
