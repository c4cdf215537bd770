import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folder for all output of the processes in a leak scan; set by `test/run/leak-scan.ts`. */
const folder = process.env['GATEHOUSE_SWEEP'] ?? '';

/** True while all output is kept, to be searched for secrets when the suite has ended. */
export const SWEEPING = folder !== '';

/** Minimum length in bytes; shorter values occur in texts by chance. */
const SHORTEST = 12;

/** Folders in which a leak scan keeps its data, below its folder. */
export const KEPT = { output: 'output', secrets: 'secrets', files: 'tmp' } as const;

/** Records output of this process during a leak scan. */
export function keepOutput(kind: string, text: string | Uint8Array): void {
  if (SWEEPING) append(KEPT.output, kind, text);
}

/** Registers a secret value; the leak scan searches for it in everything that was kept. */
export function keepSecret(value: string): void {
  if (SWEEPING && Buffer.byteLength(value) >= SHORTEST)
    append(KEPT.secrets, 'given-out', `${JSON.stringify(value)}\n`);
}

function append(where: string, kind: string, text: string | Uint8Array): void {
  mkdirSync(join(folder, where), { recursive: true });
  appendFileSync(join(folder, where, `${kind}-${process.pid}`), text);
}
