import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeInput } from './input-file.js';

/** A folder as the kubelet mounts a Secret: links to files in a folder that one rename replaces. */
export interface SecretMount {
  readonly path: string;
  /** Replaces all values at once, as the kubelet does after a change of the Secret. */
  replace(values: Readonly<Record<string, string>>): void;
}

/** Creates the mount of a Secret with these values, by name. */
export function createSecretMount(path: string, values: Readonly<Record<string, string>>): SecretMount {
  let generation = 0;
  const write = (next: Readonly<Record<string, string>>): string => {
    generation += 1;
    const folder = `..2026_11_27_${generation}`;
    mkdirSync(join(path, folder), { recursive: true });
    for (const [name, value] of Object.entries(next))
      writeInput(join(path, folder, name), value, { mode: 0o400 });
    return folder;
  };
  symlinkSync(write(values), join(path, '..data'));
  for (const name of Object.keys(values)) symlinkSync(join('..data', name), join(path, name));
  return {
    path,
    replace(next) {
      const former = `..2026_11_27_${generation}`;
      symlinkSync(write(next), join(path, '..data_tmp'));
      renameSync(join(path, '..data_tmp'), join(path, '..data'));
      rmSync(join(path, former), { recursive: true });
    },
  };
}
