import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where everything that leaves the processes of a swept run is kept; set by `test/run/leak-scan.ts`. */
const folder = process.env['GATEHOUSE_SWEEP'] ?? '';

/** True while all output is kept, to be searched for secrets when the suite has ended. */
export const SWEEPING = folder !== '';

/** Shorter values stand in any text by chance. */
const SHORTEST = 12;

/** Where a swept run keeps what, below its folder. */
export const KEPT = { output: 'output', secrets: 'secrets', files: 'tmp' } as const;

/** Keeps something that left this process, where the run is swept. */
export function keepOutput(kind: string, text: string | Uint8Array): void {
  if (SWEEPING) append(KEPT.output, kind, text);
}

/** Says that a value is secret: the sweep looks for it in everything that was kept. */
export function keepSecret(value: string): void {
  if (SWEEPING && Buffer.byteLength(value) >= SHORTEST)
    append(KEPT.secrets, 'given-out', `${JSON.stringify(value)}\n`);
}

function append(where: string, kind: string, text: string | Uint8Array): void {
  mkdirSync(join(folder, where), { recursive: true });
  appendFileSync(join(folder, where, `${kind}-${process.pid}`), text);
}
