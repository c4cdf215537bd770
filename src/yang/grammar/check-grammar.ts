import type { FaultList } from '../diagnostic.js';
import type { ParsedText } from '../syntax/parsed-text.js';
import { argumentOf, type Statement, type TextPosition } from '../syntax/statement.js';
import { argumentCheckOf, definesName, WITHOUT_ARGUMENT } from './argument-forms.js';
import { readLeafrefPath } from './leafref-path.js';
import {
  type Cardinality,
  isDataDefinition,
  isKeyword,
  keywordsIn,
  needsDataDefinition,
  substatementsOf,
} from './substatements.js';

/**
 * Checks a parsed text against the grammar of its YANG version. Returns the module or submodule statement;
 * undefined if the text does not begin with either. `at` is the
 * beginning of the text.
 */
export function checkGrammar(parsed: ParsedText, at: TextPosition, faults: FaultList): Statement | undefined {
  const [root, laterRoot] = parsed.roots;
  // Without the end of a statement or string, most further faults would be consequences of the first.
  if (parsed.isIncomplete) return undefined;
  if (!root) {
    faults.add(at, 'RFC 7950 7.1', 'the text is empty or has only comments; it must contain a module');
    return undefined;
  }
  if (root.keyword !== 'module' && root.keyword !== 'submodule') {
    const message = `a text begins with "module" or "submodule", not with "${root.keyword}"`;
    faults.add(root, 'RFC 7950 7.1', message);
    return undefined;
  }
  if (laterRoot) {
    const message = `"${laterRoot.keyword}" follows the end of the module; is there a "}" too many before?`;
    faults.add(laterRoot, 'RFC 7950 7.1', message);
  }
  const isVersion11 = argumentOf(root, 'yang-version') === '1.1';
  if (isVersion11)
    for (const { message, ...position } of parsed.version1Forms)
      faults.add({ source: root.source, ...position }, 'RFC 7950 6.1.3', message);
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
    if (!isKeyword(statement.keyword)) {
      if (statement.keyword.includes(':')) this.#checkUnknownStatement(statement);
      return;
    }
    this.#checkArgument(statement);
    const allowed = substatementsOf(statement.keyword, statement.argument);
    // Sets of the substatements that occur, and occur again. A map of counts for each statement would take most of the time.
    let seen = 0;
    let repeated = 0;
    for (const child of statement.children) {
      const cardinality = allowed.cardinalities.get(child.keyword);
      const bit = cardinality?.bit ?? 0;
      const isSecond = (seen & bit & ~repeated) !== 0;
      if (isSecond) repeated |= bit;
      seen |= bit;
      if (!isAllowed(cardinality, isSecond)) this.#checkChild(child, cardinality, isSecond);
      this.check(child);
    }
    const missing = allowed.required & ~seen;
    if (missing !== 0)
      for (const keyword of keywordsIn(allowed, missing))
        this.#fault(statement, `"${statement.keyword}" needs a "${keyword}" inside`);
    this.#checkContent(statement);
  }

  /** Checks rules about several kinds of substatements together (RFC 7950 section 14). */
  #checkContent(statement: Statement): void {
    const { keyword, children } = statement;
    if (needsDataDefinition(keyword) && !children.some((child) => isDataDefinition(child.keyword))) {
      const message = `"${keyword}" needs a data node inside`;
      // Published modules have empty augments and lists, and nothing is lost by them.
      if (keyword === 'augment' || keyword === 'list') this.#faults.warn(statement, 'RFC 7950 14', message);
      else this.#faults.addHarmless(statement, 'RFC 7950 14', message);
    }
    if (keyword !== 'deviation' || children.filter((child) => child.keyword === 'deviate').length < 2) return;
    if (children.some(({ argument }) => argument === 'not-supported'))
      this.#fault(statement, 'no other "deviate" is allowed beside "deviate not-supported"');
  }

  /** The statement of an extension may contain any statements; in YANG 1.1, only well-formed ones (RFC 7950 section 14). */
  #checkUnknownStatement(statement: Statement): void {
    for (const child of statement.children)
      if (child.keyword.includes(':')) this.#checkUnknownStatement(child);
      else if (!this.#isVersion11) continue;
      else if (isKeyword(child.keyword)) this.check(child);
      else this.#fault(child, `"${child.keyword}" is not a statement of YANG`);
  }

  #checkArgument(statement: Statement): void {
    const { keyword, argument, hasArgument } = statement;
    if (hasArgument === WITHOUT_ARGUMENT.has(keyword)) {
      const message = hasArgument ? `"${keyword}" takes no argument` : `"${keyword}" needs an argument`;
      this.#fault(statement, message);
      return;
    }
    if (keyword === 'path' && statement.parent?.keyword === 'type')
      this.#faults.catching(() => readLeafrefPath(statement));
    const message = argumentCheckOf(statement)(argument);
    if (message !== undefined) this.#addForm(statement, `${keyword}: ${message}`);
    else if (!this.#isVersion11 && definesName(keyword) && /^xml/i.test(argument))
      this.#faults.addHarmless(
        statement,
        'RFC 6020 12',
        `${keyword}: "${argument}" begins with "xml", which needs "yang-version 1.1"`,
      );
  }

  /** Adds a fault in the form of an argument. */
  #addForm(statement: Statement, message: string): void {
    const { keyword, argument } = statement;
    const rule = this.#ruleOf(statement);
    // OpenDaylight's own modules contain paths with a slash at the end.
    if (keyword === 'augment' && argumentCheckOf(statement)(argument.replace(/\/$/, '')) === undefined)
      this.#faults.addHarmless(statement, rule, message);
    // All compilers read it as 0.
    else if (keyword === 'value' && argument === '-0') this.#faults.warn(statement, rule, message);
    else this.#fault(statement, message);
  }

  #checkChild(child: Statement, cardinality: Cardinality | undefined, isSecond: boolean): void {
    const { keyword, parent } = child;
    if (keyword.includes(':')) return;
    const parentName = `"${parent?.keyword ?? ''}"`;
    if (!isKeyword(keyword)) this.#refuseUnknown(child);
    else if (!cardinality) this.#fault(child, `"${keyword}" is not allowed inside ${parentName}`);
    else if (cardinality.since11 && !this.#isVersion11)
      this.#fault(child, `"${keyword}" inside ${parentName} needs "yang-version 1.1"`);
    else if (isSecond && cardinality.max === 1 && !(cardinality.isRepeatableIn11 && this.#isVersion11))
      this.#fault(child, `a second "${keyword}" inside ${parentName}`);
  }

  #refuseUnknown(child: Statement): void {
    const message = `"${child.keyword}" is not a statement of YANG`;
    this.#faults.addTolerable({ at: child, rule: this.#ruleOf(child), message }, '; it is left out');
  }

  #fault(at: Statement, message: string): void {
    this.#faults.add(at, this.#ruleOf(at), message);
  }

  #ruleOf({ keyword }: Statement): string {
    return `RFC ${this.#isVersion11 ? '7950' : '6020'} ${SECTIONS[keyword] ?? '7'}`;
  }
}

/** Returns true for a child that both versions allow this often, as nearly all are. */
function isAllowed(cardinality: Cardinality | undefined, isSecond: boolean): boolean {
  return cardinality !== undefined && !cardinality.since11 && (!isSecond || cardinality.max > 1);
}

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
