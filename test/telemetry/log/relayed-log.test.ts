import assert from 'node:assert/strict';
import { openRelayedLog } from '../../../src/telemetry/log/open-log.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';

describe('openRelayedLog', () => {
  it('adds the fields of its process to every line, also of child logs', () => {
    const relayed: unknown[] = [];
    const { log } = openRelayedLog(
      { level: 'info', file: null, syslog: null },
      {
        relay: ({ message, fields }) => relayed.push({ message, ...fields }),
        redactor: createRedactor(),
        fields: { worker: 1, pid: 4711 },
      },
    );
    log.info('call worker serves');
    log.with({ adapter: 'nso1' }).warn('adapter start failed', { seconds: 2 });
    assert.deepEqual(relayed, [
      { message: 'call worker serves', worker: 1, pid: 4711 },
      { message: 'adapter start failed', worker: 1, pid: 4711, adapter: 'nso1', seconds: 2 },
    ]);
  });
});
