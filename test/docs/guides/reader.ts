import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block } from '../markdown.js';
import { markOf } from '../marks.js';
import { openShell, type ShellOptions } from './shell.js';
import { compareShown } from './shown.js';

/**
 * The environment in which a guide is followed. Its folder is the checkout of the guide. Its variables are
 * those that the guide expects.
 */
export interface Setting extends ShellOptions {
  /**
   * Names in the guide and the values that replace them. The port of gatehouse is set with `port` instead.
   */
  readonly names: ReadonlyMap<string, string>;
  /** The port of the running gatehouse. Undefined if the guide starts gatehouse or needs none. */
  readonly port?: string;
}

/** Follows one guide block by block and fails if the result differs from the guide. */
interface Reader {
  /** Executes one block. Throws an error with its place if the result differs from the block. */
  follow(block: Block): Promise<void>;
  /** Stops the servers that still run. Throws if a server does not exit cleanly. */
  close(): Promise<void>;
}

/** Creates a reader for a guide. */
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
      try {
        await follow(block);
      } catch (error) {
        throw new Error(`${block.place}: ${(error as Error).message}`, { cause: error });
      }
    },
    close: () => shell.close(),
  };

  async function follow(block: Block): Promise<void> {
    const { kind, detail } = markOf(block);
    const text = here(block.text);
    if (kind === 'run' && detail === 'serves') await shell.serve(text);
    else if (kind === 'run') await run(text, detail);
    else if (kind === 'file') write(join(options.folder, detail), text);
    else if (kind === 'shows') {
      const found = compareShown({ text: block.text, printed, isExact: detail === 'exactly' });
      for (const [shown, real] of found) known.set(shown, real);
    }
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // A guide that writes the same file twice would be ambiguous.
  assert.ok(!existsSync(path), `${path} is there already`);
  writeFileSync(path, text);
}
