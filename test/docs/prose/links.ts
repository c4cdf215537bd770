import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TxtDefinitionNode, TxtImageNode, TxtLinkNode } from '@textlint/ast-node-types';
import { anchorsOf, readPage, ROOT } from '../markdown.js';
import type { ProseRule } from './rule.js';

/** The anchors of the pages that links name. */
const knownAnchors = new Map<string, readonly string[]>();

/** Reports links to missing files and headings of the repository. Links to other servers are not followed. */
export const links: ProseRule = {
  name: 'links',
  appliesTo: () => true,
  check({ path, report }) {
    const visit = (node: TxtLinkNode | TxtImageNode | TxtDefinitionNode): void => {
      const fault = /^[a-z]+:/.test(node.url) ? undefined : linkFault(path, node.url);
      if (fault !== undefined) report(node, fault);
    };
    return {
      Link: visit,
      Image: visit,
      Definition: visit,
      Str(node) {
        // A reference without a definition is no link to the parser.
        const [found] = /\[[^\]]+\]\[[^\]]*\]/.exec(node.value) ?? [];
        if (found !== undefined) report(node, `${found} has no definition`);
      },
    };
  },
};

function linkFault(page: string, url: string): string | undefined {
  const [target = '', anchor] = url.split('#', 2).map(decodeURIComponent);
  const path = target === '' ? page : join(dirname(page), target);
  if (!existsSync(join(ROOT, path))) return `there is no ${path}`;
  if (anchor === undefined) return undefined;
  if (statSync(join(ROOT, path)).isDirectory()) return `${path} is a folder and has no headings`;
  const known = knownAnchors.get(path) ?? anchorsOf(readPage(path));
  knownAnchors.set(path, known);
  return known.includes(anchor) ? undefined : `${path} has no heading #${anchor}`;
}
