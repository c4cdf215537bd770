import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Complete content of each page in tests of the server. */
export const PAGE = '<!doctype html><title>The page</title>\n';

/** Creates a folder of built pages in another folder. */
export function pageFolderIn(folder: string): string {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  for (const name of ['index.html', 'task.html']) writeFileSync(join(pages, name), PAGE);
  return pages;
}
