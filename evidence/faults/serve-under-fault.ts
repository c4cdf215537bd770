import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMMAND } from '../../test/support/gatehouse-command.js';
import { change, issueToken, type Promised } from './changes.js';
import { startFaulty } from './faulty-process.js';
import { lookAfterRestart } from './look.js';
import { faultsIn, type Outcome, type Trial } from './trial.js';

/** Files that gatehouse writes and reads, below its folder. */
const FILES = [
  ...['gatehouse.yaml', 'adapters', 'adapters/core1.yaml', 'key.pem', 'gatehouse.log', 'data'],
  ...['data/gatehouse.db', 'data/gatehouse.db-wal', 'data/gatehouse.db-shm'],
  ...['data/audit.log', 'data/audit.log.key'],
];

const MAIN_FILE = `server: { listen: "127.0.0.1:0" }
auth: { local: { keyFile: key.pem } }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log, durability: fsync }
log: { file: gatehouse.log }
`;
const ADAPTER_FILE = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\n';

/**
 * Starts gatehouse in an empty folder under a fault, changes its data and stops it. After a restart without
 * faults, checks all acknowledged changes. A start may fail with a message; a running server must continue
 * until it is stopped.
 */
export async function serveUnderFault(folder: string, trial: Trial): Promise<Outcome> {
  const config = writeConfiguration(folder);
  const trace = join(folder, 'trace');
  const paths = FILES.map((name) => join(folder, name));
  const server = startFaulty(
    { url: pathToFileURL(COMMAND), args: ['serve', '--config', config], paths, trace },
    trial,
  );
  const url = await server.said(/serves (http:\/\/[^"\s]+)/);
  const promised = url === undefined ? [] : await change(url, await issueToken(folder));
  const endedEarly = url !== undefined && (server.child.exitCode ?? server.child.signalCode) !== null;
  server.child.kill('SIGTERM');
  const ending = await server.ended;
  const seen = await lookAfterRestart(config);
  return {
    faults: await faultsIn(trace, server.child),
    acknowledged: promised.filter(({ isAcknowledged }) => isAcknowledged).length,
    undone:
      url === undefined
        ? ['the start']
        : promised.flatMap(({ isAcknowledged, what }) => (isAcknowledged ? [] : [what])),
    violations: [
      ...(endedEarly ? ['it ended while it served'] : []),
      ...(server.out().includes('uncaught error; continuing') ? ['an uncaught error'] : []),
      ...ending,
      ...('fault' in seen ? [seen.fault] : promised.flatMap((one) => brokenBy(one, seen))),
    ],
  };
}

type Seen = Exclude<Awaited<ReturnType<typeof lookAfterRestart>>, { readonly fault: string }>;

function brokenBy(
  { what, wrong, isAcknowledged, requestId, isThere }: Promised,
  seen: Seen,
): readonly string[] {
  if (wrong !== undefined) return [`${what}: ${wrong}`];
  if (!isAcknowledged) return [];
  return [
    ...(isThere(seen) ? [] : [`${what}: acknowledged, and not there`]),
    ...(seen.requestIds.has(requestId) ? [] : [`${what}: acknowledged, and not recorded`]),
  ];
}

function writeConfiguration(folder: string): string {
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  writeFileSync(join(folder, 'adapters', 'core1.yaml'), ADAPTER_FILE);
  const config = join(folder, 'gatehouse.yaml');
  writeFileSync(config, MAIN_FILE);
  return config;
}
