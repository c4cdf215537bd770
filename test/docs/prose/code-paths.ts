import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../markdown.js';
import type { ProseRule } from './rule.js';

/** The folders whose paths are checked. */
const FOLDERS = ['src', 'test', 'console', 'plugins', 'scripts', 'evidence'];

/**
 * A path inside a code span, for example in `node scripts/test.mjs unit`. A longer path such as
 * `dist/src/...` does not match.
 */
const PATH = new RegExp(`(?<![\\w./@-])(?:${FOLDERS.join('|')})/[^\\s,;:#()'"\`]*`, 'g');

/** Pages about earlier states: the second is generated from records that name files as they were then. */
const HISTORY = ['CHANGELOG.md', 'docs/evidence.md'];

/** Reports paths in code spans that do not exist: files, folders, and patterns with `*`. */
export const codePaths: ProseRule = {
  name: 'code-paths',
  appliesTo: (path) => !HISTORY.includes(path) && (path.startsWith('docs/') || !path.includes('/')),
  check: ({ report }) => ({
    Code(node) {
      for (const { 0: path, index } of node.raw.matchAll(PATH))
        if (!path.includes('<') && !exists(path)) report(node, `there is no ${path}`, index);
    },
  }),
};

/** Returns true if a file or folder exists, or if a file matches the pattern: `*` within a name, `**` across folders. */
function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(ROOT, path));
  const expression = path
    .replaceAll(/[.+?^$()|[\]{}\\]/g, '\\$&')
    .replaceAll(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  const pattern = new RegExp(`^${expression}$`);
  const [folder = ''] = path.split('/', 1);
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).some((name) =>
    pattern.test(`${folder}/${name}`),
  );
}
