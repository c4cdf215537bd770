import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
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

const number = fc.integer({ min: -3, max: 5 });
const text = fc.constantFrom('x', 'y', ' 7 ', '007', 'a b  c', '-3', '1.5');

/** Returns objects with some of the members. */
const some = <T extends object>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true });
const entriesOf = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { minLength: 1, maxLength: 4 });

const texts = fc.array(text, { maxLength: 4 }).map((list) => [...list, 'x']);
const documents = some<Tree>({
  n: number,
  s: text,
  e: fc.constant([null]),
  b: entriesOf(some<Tree>({ n: number, s: text, c: some<Tree>({ n: number, v: texts }) })),
  c: some<Tree>({ n: number, b: entriesOf(some<Tree>({ n: number, s: text })) }),
});

const words = (list: string) => fc.constantFrom(...list.split(' '));
const AXES =
  'ancestor ancestor-or-self child descendant descendant-or-self following following-sibling parent preceding preceding-sibling self';

/** Expressions with every function and every axis; the first of each choice ends the recursion. */
const { expression: expressions } = fc.letrec<
  Record<'expression' | 'value' | 'path' | 'step' | 'predicate', string>
>((tie) => {
  const [value, path, step, predicate] = [tie('value'), tie('path'), tie('step'), tie('predicate')];
  const depth = { maxDepth: 4, depthSize: 'max', depthIdentifier: fc.createDepthIdentifier() } as const;
  const call = (names: string, ...given: readonly fc.Arbitrary<string>[]) =>
    fc.tuple(words(names), fc.tuple(...given)).map(([name, list]) => `${name}(${list.join(', ')})`);
  const infix = (operators: string, operand = value) =>
    fc.tuple(operand, words(operators), operand).map((parts) => `(${parts.join(' ')})`);
  // libxml2 reads the text "-" as the number 0.
  const whole = value.map((operand) => `translate(${operand}, '-', '~')`);
  const literal = fc.constantFrom("'x'", "''", "' 7 '", '2', '0.5', "'007'", '-1', "'n'");
  const test = words('a b c n s v e * node() text()');
  const axis = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    words(AXES).map((name) => `${name}::`),
  );
  const start = fc.constantFrom('/', '//', '/a/', '/a//', '', 'a/', '/a/b/');
  return {
    expression: fc.oneof(call('string number boolean string', value), call('count', path)),
    value: fc.oneof(
      depth,
      literal,
      path,
      path,
      infix('= != < <= > >='),
      infix('= != < <= > >=', path),
      infix('+ - * div mod'),
      infix('and or'),
      value.map((operand) => `-${operand}`),
      call('not normalize-space string-length floor ceiling round number string boolean', value),
      call('concat contains starts-with', value, value),
      call('substring substring-before substring-after', whole, value),
      call('substring', whole, value, value),
      call('translate', value, fc.constant("'xyz'"), fc.constant("'ab'")),
      call(
        'count',
        fc.tuple(path, path).map((paths) => paths.join(' | ')),
      ),
      call('sum name', path),
    ),
    path: fc.oneof(
      depth,
      fc
        .tuple(start, fc.array(step, { minLength: 1, maxLength: 3 }), fc.constantFrom('/', '/', '/', '//'))
        .map(([from, steps, separator]) => from + steps.join(separator)),
      fc.tuple(path, predicate).map(([filtered, condition]) => `(${filtered})[${condition}]`),
    ),
    step: fc.oneof(
      depth,
      fc.tuple(axis, test).map((parts) => parts.join('')),
      fc.tuple(axis, test, predicate).map(([of, name, condition]) => `${of}${name}[${condition}]`),
      fc.constantFrom('.', '..'),
    ),
    predicate: fc.oneof(
      depth,
      fc.constantFrom('1', '2', '3', 'last()', 'position() < 2', 'position() = 2', '../n > n'),
      literal.map((operand) => `n = ${operand}`),
      value,
    ),
  };
});

/** Returns a value as the shell of xmllint prints it. */
function printed(value: unknown): string {
  // xmllint prints 40 characters.
  if (typeof value === 'string') return `string : ${value.slice(0, 40)}${value.length < 40 ? '' : '...'}`;
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
    for (const [at, document] of fc.sample(documents, { numRuns: 40, seed: 1 }).entries()) {
      const evaluate = evaluatorOf(MODULE, { 'm:a': document });
      const made = fc.sample(expressions, { numRuns: 100, seed: at });
      const short = made.filter(({ length }) => length < MAX_LENGTH);
      const theirs = evaluateWithXmllint(`<a>${toXml(document)}</a>`, short);
      for (const [index, expression] of short.entries()) {
        const expected = theirs[index];
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
