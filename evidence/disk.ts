import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { report, SABOTAGED } from './report.js';
import { startServerProcess } from './server-process.js';

// A full disk: gatehouse refuses data that it cannot store, keeps serving stored data, and writes again as
// soon as there is space, without a restart. `npm run evidence -- disk`; without more space the group must
// fail.
const [SIZE, MORE] = ['3m', '64m'];
/** Number of forms that fit only into more space: a checkpoint of SQLite alone makes room for some. */
const FURTHER = 100;
const FORM_BYTES = 40_000;
const TIMEOUT_MS = 30_000;

if (spawnSync('unshare', ['-m', 'true']).status === 0) await fillDisk();
else process.stderr.write('disk: skipped, since no file system may be mounted here\n');

async function fillDisk(): Promise<void> {
  const { path: folder } = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  const mounted = [
    'unshare',
    '-m',
    'sh',
    '-c',
    `mount -t tmpfs -o size=${SIZE} none "$0" && exec "$@"`,
    data,
  ];
  const server = await startServerProcess({ folder }, mounted);
  const token = server.issueToken('admin');
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  let made = 0;
  const create = async (): Promise<number> => {
    const struct = { text: 'x'.repeat(FORM_BYTES) };
    const reply = await ask('POST', '/json-forms/forms', { name: `form ${(made += 1)}`, struct });
    await reply.arrayBuffer();
    return reply.status;
  };
  const kept: string[] = [];
  let refusal = 200;
  while (refusal === 200 && made < 1_000) {
    refusal = await create();
    if (refusal === 200) kept.push(`form ${made}`);
  }
  const names = (await (await ask('GET', '/json-forms/forms')).json()) as readonly {
    readonly name: string;
  }[];
  const lost = kept.filter((name) => !names.some((one) => one.name === name)).length;
  const health = (await ask('GET', '/status')).status;
  if (!SABOTAGED)
    execFileSync('nsenter', [
      '-t',
      String(server.child.pid),
      '-m',
      'mount',
      '-o',
      `remount,size=${MORE}`,
      data,
    ]);
  const again = await keptOf(FURTHER, create);
  await server.stop();
  const isKept = kept.length > 0 && lost === 0;
  const holds = [503, 507].includes(refusal) && isKept && health === 200 && again === FURTHER;
  report('disk', holds, {
    size: SIZE,
    kept: kept.length,
    refusal,
    lost,
    health,
    again,
    exit: server.child.exitCode,
  });
}

/** Creates forms until a number is kept or the time is over; returns how many were kept. */
async function keptOf(count: number, create: () => Promise<number>): Promise<number> {
  const end = performance.now() + TIMEOUT_MS;
  let kept = 0;
  while (kept < count && performance.now() < end) {
    if ((await create()) === 200) kept += 1;
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return kept;
}
