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
            what: 'task page: everything, gzipped',
            unit: 'KB',
            median: task.scripts + task.styles,
            target: { most: 120 },
          },
        ]
      : []),
  ];
}

function loadOf(folder: string, page: string): Load | undefined {
  const path = join(folder, page);
  if (!existsSync(path)) return undefined;
  const named = [...readFileSync(path, 'utf8').matchAll(/(?:src|href)="\/ui\/([^"]+\.(?:js|css))"/g)];
  const files = [...new Set(named.map(([, name = '']) => name))];
  const scorePage = (ending: string) =>
    files
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1000, 0);
  return { scripts: scorePage('.js'), styles: scorePage('.css') };
}
