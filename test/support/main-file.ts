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
  const added = (text: string, start: RegExp, members: string | undefined) =>
    members === undefined ? text : text.replace(start, (found) => `${found} ${members},`);
  const text = added(added(added(former, /^server: \{/m, server), /^auth: \{/m, auth), /\blocal: \{/, local);
  writeFileSync(path, text + more);
  return former;
}
