import { openLog } from '../../../src/telemetry/log/open-log.js';

// Waits for input on stdin, logs a thousand lines to stdout and to a file, then exits normally.
const [file = ''] = process.argv.slice(2);
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
const { log, close } = openLog({ level: 'info', format: 'json', file, rotation: null, syslog: null });
for (let at = 0; at < 1000; at += 1) {
  log.info('line', { at });
  if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await close();
log.info('after close');
