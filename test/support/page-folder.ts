import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Complete content of the task page in tests of the server. */
export const TASK_PAGE = '<!doctype html><title>The page</title>\n';

/** Creates a folder of built pages in another folder. */
export function pageFolderIn(folder: string): string {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'task.html'), TASK_PAGE);
  return pages;
}
