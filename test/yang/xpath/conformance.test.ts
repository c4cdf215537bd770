import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openModules } from '../../../src/yang/compile.js';
import { AnnotationCheck } from '../../../src/yang/document/annotation-check.js';
import { DataDefinitions } from '../../../src/yang/document/data-definition.js';
import { DataNode } from '../../../src/yang/document/data-node.js';
import { DocumentReader } from '../../../src/yang/document/read-document.js';
import { StepBudget } from '../../../src/yang/document/step-budget.js';
import { ValueReader } from '../../../src/yang/document/value-reader.js';
import { ViolationList } from '../../../src/yang/document/violations.js';
import type { Statement } from '../../../src/yang/syntax/statement.js';
import { Evaluator } from '../../../src/yang/xpath/evaluate.js';
import { parseXPath } from '../../../src/yang/xpath/parse-xpath.js';
import type { XPathValue } from '../../../src/yang/xpath/values.js';
import { XMLLINT } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { Random } from '../../support/random.js';
import { asModule } from '../../support/yang.js';

/** A module whose documents have the same tree in XML, where the root of XPath has several children. */
const MODULE = asModule(`container a {
     leaf n { type int32; } leaf s { type string; } leaf e { type empty; }
     list b { config false; leaf n { type int32; } leaf s { type string; } container c { leaf n { type int32; } leaf-list v { type string; } } }
     container c { leaf n { type int32; } list b { config false; leaf n { type int32; } leaf s { type string; } } }
   }`);

type Tree = Readonly<Record<string, unknown>>;

function toXml(tree: Tree): string {
  return Object.entries(tree)
    .flatMap(([name, value]) =>
      (Array.isArray(value) && value[0] !== null ? value : [value]).map((one) => [name, one] as const),
    )
    .map(([name, value]) => `<${name}>${contentOf(value)}</${name}>`)
    .join('');
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return '';
  return typeof value === 'object' && value !== null ? toXml(value as Tree) : String(value);
}

const TEXTS = ['x', 'y', ' 7 ', '007', 'a b  c', '-3', '1.5'];

/** Makes documents and expressions. */
class Maker {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  document(): Tree {
    const leaf = () => ({
      ...(this.#random.chance(0.7) && { n: this.#number() }),
      ...(this.#random.chance(0.7) && { s: this.#text() }),
    });
    const some = <T>(make: () => T): T[] => Array.from({ length: Math.floor(this.#random.next() * 5) }, make);
    const b = some(() => ({
      ...leaf(),
      ...(this.#random.chance(0.5) && { c: { n: this.#number(), v: [...some(() => this.#text()), 'x'] } }),
    }));
    const inner = some(leaf);
    return {
      ...leaf(),
      ...(this.#random.chance(0.5) && { e: [null] }),
      ...(b.length > 0 && { b }),
      ...(this.#random.chance(0.8) && { c: { n: this.#number(), ...(inner.length > 0 && { b: inner }) } }),
    };
  }

  #number(): number {
    return Math.floor(this.#random.next() * 9) - 3;
  }

  #text(): string {
    return this.#random.pick(TEXTS) ?? 'x';
  }

  expression(): string {
    const wrap = this.#random.pick(['string', 'number', 'boolean', 'count', 'string']) ?? 'string';
    return wrap === 'count' ? `count(${this.path(3)})` : `${wrap}(${this.value(3)})`;
  }

  value(depth: number): string {
    if (depth === 0) return this.#random.chance(0.5) ? this.#literal() : this.path(0);
    const a = () => this.value(depth - 1);
    const path = () => this.path(depth - 1);
    const makers: readonly (() => string)[] = [
      () => this.#literal(),
      path,
      path,
      () => `(${a()} ${this.#random.pick(['=', '!=', '<', '<=', '>', '>=']) ?? '='} ${a()})`,
      () => `(${a()} ${this.#random.pick(['+', '-', '*', 'div', 'mod']) ?? '+'} ${a()})`,
      () => `(${a()} ${this.#random.pick(['and', 'or']) ?? 'or'} ${a()})`,
      () => `-${a()}`,
      () => `not(${a()})`,
      () => `count(${path()} | ${path()})`,
      () => `sum(${path()})`,
      () => `concat(${a()}, ${a()})`,
      () => `substring(${a()}, ${a()}, ${a()})`,
      () => `substring(${a()}, ${a()})`,
      () => `translate(${a()}, 'xyz', 'ab')`,
      () => `normalize-space(${a()})`,
      () => `string-length(${a()})`,
      () =>
        `${this.#random.pick(['contains', 'starts-with', 'substring-before', 'substring-after']) ?? 'contains'}(${a()}, ${a()})`,
      () =>
        `${this.#random.pick(['floor', 'ceiling', 'round', 'number', 'string', 'boolean']) ?? 'number'}(${a()})`,
      () => `name(${path()})`,
    ];
    return this.#random.pick(makers)?.() ?? '1';
  }

  path(depth: number): string {
    const steps = Array.from({ length: 1 + Math.floor(this.#random.next() * 3) }, () => this.step(depth));
    const path = `${this.#random.pick(['/', '//', '/a/', '/a//', '', 'a/', '/a/b/']) ?? '/'}${steps.join(this.#random.chance(0.2) ? '//' : '/')}`;
    return this.#random.chance(0.1) ? `(${path})[${this.predicate(depth)}]` : path;
  }

  step(depth: number): string {
    const axis = this.#random.chance(0.4)
      ? `${this.#random.pick(['ancestor', 'ancestor-or-self', 'child', 'descendant', 'descendant-or-self', 'following', 'following-sibling', 'parent', 'preceding', 'preceding-sibling', 'self']) ?? 'child'}::`
      : '';
    const test = this.#random.pick(['a', 'b', 'c', 'n', 's', 'v', 'e', '*', 'node()', 'text()']) ?? '*';
    if (axis === '' && this.#random.chance(0.15)) return this.#random.pick(['.', '..']) ?? '.';
    const predicate = depth > 0 && this.#random.chance(0.4) ? `[${this.predicate(depth - 1)}]` : '';
    return `${axis}${test}${predicate}`;
  }

  predicate(depth: number): string {
    return (
      this.#random.pick([
        () => String(1 + Math.floor(this.#random.next() * 3)),
        () => 'last()',
        () => `position() ${this.#random.pick(['<', '=', '>']) ?? '='} 2`,
        () => this.value(Math.max(depth - 1, 0)),
        () => `n = ${this.#literal()}`,
        () => `../n > n`,
      ])?.() ?? '1'
    );
  }

  #literal(): string {
    return this.#random.pick(["'x'", "''", "' 7 '", '2', '0.5', "'007'", '-1', "'n'"]) ?? '1';
  }
}

/** Returns a value as the shell of xmllint prints it. */
function printed(value: unknown): string {
  if (typeof value === 'string') return `string : ${value}`;
  if (typeof value === 'boolean') return `boolean : ${String(value)}`;
  const number = Number(value);
  if (Number.isNaN(number)) return 'number : NaN';
  if (!Number.isFinite(number)) return `number : ${number > 0 ? '' : '-'}Infinity`;
  // xmllint prints six significant digits, and the sign of zero.
  return `number : ${Number(number.toPrecision(6))}`;
}

/** Rounds the numbers in an output: libxml2 has fewer digits than XPath demands. */
function normalized(output: string): string {
  const number = /^number : (-?[\d.]+(?:e[+-]\d+)?)$/.exec(output)?.[1];
  if (number !== undefined) return printed(Number(Number(number).toPrecision(6)) + 0);
  return output.replaceAll(/\d+\.\d{10,}/g, (digits) => String(Number(Number(digits).toPrecision(10))));
}

/** Length of an argument that the shell of xmllint reads. */
const MAX_LENGTH = 390;

describe('the XPath evaluator beside libxml2', () => {
  itWith(XMLLINT, 'returns the same values for random expressions and documents', () => {
    const different: string[] = [];
    let compared = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const maker = new Maker(seed);
      const document = maker.document();
      const evaluate = evaluatorOf(MODULE, { 'm:a': document });
      const made = Array.from({ length: 100 }, () => maker.expression());
      const expressions = made.filter(({ length }) => length < MAX_LENGTH);
      const theirs = evaluateWithXmllint(`<a>${toXml(document)}</a>`, expressions);
      for (const [at, expression] of expressions.entries()) {
        const expected = theirs[at];
        if (expected === undefined) continue;
        compared += 1;
        const actual = normalized(printed(evaluate(expression)));
        if (actual !== normalized(expected))
          different.push(
            `${expression}\n  ours ${actual}, libxml2 ${expected}\n  ${JSON.stringify(document)}`,
          );
      }
    }
    assert.deepEqual(different.slice(0, 5), [], `${different.length} of ${compared} differ`);
    assert.ok(compared > 3000, `only ${compared} expressions were compared`);
  });
});

/**
 * Evaluates XPath expressions on an XML document with one xmllint process. Returns what its shell prints for each, such as
 * `number : 2` or `boolean : true`; undefined for an expression that it refuses.
 */
function evaluateWithXmllint(xml: string, expressions: readonly string[]): readonly (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-xmllint-'));
  try {
    const file = join(folder, 'document.xml');
    writeFileSync(file, xml);
    // A mark after each expression separates the outputs.
    const commands = expressions.flatMap((expression) => [`xpath ${expression}`, `xpath '${MARK}'`]);
    const { stdout } = spawnSync('xmllint', ['--shell', file], {
      input: `${commands.join('\n')}\nbye\n`,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    const outputs = stdout.split(new RegExp(`Object is a string : ${MARK}`));
    return expressions.map(
      (_, at) => /Object is a ((?:number|boolean|string) : .*)/.exec(outputs[at] ?? '')?.[1],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MARK = '--next--';

/** Evaluates expressions on a document of one module, with the root as context node. */
function evaluatorOf(text: string, document: object): (expression: string) => XPathValue {
  const linked = openModules([{ file: '0.yang', text }]);
  if ('faults' in linked) assert.fail(linked.faults.map(({ message }) => message).join('\n'));
  const { names, trees } = linked.value;
  const [root] = trees.roots();
  assert.ok(root);
  const budget = new StepBudget();
  const violations = new ViolationList();
  const values = new ValueReader(names, (source) => new RegExp(source, 'u'));
  const annotations = new AnnotationCheck({ annotations: new Map(), values, violations, root });
  const top = new DataNode({ definition: undefined, parent: undefined });
  const children = new DataDefinitions(() => true).childrenOf(root.children);
  new DocumentReader({ values, annotations, budget, violations }).readMembers(
    top,
    document as Readonly<Record<string, unknown>>,
    children,
  );
  assert.deepEqual(violations.list, []);
  let order = 0;
  const number = (node: DataNode): void => {
    order += 1;
    node.order = order;
    for (const group of node.groups()) group.forEach(number);
  };
  number(top);
  const evaluator = new Evaluator({
    budget,
    exists: () => true,
    enter: () => undefined,
    dereference: () => [],
    canonicalText: () => undefined,
    matchesPattern: () => false,
    isDerived: () => false,
  });
  const scope = {
    root: top,
    current: top,
    module: root.name,
    moduleOf: () => undefined,
    prefixOf: () => 'x',
  };
  return (expression) => {
    const statement: Statement = { ...root.statement, keyword: 'must', argument: expression };
    return evaluator.evaluate(parseXPath(statement, names), { scope, node: top, position: 1, size: 1 });
  };
}
