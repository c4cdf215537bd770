import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleReporter } from '@textlint/types';
import { type SectionName, SECTIONS } from '../../../site/src/sections.js';

/** A rule about the pages of the documentation. */
export interface ProseRule {
  readonly name: string;
  /** Returns true for the path of a page to which the rule applies, relative to the root of the checkout. */
  readonly appliesTo: (path: string) => boolean;
  /** Returns the visitors of the nodes of a page. */
  readonly check: (page: PageContext) => ReturnType<TextlintRuleReporter>;
}

/** What a rule knows about the page that it reads, and how it reports a fault. */
interface PageContext {
  /** Path relative to the root of the checkout. */
  readonly path: string;
  /** Reports a fault of a node, at an offset in the node. */
  readonly report: (node: TxtNode, message: string, offset?: number) => void;
}

/** Returns true if a path names a page of a section of the site. */
export function isIn(section: SectionName, path: string): boolean {
  return path.startsWith(`docs/${section}/`) && path.endsWith('.md');
}

/** Returns true if a path names a page of a section that is written by hand. The reference is generated for the most part. */
export function isGuide(path: string): boolean {
  return SECTIONS.some(({ name }) => name !== 'reference' && isIn(name, path));
}
