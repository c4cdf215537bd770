import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Figure } from '../figure.js';

/** Files that a page of the build loads before it shows anything, in transferred kilobytes. */
interface Load {
  readonly scripts: number;
  readonly styles: number;
}

/** Measures the transfer size of the console shell and of the task page; empty if they are not built. */
export function pageFigures(folder: string): readonly Figure[] {
  const shell = loadOf(folder, 'index.html');
  const task = loadOf(folder, 'task.html');
  const engine = engineOf(folder);
  return [
    ...(shell
      ? [
          {
            what: 'console: first scripts, gzipped',
            unit: 'KB',
            median: shell.scripts,
            target: { most: 190 },
          },
          { what: 'console: first styles, gzipped', unit: 'KB', median: shell.styles, target: { most: 90 } },
        ]
      : []),
    ...(task
      ? [
          {
            what: 'task page: first view, gzipped',
            unit: 'KB',
            median: task.scripts + task.styles,
            target: { most: 120 },
          },
          { what: 'task page: engine that follows, gzipped', unit: 'KB', median: engine },
        ]
      : []),
  ];
}

/** Returns the kilobytes of the engine that the script of the task page loads later. */
function engineOf(folder: string): number {
  const page = join(folder, 'task.html');
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const script = /src="\/ui\/(assets\/task-[^"]+\.js)"/.exec(text)?.[1];
  const engine = script && /engine-[\w-]+\.js/.exec(readFileSync(join(folder, script), 'utf8'))?.[0];
  return engine ? packedSize(join(folder, 'assets', engine)) : Number.NaN;
}

/** Returns the size of a compressed file in kilobytes. */
function packedSize(file: string): number {
  return gzipSync(readFileSync(file), { level: 9 }).length / 1000;
}

function loadOf(folder: string, page: string): Load | undefined {
  const path = join(folder, page);
  if (!existsSync(path)) return undefined;
  const named = [...readFileSync(path, 'utf8').matchAll(/(?:src|href)="\/ui\/([^"]+\.(?:js|css))"/g)];
  const files = [...new Set(named.map(([, name = '']) => name))];
  const scorePage = (ending: string) =>
    files
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + packedSize(join(folder, name)), 0);
  return { scripts: scorePage('.js'), styles: scorePage('.css') };
}
