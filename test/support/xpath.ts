import assert from 'node:assert/strict';
import { openModules } from '../../src/yang/compile.js';
import { AnnotationCheck } from '../../src/yang/document/annotation-check.js';
import { DataDefinitions } from '../../src/yang/document/data-definition.js';
import { DataNode } from '../../src/yang/document/data-node.js';
import { DocumentReader } from '../../src/yang/document/read-document.js';
import { StepBudget } from '../../src/yang/document/step-budget.js';
import { ValueReader } from '../../src/yang/document/value-reader.js';
import { ViolationList } from '../../src/yang/document/violations.js';
import type { Statement } from '../../src/yang/syntax/statement.js';
import { Evaluator } from '../../src/yang/xpath/evaluate.js';
import { parseXPath } from '../../src/yang/xpath/parse-xpath.js';
import type { XPathValue } from '../../src/yang/xpath/values.js';

/** Evaluates expressions on a document of one module, with the root as context node. */
export function evaluatorOf(text: string, document: object): (expression: string) => XPathValue {
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
  const scope = { root: top, current: top, module: root.name, moduleOf: () => undefined };
  return (expression) => {
    const statement: Statement = { ...root.statement, keyword: 'must', argument: expression };
    return evaluator.evaluate(parseXPath(statement, names), { scope, node: top, position: 1, size: 1 });
  };
}
