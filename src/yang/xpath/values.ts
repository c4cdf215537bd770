import type { DataNode } from '../document/data-node.js';
import type { StepBudget } from '../document/step-budget.js';

/** Value of an expression; nodes are in document order. */
export type XPathValue = Scalar | readonly DataNode[];

/** Value that is not a node set. */
export type Scalar = number | string | boolean;

export function isNodeSet(value: XPathValue): value is readonly DataNode[] {
  return typeof value === 'object';
}

/** Converts a value as `boolean()` does (XPath 1.0 section 4.3). */
export function toBoolean(value: XPathValue): boolean {
  if (isNodeSet(value)) return value.length > 0;
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

/** Converts a value as `string()` does (XPath 1.0 section 4.2). */
export function toText(value: XPathValue, budget: StepBudget): string {
  if (isNodeSet(value)) return value[0] ? textOf(value[0], budget) : '';
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Converts a value as `number()` does (XPath 1.0 section 4.4). */
export function toNumber(value: XPathValue, budget: StepBudget): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const text = toText(value, budget).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  return /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) ? Number(text) : NaN;
}

/** Returns the string-value of a node: the value of a leaf, or all values below a container or list. */
export function textOf(node: DataNode, budget: StepBudget): string {
  if (node.isLeaf || node.isText) {
    budget.spend(1 + (node.value.length >> 6));
    return node.value;
  }
  const parts: string[] = [];
  collectText(node, { parts, budget });
  return parts.join('');
}

function collectText(node: DataNode, into: { parts: string[]; budget: StepBudget }): void {
  for (const group of node.groups())
    for (const child of group) {
      into.budget.spend(1);
      if (child.presence === 'absent') continue;
      if (child.isLeaf) into.parts.push(child.value);
      else collectText(child, into);
    }
}

/** Formats a number without an exponent (XPath 1.0 section 4.2). */
function numberText(value: number): string {
  const text = String(Object.is(value, -0) ? 0 : value);
  const [, sign = '', digits = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  const all = digits + fraction;
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${all}` : `${sign}${all.padEnd(shift + 1, '0')}`;
}

/** Compares two values that are not node sets (XPath 1.0 section 3.4). */
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

export function compareNumbers(operator: Comparison, left: number, right: number): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
