import { type ESTree, parseSync } from 'rolldown/utils';

/** A node of a syntax tree. The trees have the format of ESTree, with the types of TypeScript. */
export type SyntaxNode = ESTree.Node;

/** A TypeScript file, parsed without types. */
export interface ParsedFile {
  readonly statements: readonly (ESTree.Directive | ESTree.Statement)[];
  /** Returns the results of `pick` for all nodes, each with its parent. */
  readonly collect: <T>(pick: (node: SyntaxNode, parent: SyntaxNode) => T | undefined) => readonly T[];
  readonly textOf: (node: ESTree.Span) => string;
  /** Returns the number of the line of an offset; the first line is 1. */
  readonly lineAt: (offset: number) => number;
  /** Returns the content of the last doc comment directly before a node, without its asterisks; '' without one. */
  readonly docCommentOf: (node: ESTree.Span) => string;
}

/** Parses a TypeScript file. Throws an Error if its syntax is invalid. The extension of the path decides whether it has JSX. */
export function parseTypeScript(path: string, text: string): ParsedFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const nodes = nodesBelow(program);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return {
    statements: program.body,
    collect: (pick) => nodes.map(({ node, parent }) => pick(node, parent)).filter((one) => one !== undefined),
    textOf: ({ start, end }) => text.slice(start, end),
    lineAt: (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1,
    docCommentOf({ start }) {
      let next = start;
      for (const comment of comments.filter(({ end }) => end <= start).reverse()) {
        if (text.slice(comment.end, next).trim() !== '') break;
        if (comment.type === 'Block' && comment.value.startsWith('*'))
          return comment.value
            .slice(1)
            .replace(/^[ \t]*\* ?/gm, '')
            .trim();
        next = comment.start;
      }
      return '';
    },
  };
}

interface PlacedNode {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode;
}

/** Returns the nodes of a tree in the order of the source. */
function nodesBelow(parent: SyntaxNode, found: PlacedNode[] = []): readonly PlacedNode[] {
  for (const value of Object.values(parent) as readonly unknown[])
    for (const node of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (!isNode(node)) continue;
      found.push({ node, parent });
      nodesBelow(node, found);
    }
  return found;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
