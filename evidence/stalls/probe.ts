import { openSync, readSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Loaded into gatehouse before its main module. Measures the processor time of the main thread in each turn of the event loop, and
// tells whoever connects the longest turn since the last connection, in milliseconds. STALLS_PORT names the file for its port.
const portFile = process.env['STALLS_PORT'];
if (isMainThread && portFile !== undefined) {
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const usedMs = (): number => {
    const length = readSync(schedstat, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
  };
  let [longest, last] = [0, usedMs()];
  const look = (): void => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, 1).unref();
  const server = createServer((socket) => {
    look();
    socket.end(longest.toFixed(1));
    longest = 0;
  });
  server.listen(0, '127.0.0.1', () => {
    writeFileSync(portFile, String((server.address() as { readonly port: number }).port));
  });
  server.unref();
}
