import { splitFrontMatter } from './front-matter.js';
import { type LinkScope, rewriteLinks } from './links.js';

/** A fenced code block with the comment before it, which the tests read. */
const FENCE = /^(?:<!--[^\n]*-->\n\n?)?(```[^\n]*\n.*?^```$)/gms;

/** Code in a line, which may contain a comment, or a comment. */
const COMMENT = /(?<code>(`+)(?!`).+?(?<!`)\2(?!`))|<!--.*?-->\n*/gs;

/** Replaces a code block while links are rewritten. The characters are from the private use area. */
const PLACEHOLDER = /\uE000(\d+)\uE001/g;

/** The members of the front matter that a page shows. */
interface Facts {
  readonly audience?: string;
  readonly prerequisites?: string;
  readonly minutes?: number;
}

/**
 * Converts a Markdown file of the checkout into a page of the site: shows the front matter below the title, leaves out
 * comments, rewrites links, and keeps code as it is.
 */
export function convertPage(text: string, scope: LinkScope, onPicture: (path: string) => string): string {
  const { members: facts, body } = splitFrontMatter(text);
  const page = outsideBlocks(body, (prose) => {
    const visible = prose.replaceAll(COMMENT, (found, code?: string) => (code === undefined ? '' : found));
    return rewriteLinks(addFacts(visible, facts), scope, onPicture);
  });
  const members = { source: scope.source, ...(isSearched(scope.source) ? {} : { search: false }) };
  return `---\n${JSON.stringify(members)}\n---\n\n${page.trim()}\n`;
}

/** Returns false for the long records of the project, which would hide the pages for users in the search. */
function isSearched(source: string): boolean {
  return !/^(?:CHANGELOG|docs\/(?:asvs|evidence|evidence\/.*|decisions\/.*))\.md$/.test(source);
}

/** Applies a function to a text without its code blocks, and puts the blocks back. */
export function outsideBlocks(text: string, change: (prose: string) => string): string {
  const blocks: string[] = [];
  const prose = text.replaceAll(FENCE, (_, block: string) => `\uE000${blocks.push(block) - 1}\uE001`);
  return change(prose).replaceAll(PLACEHOLDER, (_, at: string) => blocks[Number(at)] ?? '');
}

/** Returns the text with the facts of the page below its title. */
function addFacts(text: string, { audience, prerequisites, minutes }: Facts): string {
  const lines = [
    ...(audience === undefined ? [] : [`**For:** ${audience}`]),
    ...(prerequisites === undefined ? [] : [`**You need:** ${prerequisites}`]),
    ...(minutes === undefined ? [] : [`**Time:** ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`]),
  ];
  if (lines.length === 0) return text;
  const box = ['::: info About this page', ...lines.map((line) => `- ${line}`), ':::'].join('\n');
  return text.replace(/^(# .+\n)/m, (title) => `${title}\n${box}\n`);
}

/** Returns the title of a page: its first heading, without markup. */
export function titleOf(text: string): string {
  const [, title = ''] = /^# (.+)$/m.exec(splitFrontMatter(text).body) ?? [];
  return title.replaceAll(/[`*]/g, '').trim();
}
