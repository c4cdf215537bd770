import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// Runs each step that writes files in the folder, and prints `done` or `failed` with its name. Names of
// temporary files are random; this script makes them predictable, so that faults can target them.
let drawn = 0;
const draw = (): string => (drawn += 1).toString(16).padStart(12, '0');
const randomBytes = crypto.randomBytes.bind(crypto);
Object.assign(crypto, {
  randomUUID: () => `00000000-0000-4000-8000-${draw()}`,
  randomBytes: (size: number) => (size === 6 ? Buffer.from(draw(), 'hex') : randomBytes(size)),
});
syncBuiltinESMExports();

// Imported after the patch: earlier imports would keep the original functions.
const { FILE_STEPS } = await import('./file-steps.js');
const [folder = ''] = process.argv.slice(2);
for (const [name, step] of Object.entries(FILE_STEPS)) {
  const outcome = await step.take(folder).then(
    () => 'done',
    (error: unknown) => `failed (${error instanceof Error ? error.message : String(error)})`,
  );
  process.stdout.write(`${name}: ${outcome}\n`);
}
