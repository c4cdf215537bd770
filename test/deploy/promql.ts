/** A metric that an expression queries. */
export interface Selector {
  readonly metric: string;
  /** Each label with its operator (`=`, `!=`, `=~` or `!~`) and its value. */
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** The names in a PromQL expression. */
export interface Named {
  readonly selectors: readonly Selector[];
  /** The labels after `by`. */
  readonly labels: readonly string[];
}

const STRING = /"(?:[^"\\]|\\.)*"/g;
const WORDS = new Set(['by', 'and', 'or', 'unless']);
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;

/**
 * Returns the metrics and labels in an expression. Supports only the expressions that we use: no offsets, no
 * subqueries, no vector matching. Throws for unbalanced brackets.
 */
export function namesIn(expression: string): Named {
  assertBalanced(expression.replace(STRING, '""'));
  const selectors: Selector[] = [];
  const labels: string[] = [];
  const bare = expression
    .replace(/\bby\s*\(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(',').map((label) => label.trim()));
      return '';
    })
    .replace(/\[[^\]]*\]/g, '');
  for (const [, metric = '', braces = ''] of bare.matchAll(
    /([a-zA-Z_:]\w*)(?!\w*\s*\()(\{(?:[^}"]|"[^"]*")*\})?/g,
  )) {
    if (WORDS.has(metric) || isInsideBraces(bare, metric, braces)) continue;
    const found = [...braces.matchAll(MATCHER)];
    selectors.push({
      metric,
      matchers: found.map(([, label = '', operator = '', value = '']) => ({ label, operator, value })),
    });
  }
  return { selectors, labels };
}

function isInsideBraces(text: string, word: string, braces: string): boolean {
  if (braces !== '') return false;
  const outside = text.replace(/\{(?:[^}"]|"[^"]*")*\}/g, '{}');
  return !new RegExp(`\\b${word}\\b`).test(outside);
}

function assertBalanced(text: string): void {
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
  for (const sign of text) {
    if ('({['.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign])
      throw new Error(`"${sign}" closes nothing: ${text}`);
  }
  if (open.length > 0) throw new Error(`"${open.join('')}" is not closed: ${text}`);
}
