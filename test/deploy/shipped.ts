import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../docs/markdown.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Returns the text of a file in `deploy/`. */
export function shipped(path: string): string {
  return readFileSync(join(ROOT, 'deploy', path), 'utf8');
}

/** Replaces parts of a shipped file that differ from machine to machine. Throws if a part is missing. */
export function adapted(
  file: string,
  changes: readonly (readonly [part: string, replacement: string])[],
): string {
  return changes.reduce((content, [part, replacement]) => {
    assert.ok(content.includes(part), `${file} has no "${part}"`);
    return content.replaceAll(part, replacement);
  }, shipped(file));
}

/** Parses a YAML file in `deploy/`. */
export function shippedYaml(path: string): unknown {
  return parse(shipped(path)) as unknown;
}

/** Throws unless `gatehouse check` finds no fault in a main file with these additional files. */
export async function assertValid(
  main: string,
  {
    env = {},
    beside = {},
  }: { env?: Readonly<Record<string, string>>; beside?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const folder = temporaryFolder().path;
  for (const [path, text] of Object.entries({ ...beside, 'gatehouse.yaml': main })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { code, out, err } = await runCommand(['check', '--config', join(folder, 'gatehouse.yaml')], { env });
  assert.equal(code, 0, out + err);
}

/** Returns the longest time between a signal and the end of a server with this main file, in seconds. */
export function stopSecondsOf(main: string): number {
  const { server } = parse(main) as { readonly server: Readonly<Record<string, number | undefined>> };
  const { lameDuckSeconds = 0, drainSeconds = 0 } = server;
  assert.ok(drainSeconds > 0);
  return lameDuckSeconds + drainSeconds;
}
