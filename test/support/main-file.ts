import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Additions to the main file that `startTestServer` writes. */
export interface MainFileAdditions {
  /** Members of the blocks `server`, `auth` and `auth.local`, as YAML without braces. */
  readonly server?: string;
  readonly auth?: string;
  readonly local?: string;
  /** Lines after the file. */
  readonly more?: string;
}

/** Adds settings to the main file in a folder, and returns the former text. */
export function extendMainFile(
  folder: string,
  { server, auth, local, more = '' }: MainFileAdditions,
): string {
  const path = join(folder, 'gatehouse.yaml');
  const former = readFileSync(path, 'utf8');
  const added = (text: string, block: string, members: string | undefined) =>
    members === undefined ? text : text.replace(`${block}: {`, () => `${block}: { ${members},`);
  const text = [
    ['server', server],
    ['auth', auth],
    ['local', local],
  ].reduce<string>((all, [block = '', members]) => added(all, block, members), former);
  writeFileSync(path, text + more);
  return former;
}
