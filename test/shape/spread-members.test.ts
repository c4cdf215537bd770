import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ROOT } from './source-files.js';

const HEAD = `interface Options { readonly certificate?: string; readonly port: number }
declare function open(options: Options): void;
declare const tls: string | undefined;
`;

/** Returns what the program reports for a source. */
function findings(source: string): readonly string[] {
  const { path } = temporaryFolder();
  writeFileSync(join(path, 'a.ts'), HEAD + source);
  writeFileSync(join(path, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "types": [] } }');
  const program = join(ROOT, 'scripts/lint/known-spread-members.js');
  const words = [program, join(path, 'tsconfig.json')];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  // The interface of the compiler may print a line about its own end.
  const lines = stderr.split('\n').filter((line) => line.includes('a.ts:'));
  assert.equal(status, lines.length > 0 ? 1 : 0, stderr);
  return lines.map((line) => line.replace(/^.*a\.ts:/, ''));
}

describe('the check of members in spreads', () => {
  it('finds a member that the type of the object does not have', () => {
    const reason = 'does not exist in the type of this object; spreads are not checked';
    assert.deepEqual(findings('open({ port: 1, ...(tls && { certificat: tls }) });'), [
      `4: 'certificat' ${reason}`,
    ]);
    assert.deepEqual(findings("open({ port: 1, ...(tls ? { certificate: tls } : { 'tls': '' }) });"), [
      `4: 'tls' ${reason}`,
    ]);
  });

  it('accepts members of the type, and any member of an open type', () => {
    assert.deepEqual(findings('open({ port: 1, ...(tls && { certificate: tls }) });'), []);
    assert.deepEqual(findings('export const a: Record<string, string> = { ...(tls && { b: tls }) };'), []);
    assert.deepEqual(findings('export const a = { ...(tls && { b: tls }) };'), []);
  });
});
