import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { waitUntil } from '../wait-until.js';

/** Measures the turns of the event loop of a gatehouse that starts with its options. */
interface TurnProbe {
  /** Options of Node.js. */
  readonly options: readonly string[];
  /** Resolves to the longest processor time of one turn since the last call, in milliseconds. */
  readonly longestMs: () => Promise<number>;
}

const PROBE = new URL('probe.js', import.meta.url).href;

/** Prepares a probe, whose files are in the folder of gatehouse, for the next start of a process. */
export function prepareTurnProbe(folder: string): TurnProbe {
  const portFile = join(folder, 'probe-port');
  process.env['STALLS_PORT'] = portFile;
  return {
    options: ['--import', PROBE],
    async longestMs() {
      await waitUntil(() => existsSync(portFile) && readFileSync(portFile, 'utf8') !== '');
      return Number(await text(connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1')));
    },
  };
}
