import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../markdown.js';
import { markOf } from '../marks.js';
import type { ProseRule } from './rule.js';

/** The folder of the tests that follow guides. */
const GUIDES = 'test/docs/guides';

/** The text of the tests that follow guides. */
const GUIDE_TESTS = [
  ...readdirSync(join(ROOT, GUIDES)).map((name) => join(GUIDES, name)),
  'test/examples/readmes.test.ts',
  'test/openbao/guides.test.ts',
]
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('');

/** Reports code blocks whose mark is missing or invalid, or names a test that does not execute or read them. */
export const blockMarks: ProseRule = {
  name: 'block-marks',
  appliesTo: () => true,
  check: ({ path, report }) => ({
    CodeBlock(node) {
      const siblings = node.parent?.children ?? [];
      const before = siblings[siblings.indexOf(node) - 1];
      const mark = before?.type === 'Html' ? /^<!-- ([^\n]+) -->$/.exec(before.raw)?.[1] : undefined;
      try {
        const { kind, detail } = markOf({ mark, language: node.lang ?? '' });
        if (kind === 'run' && !GUIDE_TESTS.includes(`'${path}'`))
          report(node, `no file of ${GUIDES} follows the page`);
        if (kind === 'tested' && !reads(detail, path)) report(node, `${detail} does not read the page`);
      } catch (error) {
        report(node, (error as Error).message);
      }
    },
  }),
};

function reads(test: string, page: string): boolean {
  const file = join(ROOT, test);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  return text.includes(page) || text.includes(basename(page));
}
