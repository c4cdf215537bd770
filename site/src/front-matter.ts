import { parse } from 'yaml';

const MATTER = /^---\n(.*?\n)---\n/s;

/** Splits a page into the members of its front matter and the text below it. A page without front matter has no members. */
export function splitFrontMatter(text: string): {
  readonly members: Readonly<Record<string, unknown>>;
  readonly body: string;
} {
  const [whole = '', matter = '{}'] = MATTER.exec(text) ?? [];
  return { members: parse(matter) as Readonly<Record<string, unknown>>, body: text.slice(whole.length) };
}
