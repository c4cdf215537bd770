import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IP, NETWORK_NAMESPACES, STRACE } from '../../test/support/need-list.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Findings } from '../report.js';

const INSIDE = fileURLToPath(new URL('inside.js', import.meta.url));

/** What the group needs. */
export const SSRF_NEEDS = [NETWORK_NAMESPACES, STRACE, IP];

interface SsrfOptions {
  readonly rebindings: number;
  /** True puts a policy in place that denies nothing. */
  readonly sabotage?: boolean;
}

interface Inside {
  readonly vectors: number;
  readonly refused: number;
  readonly otherwise: readonly string[];
  readonly reached: number;
  readonly connections: number;
  /** `answered`: calls to the only allowed address, which show that not every call is refused. */
  readonly rebinding: Readonly<Record<'tries' | 'reached' | 'answered' | 'mostLookups', number>>;
  readonly headers: { readonly oneRequest: number; readonly more: readonly string[] };
}

/**
 * S1, S3, S5: makes calls to closed addresses in a separate network namespace. Canaries, the process's own
 * record of its sockets and the kernel's record of connects must agree that no connection was made.
 */
export async function measureSsrf({ rebindings, sabotage = false }: SsrfOptions): Promise<Findings> {
  const folder = temporaryFolder();
  const [trace, result] = [join(folder.path, 'connects'), join(folder.path, 'result')];
  const child = spawn(
    'unshare',
    [
      ...['-n', 'strace', '-f', '-qq', '-e', 'trace=connect', '-o', trace],
      ...[process.execPath, INSIDE, sabotage ? '1' : '0', String(rebindings), result],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  await once(child, 'close');
  if (!existsSync(result)) throw new Error('the run in the namespace ended without a result');
  const found = JSON.parse(readFileSync(result, 'utf8')) as Inside;
  const connects = connectsIn(readFileSync(trace, 'utf8'));
  folder.remove();
  const { reached, connections, rebinding, headers, otherwise } = found;
  return {
    holds:
      reached + connections + connects + rebinding.reached + headers.more.length + otherwise.length === 0 &&
      rebinding.mostLookups === 1 &&
      rebinding.answered > 0 &&
      headers.oneRequest > 0,
    figures: { ...found, connects },
  };
}

/** Returns the number of connects in the trace to addresses other than the open one. */
function connectsIn(trace: string): number {
  return trace
    .split('\n')
    .filter((line) => /sa_family=AF_INET6?\b/.test(line) && !line.includes('"127.0.0.99"')).length;
}
