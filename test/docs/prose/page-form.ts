import { basename } from 'node:path';
import type { TxtDocumentNode } from '@textlint/ast-node-types';
import { splitFrontMatter } from '../../../site/src/front-matter.js';
import { groupsOf, OTHER, SECTIONS } from '../../../site/src/sections.js';
import { parsePage } from '../markdown.js';
import { isGuide, isIn, type ProseRule } from './rule.js';
import { countWords } from './sentences.js';

/** Maximum number of words of a page outside of code blocks: how-to guides are shorter than explanations. */
function maxWordsOf(path: string): number {
  if (path === 'docs/how-to/fix-problems.md') return 1_000;
  if (path === 'README.md' || isIn('how-to', path)) return 600;
  return isGuide(path) ? 900 : Infinity;
}

/** Reports guides without front matter, title or first sentence, guides that are too long, and pages that the sidebar lacks. */
export const pageForm: ProseRule = {
  name: 'page-form',
  appliesTo: (path) => path === 'README.md' || SECTIONS.some(({ name }) => isIn(name, path)),
  check: ({ path, report }) => ({
    Document(node) {
      const faults = isGuide(path) ? [...matterFaults(node.raw), ...titleFaults(node)] : [];
      for (const fault of [...faults, ...lengthFaults(path, node.raw), ...sidebarFaults(path)])
        report(node, fault);
    },
  }),
};

/** Returns what is wrong with the front matter of a page. */
function matterFaults(text: string): readonly string[] {
  const { audience, prerequisites, minutes, ...others } = splitFrontMatter(text).members;
  const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
  return faultsOf([
    [!isText(audience), 'the front matter has no text audience'],
    [!isText(prerequisites), 'the front matter has no text prerequisites'],
    [
      !(Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= 90),
      'the front matter has no number minutes from 1 to 90',
    ],
    ...Object.keys(others).map((name) => [true, `the front matter has an unknown member ${name}`] as const),
  ]);
}

/** Returns what is wrong with the title of a page and with the text below it. */
function titleFaults({ children }: TxtDocumentNode): readonly string[] {
  const [first, second] = children.filter(({ type }) => (type as string) !== 'Yaml');
  return faultsOf([
    [!(first?.type === 'Header' && first.depth === 1), 'the page does not begin with a title'],
    [second?.type !== 'Paragraph', 'no sentence follows the title'],
  ]);
}

function lengthFaults(path: string, text: string): readonly string[] {
  const words = countWords(parsePage(path, text).prose);
  const most = maxWordsOf(path);
  return faultsOf([[words > most, `the page has ${words} words outside of code blocks, more than ${most}`]]);
}

function sidebarFaults(path: string): readonly string[] {
  const section = SECTIONS.find(({ name }) => isIn(name, path));
  const isUnlisted =
    section && groupsOf(section, [basename(path, '.md')]).some(({ title }) => title === OTHER);
  return isUnlisted ? ['no group of site/src/sections.ts lists the page'] : [];
}

function faultsOf(checks: readonly (readonly [isFault: boolean, message: string])[]): readonly string[] {
  return checks.filter(([isFault]) => isFault).map(([, message]) => message);
}
