import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plugin } from '../../plugins/netconf/index.js';
import type { NetconfOptions } from '../../plugins/netconf/options.js';
import type { Adapter } from '../../src/core/adapter.js';
import { silentLog } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { createPluginConnect } from '../../src/upstream/plugin-connect.js';
import { freePort } from '../../test/support/free-port.js';
import { MODULE } from './device.js';

const START_MS = 180_000;
const PORTS = '/restconf/data/bench-device:ports';
const ENTRY = { 'bench-device:port': [{ name: 'xe-0', 'leaf-1': 7 }] };

/** Calls, and the outcome that each must have. Its `get` returns state alone, so configuration is read as such. */
const CALLS: readonly (readonly [line: string, body: unknown, expected: string])[] = [
  [`PUT ${PORTS}/port=xe-0`, ENTRY, '201'],
  [`GET ${PORTS}/port=xe-0?content=config`, undefined, `200 ${JSON.stringify(ENTRY)}`],
  [`POST ${PORTS}`, ENTRY, '409'],
  [`PATCH ${PORTS}/port=xe-0`, { 'bench-device:port': [{ name: 'xe-0', 'leaf-1': 8 }] }, '204'],
  [`GET ${PORTS}/port=xe-0/leaf-1?content=config`, undefined, '200 {"bench-device:leaf-1":8}'],
  [`PATCH ${PORTS}/port=xe-0`, { 'bench-device:port': [{ name: 'xe-0', 'leaf-1': -1 }] }, '400'],
  [`DELETE ${PORTS}/port=xe-0`, undefined, '204'],
  [`GET ${PORTS}/port=xe-0?content=config`, undefined, '404'],
];

/**
 * Runs the calls of RESTCONF on a device that OpenDaylight's `netconf-testtool` simulates. Prints each outcome, and returns the number
 * of those that differ. `jar` is the file of `org.opendaylight.netconf:netconf-testtool:8.0.3:jar:executable`, which needs Java 21.
 */
export async function checkTesttool(jar: string, say: (text: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-testtool-'));
  const schemas = join(folder, 'schemas');
  mkdirSync(schemas);
  writeFileSync(join(schemas, 'bench-device@2026-01-01.yang'), MODULE);
  const port = await freePort();
  const java = spawn(
    process.env['TESTTOOL_JAVA'] ?? 'java',
    [
      ...[
        '-Xmx400m',
        '-jar',
        jar,
        '--device-count',
        '1',
        '--starting-port',
        String(port),
        '--ip',
        '127.0.0.1',
      ],
      ...['--ssh', 'true', '--exi', 'false', '--schemas-dir', schemas, '--md-sal', 'true'],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    await started(java.stdout);
    return await compareCalls(port, say);
  } finally {
    const ended = once(java, 'exit');
    java.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(output: NodeJS.ReadableStream): Promise<void> {
  const signal = AbortSignal.timeout(START_MS);
  let text = '';
  while (!text.includes('All simulated devices started successfully')) {
    const [bytes] = (await once(output, 'data', { signal })) as [Buffer];
    text = (text + bytes.toString()).slice(-10_000);
  }
  output.resume();
}

async function compareCalls(port: number, say: (text: string) => void): Promise<number> {
  const connect = createPluginConnect({});
  const context = {
    name: 'testtool',
    log: silentLog,
    connect,
    send: () => Promise.reject(new Error('the plugin has a transport')),
    starts: { timeoutMs: START_MS, takeSlot: () => Promise.resolve(() => undefined) },
  };
  const adapter = plugin.create(optionsFor(port), context);
  let differing = 0;
  try {
    await adapter.start?.(AbortSignal.timeout(START_MS));
    for (const [line, body, expected] of CALLS) {
      const whole = await outcomeOf(adapter, line, body);
      const outcome = expected.includes(' ') ? whole : whole.slice(0, 3);
      if (outcome !== expected) differing += 1;
      say(`${outcome === expected ? 'ok    ' : 'DIFFERS'} ${line}: ${outcome}`);
    }
  } finally {
    await adapter.stop?.(AbortSignal.timeout(5000));
  }
  return differing;
}

/** Returns the status and the body of the reply. */
async function outcomeOf(adapter: Adapter, line: string, body: unknown): Promise<string> {
  const [method = '', path = ''] = line.split(' ');
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const request = { method, path, headers: { accept: '*/*', ...type }, ...sent };
  const reply = await adapter.send?.(request, AbortSignal.timeout(60_000));
  return reply ? `${reply.status} ${reply.body.toString()}` : 'no transport';
}

/** Returns options that pin the key of this start: the tool makes another one each time. */
function optionsFor(port: number): NetconfOptions {
  const key = execFileSync('ssh-keyscan', ['-p', String(port), '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', '-'], { input: key }).toString().split(' ');
  const ssh = { username: 'admin', password: 'admin', hostKeys: [fingerprint] };
  const options = { host: '127.0.0.1', port, ssh };
  compileSchema(plugin.options)(options);
  return { ...(options as unknown as NetconfOptions), ssh: { ...ssh, password: new Secret('admin') } };
}
