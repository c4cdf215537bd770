import assert from 'node:assert/strict';
import { Connection } from '../../src/storage/connection.js';
import type { Database } from '../../src/storage/tables.js';

async function open() {
  let count = 0;
  const closed: number[] = [];
  const connection = await Connection.open({
    open() {
      const number = (count += 1);
      const destroy = (): Promise<void> => {
        closed.push(number);
        return Promise.resolve();
      };
      return Promise.resolve({ number, destroy } as unknown as Database);
    },
    isFatal: (error) => error instanceof RangeError,
  });
  const numberOf = (database: Database): number => (database as unknown as { number: number }).number;
  const use = <T>(work: (number: number) => Promise<T>): Promise<T> =>
    connection.use((database) => work(numberOf(database)));
  const number = (): Promise<number> => use((one) => Promise.resolve(one));
  const breakIt = (): Promise<never> => use(() => Promise.reject(new RangeError('broken')));
  return { connection, closed, use, number, breakIt };
}

describe('the database connection', () => {
  it('reopens after a fatal error, but not after other errors', async () => {
    const { use, number, breakIt, closed } = await open();
    await assert.rejects(
      use(() => Promise.reject(new Error('a fault of its own'))),
      /its own/,
    );
    assert.equal(await number(), 1);
    await assert.rejects(breakIt(), /broken/);
    assert.deepEqual([await number(), closed], [2, [1]]);
  });

  it('does not close while other work uses it (bug: the other work failed as well)', async () => {
    const { use, number, breakIt, closed } = await open();
    let finish = (): void => undefined;
    const slow = use(
      (one) =>
        new Promise<number>((resolve) => {
          finish = () => {
            resolve(one);
          };
        }),
    );
    const soon = number();
    await assert.rejects(breakIt(), /broken/);
    assert.deepEqual([await soon, await number(), closed], [1, 2, []]);
    finish();
    assert.deepEqual([await slow, closed], [1, [1]]);
  });

  it('refuses work after close', async () => {
    const { connection, number, closed } = await open();
    await connection.close();
    await assert.rejects(number(), /closed/);
    assert.deepEqual(closed, [1]);
  });
});
