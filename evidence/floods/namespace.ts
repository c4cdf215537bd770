import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Findings } from '../report.js';
import { HOSTS, RESOLVER } from './look-ups.js';
import type { MeasureOptions } from './measure.js';

const INSIDE = fileURLToPath(new URL('inside.js', import.meta.url));
const SET_UP =
  'ip link set lo up && mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';

/** Returns the reason why no flood can run in a network namespace here; `undefined` if one can. */
export function namespaceLack(): string | undefined {
  if (spawnSync('unshare', ['-n', '-m', 'true']).status !== 0) return 'no network namespace can be made here';
  return spawnSync('ip', ['-V']).status === 0 ? undefined : 'ip is not installed';
}

/**
 * Measures a flood in a network namespace that no packet leaves, with a hosts file and a name server of its
 * own.
 */
export async function measureInNamespace(name: string, options: MeasureOptions): Promise<Findings> {
  const folder = temporaryFolder();
  const file = (base: string): string => join(folder.path, base);
  writeFileSync(file('hosts'), HOSTS);
  writeFileSync(file('resolv.conf'), RESOLVER);
  const words = [
    ...['-n', '-m', 'sh', '-c', SET_UP, file('hosts'), file('resolv.conf')],
    ...[process.execPath, INSIDE, name, JSON.stringify(options), file('result')],
  ];
  const child = spawn('unshare', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  await once(child, 'close');
  if (!existsSync(file('result'))) throw new Error('the run in the namespace ended without a result');
  const findings = JSON.parse(readFileSync(file('result'), 'utf8')) as Findings;
  folder.remove();
  return findings;
}
