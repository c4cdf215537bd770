import { openLog } from '../../../src/telemetry/log/open-log.js';

// Waits for input on stdin, logs a thousand lines to stdout and to a file, then exits normally. With `bare`
// it writes directly to stdout, to show the failure that the log prevents.
const [mode = '', file = ''] = process.argv.slice(2);
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
const { log, close } = openLog({ level: 'info', format: 'json', file, rotation: null, syslog: null });
for (let at = 0; at < 1000; at += 1) {
  if (mode === 'bare') process.stdout.write(`line ${at}\n`);
  else log.info('line', { at });
  if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await close();
log.info('after close');
