import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMMAND } from '../support/gatehouse-command.js';
import { PYTHON3, SYSTEMD_NOTIFY } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** Prints each datagram of a socket as JSON. systemd-notify waits until the receiver closes the descriptor of its barrier. */
const RECEIVER = `
import array, json, os, socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print(json.dumps("listening"), flush=True)
while True:
    data, ancillary, flags, sender = receiver.recvmsg(4096, socket.CMSG_SPACE(64))
    for level, kind, raw in ancillary:
        if kind == socket.SCM_RIGHTS:
            descriptors = array.array("i", raw[: len(raw) // 4 * 4])
            for descriptor in descriptors:
                os.close(descriptor)
    print(json.dumps(data.decode()), flush=True)
`;

/** Receives the notifications on a datagram socket, as systemd does. */
async function receive(path: string): Promise<{ readonly child: ChildProcess; readonly received: string[] }> {
  const child = spawn('python3', ['-c', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const received: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => received.push(JSON.parse(line) as string));
  await until(() => received.length > 0);
  return { child, received };
}

describeWith([SYSTEMD_NOTIFY, PYTHON3], 'gatehouse serve under systemd', () => {
  it('notifies systemd that it is ready, reloads, works and stops', async () => {
    const folder = temporaryFolder().path;
    const config = join(folder, 'gatehouse.yaml');
    const text = `server: { listen: "127.0.0.1:0" }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`;
    writeFileSync(config, text);
    const { child: receiver, received } = await receive(join(folder, 'notify'));
    const env = { ...process.env, NOTIFY_SOCKET: join(folder, 'notify'), WATCHDOG_USEC: '1000000' };
    const server = spawn(process.execPath, [COMMAND, 'serve', '--config', config], { env, stdio: 'ignore' });
    const ended = once(server, 'exit');
    const count = (pattern: RegExp): number => received.filter((line) => pattern.test(line)).length;
    try {
      await until(() => count(/^READY=1\nSTATUS=serves http:/) === 1 && count(/^WATCHDOG=1$/) > 0);
      server.kill('SIGHUP');
      await until(() => count(/^RELOADING=1\nMONOTONIC_USEC=\d+$/) === 1 && count(/^READY=1/) === 2);
      writeFileSync(config, `${text}rolls: {}\n`);
      server.kill('SIGHUP');
      await until(() => count(/^READY=1\nSTATUS=serves the previous configuration/) === 1);
    } finally {
      server.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
    await until(() => count(/^STOPPING=1$/) === 1);
    const states = received.flatMap((line) => /^(READY|RELOADING|STOPPING)=1/.exec(line)?.[1] ?? []);
    assert.deepEqual(states, ['READY', 'RELOADING', 'READY', 'RELOADING', 'READY', 'STOPPING']);
    receiver.kill();
    await once(receiver, 'exit');
  });
});
