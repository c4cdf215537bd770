import assert from 'node:assert/strict';
import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import winston from 'winston';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

/** Opens a log of winston's own File transport, and returns the errors that it reports. */
function open(filename: string) {
  const logger = winston.createLogger({
    transports: [new winston.transports.File({ filename, maxsize: 1024 * 1024, maxFiles: 3 })],
  });
  const errors: unknown[] = [];
  logger.on('error', (error) => errors.push(error));
  return { logger, errors };
}

// Why `log-file.ts` and `bounded-writer.ts` exist (decision 58). If one of these fails after an update of winston, look again.
describe("winston's File transport", () => {
  const folder = temporaryFolder();

  it('loses lines without a report while the disk is full, and keeps those that follow in memory', async () => {
    const path = join(folder.path, 'full.log');
    symlinkSync('/dev/full', path);
    const { logger, errors } = open(path);
    for (let at = 0; at < 200; at += 1) {
      logger.info('x'.repeat(100_000));
      if (at % 10 === 0) await setTimeout(1);
    }
    assert.deepEqual(errors, []);
    const [transport] = logger.transports;
    const waiting = logger.writableLength + logger.readableLength + (transport?.writableLength ?? 0);
    assert.ok(waiting > 100, `${waiting} lines wait`);
  });

  it('does not open the file again that was moved away', async () => {
    const path = join(folder.path, 'moved.log');
    const { logger } = open(path);
    logger.info('before');
    await until(() => existsSync(path));
    renameSync(path, `${path}.1`);
    logger.info('after');
    logger.end();
    await new Promise((resolve) => logger.once('finish', resolve));
    assert.ok(!existsSync(path));
  });
});
