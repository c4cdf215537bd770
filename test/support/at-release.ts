import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes into a world's main file that it stands for a release of the platform. */
export function atRelease(release: string): (folder: string) => void {
  return (folder) => {
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(path, `release: "${release}"\n${readFileSync(path, 'utf8')}`);
  };
}
