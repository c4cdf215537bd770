import type { FaultList } from '../diagnostic.js';
import type { ParsedText } from '../syntax/parse-statements.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import { argumentCheckOf, WITHOUT_ARGUMENT } from './argument-forms.js';
import { type Cardinality, isKeyword, substatementsOf } from './substatements.js';

/**
 * Checks a parsed text against the grammar of its YANG version. Returns the module or submodule statement;
 * undefined if the text does not begin with either.
 */
export function checkGrammar(parsed: ParsedText, faults: FaultList): Statement | undefined {
  const [root, ...laterRoots] = parsed.roots;
  if (root?.keyword !== 'module' && root?.keyword !== 'submodule') {
    if (root)
      faults.add(
        root,
        'RFC 7950 7.1',
        `a text begins with "module" or "submodule", not with "${root.keyword}"`,
      );
    return undefined;
  }
  for (const laterRoot of laterRoots)
    faults.add(laterRoot, 'RFC 7950 7.1', `"${laterRoot.keyword}" follows the end of the module`);
  const isVersion11 = argumentOf(root, 'yang-version') === '1.1';
  if (isVersion11)
    for (const position of parsed.unknownEscapes)
      faults.add(
        { source: root.source, ...position },
        'RFC 7950 6.1.3',
        'an unknown escape in double quotes; write a backslash as "\\\\" or use single quotes',
      );
  new GrammarCheck(isVersion11, faults).check(root);
  checkOrder(root, faults);
  return root;
}

class GrammarCheck {
  readonly #isVersion11: boolean;
  readonly #faults: FaultList;

  constructor(isVersion11: boolean, faults: FaultList) {
    this.#isVersion11 = isVersion11;
    this.#faults = faults;
  }

  check(statement: Statement): void {
    // YANG defines no grammar for the statements of an extension.
    if (statement.keyword.includes(':')) return;
    this.#checkArgument(statement);
    if (!isKeyword(statement.keyword)) return;
    const allowed = substatementsOf(statement.keyword, statement.argument) ?? NO_SUBSTATEMENTS;
    const counts = new Map<string, number>();
    for (const child of statement.children) {
      counts.set(child.keyword, (counts.get(child.keyword) ?? 0) + 1);
      this.#checkChild(child, allowed.get(child.keyword), counts.get(child.keyword) ?? 0);
      this.check(child);
    }
    for (const [keyword, { min }] of allowed)
      if (min > 0 && !counts.has(keyword))
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
      const message = argumentCheckOf(keyword)(argument);
      if (message === undefined) return;
      // OpenDaylight's own modules contain such paths.
      const withoutSlash = argument.replace(/\/$/, '');
      if (
        keyword === 'augment' &&
        withoutSlash !== '' &&
        argumentCheckOf(keyword)(withoutSlash) === undefined
      )
        this.#faults.addHarmless(statement, this.#ruleOf(statement), `${keyword}: ${message}`);
      else this.#fault(statement, `${keyword}: ${message}`);
    }
  }

  #checkChild(child: Statement, cardinality: Cardinality | undefined, count: number): void {
    const { keyword, parent } = child;
    if (keyword.includes(':')) return;
    const parentName = `"${parent?.keyword ?? ''}"`;
    if (!isKeyword(keyword)) this.#fault(child, `"${keyword}" is not a statement of YANG`);
    else if (!cardinality) this.#fault(child, `"${keyword}" is not allowed inside ${parentName}`);
    else if (cardinality.since11 && !this.#isVersion11)
      this.#fault(child, `"${keyword}" inside ${parentName} needs "yang-version 1.1"`);
    else if (count === 2 && cardinality.max === 1 && !(cardinality.isRepeatableIn11 && this.#isVersion11))
      this.#fault(child, `a second "${keyword}" inside ${parentName}`);
  }

  #fault(at: Statement, message: string): void {
    this.#faults.add(at, this.#ruleOf(at), message);
  }

  #ruleOf({ keyword }: Statement): string {
    return `RFC ${this.#isVersion11 ? '7950' : '6020'} ${SECTIONS[keyword] ?? '7'}`;
  }
}

const NO_SUBSTATEMENTS: ReadonlyMap<string, Cardinality> = new Map();

/** Sections that describe statements. The numbers are the same in RFC 6020 and RFC 7950. */
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

/** Required order of statements in a module. Statements without a rank belong to the body. */
const SECTION_RANKS: Readonly<Record<string, number>> = {
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
  let previous = root;
  let highest = 0;
  for (const child of root.children.filter(({ keyword }) => isKeyword(keyword))) {
    const rank = SECTION_RANKS[child.keyword] ?? 4;
    if (rank < highest)
      faults.addHarmless(
        child,
        'RFC 7950 7.1.1',
        `"${child.keyword}" is not allowed after "${previous.keyword}"`,
      );
    else [highest, previous] = [rank, child];
  }
}
