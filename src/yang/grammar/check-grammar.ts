import type { FaultList } from '../diagnostic.js';
import type { ParsedText } from '../syntax/parse-statements.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import { formOf, WITHOUT_ARGUMENT } from './argument-forms.js';
import { type Cardinality, isKeyword, substatementsOf } from './substatements.js';

/**
 * Checks one parsed text against the grammar of its YANG version. Returns undefined if it does not contain a
 * module.
 */
export function checkGrammar(parsed: ParsedText, faults: FaultList): Statement | undefined {
  const [root, ...others] = parsed.roots;
  if (root?.keyword !== 'module' && root?.keyword !== 'submodule') {
    if (root) faults.add(root, 'RFC 7950 7.1', `"${root.keyword}" stands where "module" or "submodule" must`);
    return undefined;
  }
  for (const other of others)
    faults.add(other, 'RFC 7950 7.1', `"${other.keyword}" stands after the module's end`);
  const is11 = argumentOf(root, 'yang-version') === '1.1';
  if (is11)
    for (const place of parsed.oddEscapes)
      faults.add(
        { source: root.source, ...place },
        'RFC 7950 6.1.3',
        'an unknown escape in double quotes; write a backslash as "\\\\" or use single quotes',
      );
  new GrammarCheck(is11, faults).check(root);
  checkOrder(root, faults);
  return root;
}

class GrammarCheck {
  readonly #is11: boolean;
  readonly #faults: FaultList;

  constructor(is11: boolean, faults: FaultList) {
    this.#is11 = is11;
    this.#faults = faults;
  }

  check(statement: Statement): void {
    // The statements of an extension have their own grammar.
    if (statement.keyword.includes(':')) return;
    this.#checkArgument(statement);
    if (!isKeyword(statement.keyword)) return;
    const table = substatementsOf(statement.keyword, statement.argument) ?? NOTHING;
    const counts = new Map<string, number>();
    for (const child of statement.children) {
      counts.set(child.keyword, (counts.get(child.keyword) ?? 0) + 1);
      this.#checkChild(child, table.get(child.keyword), counts.get(child.keyword) ?? 0);
      this.check(child);
    }
    for (const [keyword, { least }] of table)
      if (least > 0 && !counts.has(keyword))
        this.#fault(statement, `"${statement.keyword}" needs a "${keyword}" inside`);
  }

  #checkArgument(statement: Statement): void {
    const { keyword, argument, hasArgument } = statement;
    if (!isKeyword(keyword)) return;
    if (hasArgument === WITHOUT_ARGUMENT.has(keyword))
      this.#fault(
        statement,
        hasArgument ? `"${keyword}" takes no argument` : `"${keyword}" needs an argument`,
      );
    else {
      const wrong = formOf(keyword)(argument);
      if (wrong !== undefined) this.#fault(statement, `${keyword}: ${wrong}`);
    }
  }

  #checkChild(child: Statement, cardinality: Cardinality | undefined, count: number): void {
    const { keyword, parent } = child;
    if (keyword.includes(':')) return;
    const outer = `"${parent?.keyword ?? ''}"`;
    if (!isKeyword(keyword)) this.#fault(child, `"${keyword}" is no statement of YANG`);
    else if (!cardinality) this.#fault(child, `"${keyword}" cannot stand inside ${outer}`);
    else if (cardinality.since11 && !this.#is11)
      this.#fault(child, `"${keyword}" inside ${outer} needs "yang-version 1.1"`);
    else if (count === 2 && cardinality.most === 1 && !(cardinality.many11 && this.#is11))
      this.#fault(child, `a second "${keyword}" inside ${outer}`);
  }

  #fault(at: Statement, message: string): void {
    this.#faults.add(at, `RFC ${this.#is11 ? '7950' : '6020'} ${SECTIONS[at.keyword] ?? '7'}`, message);
  }
}

const NOTHING: ReadonlyMap<string, Cardinality> = new Map();

/** Sections that describe statements. RFC 6020 and RFC 7950 share their numbers. */
const SECTIONS: Readonly<Record<string, string>> = {
  module: '7.1',
  submodule: '7.2',
  typedef: '7.3',
  type: '7.4',
  container: '7.5',
  leaf: '7.6',
  'leaf-list': '7.7',
  list: '7.8',
  choice: '7.9',
};

/** Required order of the sections of a module; statements without a rank are the body. */
const RANKS: Readonly<Record<string, number>> = {
  'yang-version': 0,
  namespace: 0,
  prefix: 0,
  'belongs-to': 0,
  import: 1,
  include: 1,
  organization: 2,
  contact: 2,
  description: 2,
  reference: 2,
  revision: 3,
};

function checkOrder(root: Statement, faults: FaultList): void {
  let before = root;
  let highest = 0;
  for (const child of root.children.filter(({ keyword }) => isKeyword(keyword))) {
    const rank = RANKS[child.keyword] ?? 4;
    if (rank < highest)
      faults.add(child, 'RFC 7950 7.1.1', `"${child.keyword}" cannot stand after "${before.keyword}"`);
    else [highest, before] = [rank, child];
  }
}
