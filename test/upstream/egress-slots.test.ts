import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { createEgressSlots, type SlotLimits } from '../../src/upstream/egress-slots.js';

const LIMITS: SlotLimits = { concurrent: 3, concurrentPerSubject: 2, memoryBytes: 1_000, maxReplyBytes: 10 };

/** Takes a place. Returns the refusal, or `admitted`. */
const refusalOf = (
  slots: ReturnType<typeof createEgressSlots>,
  subject: string,
  limits: SlotLimits = LIMITS,
): string => {
  try {
    slots.take(subject, limits);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.deepEqual(error.extras.headers, { 'retry-after': '1' });
    return `${error.status} ${error.code}`;
  }
  return 'admitted';
};

describe('the places of outbound calls', () => {
  it('finding F2: are limited for each caller and for all, until they are released', () => {
    const slots = createEgressSlots();
    const first = slots.take('ada', LIMITS);
    slots.take('ada', LIMITS);
    assert.equal(refusalOf(slots, 'ada'), '429 too_many_requests');
    slots.take('bob', LIMITS);
    assert.equal(refusalOf(slots, 'eve'), '503 egress_busy');
    first.release();
    first.release();
    slots.take('ada', LIMITS);
    assert.equal(refusalOf(slots, 'eve'), '503 egress_busy');
  });

  it('finding F2: are limited by the memory for replies, but one is always admitted', () => {
    const slots = createEgressSlots();
    const small = { ...LIMITS, memoryBytes: 40 };
    const first = slots.take('ada', { ...small, memoryBytes: 1 });
    assert.equal(refusalOf(slots, 'bob', { ...small, memoryBytes: 39 }), '503 egress_busy');
    slots.take('bob', small);
    assert.equal(refusalOf(slots, 'eve', small), '503 egress_busy');
    first.release();
    slots.take('eve', small);
  });

  it('finding F3: run two lookups of a caller and eight of all at a time', async () => {
    const slots = createEgressSlots();
    const limits = { ...LIMITS, concurrent: 100, concurrentPerSubject: 4, memoryBytes: 1e6 };
    const pending: (() => void)[] = [];
    const running: string[] = [];
    const done = ['ada', 'bob', 'cat', 'dan', 'eve'].flatMap((subject) =>
      [1, 2, 3].map(() =>
        slots.take(subject, limits).lookup(() => {
          running.push(subject);
          return new Promise<void>((resolve) => pending.push(resolve));
        }),
      ),
    );
    await Promise.resolve();
    assert.equal(running.join(' '), 'ada ada bob bob cat cat dan dan');
    let ended = 0;
    while (ended < done.length) {
      ended += pending.length;
      for (const end of pending.splice(0)) end();
      await Promise.resolve();
    }
    await Promise.all(done);
    assert.equal(running.length, 15);
  });
});
