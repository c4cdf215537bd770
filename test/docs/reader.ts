import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block } from './markdown.js';
import { markOf } from './marks.js';
import { openShell, type ShellOptions } from './shell.js';
import { compareShown } from './shown.js';

/** Where a guide is followed; its folder is what the guide takes for the checkout, its variables what the guide takes for given. */
export interface Setting extends ShellOptions {
  /** What the guide writes, and what stands for it here. Addresses of gatehouse are left as they are: see `port`. */
  readonly names: ReadonlyMap<string, string>;
  /** Port of the gatehouse that runs already; undefined where the guide starts one, or needs none. */
  readonly port?: string;
}

/** Somebody who follows one guide, block after block, and finds what the guide shows, or fails. */
export interface Reader {
  /** Does what one block says; throws when it does not come out as the block says. */
  follow(block: Block): Promise<void>;
  /** Ends what was left serving; throws when it does not end well. */
  close(): Promise<void>;
}

/** Begins to follow a guide. */
export async function openReader({ names, port, ...options }: Setting): Promise<Reader> {
  const known = new Map(names);
  const shell = await openShell(options);
  let printed = '';
  if (port !== undefined) shell.curlTo(port);

  function here(text: string): string {
    const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
    return longestFirst.reduce((result, [name, value]) => result.replaceAll(name, value), text);
  }

  async function run(script: string, detail: string): Promise<void> {
    const { code, out, err } = await shell.run(script);
    const wanted = Number(/^exit (\d+)$/.exec(detail)?.[1] ?? 0);
    assert.equal(code, wanted, `exit code ${code}\n${out}${err}`);
    printed = out;
  }

  return {
    async follow(block) {
      const { kind, detail } = markOf(block);
      const text = here(block.text);
      if (kind === 'run' && detail === 'serves') await shell.serve(text);
      else if (kind === 'run') await run(text, detail);
      else if (kind === 'file') write(join(options.folder, detail), text);
      else if (kind === 'shows') {
        const found = compareShown({ text: block.text, printed, isExact: detail === 'exactly' });
        for (const [shown, real] of found) known.set(shown, real);
      }
    },
    close: () => shell.close(),
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // A guide that says twice what one file holds would be read in two ways.
  assert.ok(!existsSync(path), `${path} is there already`);
  writeFileSync(path, text);
}
