import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a function that sets the `release` of the platform in the main configuration file. */
export function atRelease(release: string): (folder: string) => void {
  return (folder) => {
    const path = join(folder, 'gatehouse.yaml');
    writeFileSync(path, `release: "${release}"\n${readFileSync(path, 'utf8')}`);
  };
}
