import { readFileSync } from 'node:fs';
import { createSshClient } from '../../plugins/netconf/ssh-client.js';
import { createPluginConnect } from '../../src/upstream/plugin-connect.js';

// The floor: one session of ssh2, requests of fixed bytes, replies that are counted and not read. Takes port, user, file of the key,
// file of the request, number of requests under way, and seconds; prints replies and CPU time as JSON. Ends with an error if no
// reply has the entry.

const [port, username, keyFile, requestFile, callers, seconds] = process.argv.slice(2);
const request = readFileSync(requestFile ?? '', 'utf8');
const hello =
  '<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities><capability>urn:ietf:params:netconf:base:1.1</capability></capabilities></hello>]]>]]>';
const END = '\n##\n';
/** Key of the entry; the request is not in the reply. */
const KEY = 'xe-0';

const sock = await createPluginConnect({})(
  { host: '127.0.0.1', port: Number(port), connectMs: 10_000 },
  new AbortController().signal,
);
const client = createSshClient();
client.on('ready', () => {
  client.setNoDelay(true);
  client.subsys('netconf', (error, channel) => {
    if (error) throw error;
    channel.write(hello);
    let [isOpen, isRead] = [false, false];
    let tail = '';
    let replies = 0;
    let before = process.cpuUsage();
    const ask = (): void => void channel.write(`\n#${Buffer.byteLength(request)}\n${request}${END}`);
    channel.on('data', (bytes: Buffer) => {
      const text = tail + bytes.toString('latin1');
      if (!isOpen) {
        if (!text.includes(']]>]]>')) {
          tail = text;
          return;
        }
        isOpen = true;
        tail = '';
        for (let count = 0; count < Number(callers); count += 1) ask();
        return;
      }
      const parts = text.split(END);
      isRead ||= text.includes(KEY);
      tail = parts.at(-1)?.slice(-END.length) ?? '';
      for (let count = 1; count < parts.length; count += 1) {
        replies += 1;
        ask();
      }
    });
    const ms = Number(seconds) * 1000;
    // The first half warms up.
    setTimeout(() => {
      replies = 0;
      before = process.cpuUsage();
    }, ms);
    setTimeout(() => {
      if (!isRead) throw new Error('no reply has the entry');
      const { user, system } = process.cpuUsage(before);
      process.stdout.write(JSON.stringify({ replies, cpuMs: (user + system) / 1000 }));
      process.exit(0);
    }, 2 * ms);
  });
});
client.connect({
  sock,
  username: username ?? '',
  privateKey: readFileSync(keyFile ?? '', 'utf8'),
  readyTimeout: 10_000,
  keepaliveInterval: 0,
  keepaliveCountMax: 3,
  hostVerifier: () => true,
});
