import assert from 'node:assert/strict';
import { openModules } from '../../../src/yang/compile.js';
import { printTree } from '../../../src/yang/print-tree.js';
import type { SchemaNode } from '../../../src/yang/tree/schema-node.js';
import { asModule, compileBody, faultsOf, yang11 } from '../../support/yang.js';

const GROUP = `
  leaf a { type string; mandatory true; }
  list l { key k; leaf k { type int8; } container deep { leaf d { type string { length 1..3; } } } }
  choice c { case one { leaf x { type int8; } } container two { leaf y { type int8; } } }`;
const NAMES = ['n1', 'n2', 'n3', 'n4', 'n5'];

/** Returns a body with a container of each name, in which `inside` writes the nodes. */
const containers = (inside: (name: string) => string): string =>
  NAMES.map((name) => `container ${name} { ${inside(name)} }`).join(' ');

const USES = containers(() => 'container in { uses g; }');

/** Returns the root of the tree of the first of the texts. */
function rootOf(texts: readonly string[]): SchemaNode {
  const sources = texts.map((text, at) => ({ file: `${at}.yang`, text }));
  const opened = openModules(sources, {
    features: new Map([['m', new Set()]]),
    acceptsUnknownFeatures: true,
  });
  if ('faults' in opened) assert.fail(opened.faults.map(({ message }) => message).join('\n'));
  const [module] = opened.value.given;
  assert.ok(module);
  return opened.value.trees.rootOf(module);
}

/** Returns the node at the end of a path of names. */
function nodeAt(root: SchemaNode, path: string): SchemaNode {
  let node: SchemaNode | undefined = root;
  for (const name of path.split('/')) node = node?.children.find((child) => child.name === name);
  assert.ok(node, path);
  return node;
}

const writtenWith = (body: string): string => asModule(`grouping g { ${GROUP} } ${body}`);

describe('the subtrees of the uses of a grouping', () => {
  for (const [what, place, changed] of [
    ['as they are', '', ''],
    ['as state in one place', 'container in', 'container in { config false; } container in2'],
    ['with a status in one place', 'container n4 {', 'container n4 { status obsolete;'],
    ['below a node that a feature disables', 'container n3 {', 'container n3 { if-feature f;'],
  ] as const)
    it(`are like the nodes in place: ${what}`, () => {
      const uses = `feature f; ${USES.replace(place, changed)}`;
      const inPlace = uses.replaceAll('uses g;', GROUP);
      assert.equal(printTree(rootOf([writtenWith(uses)])), printTree(rootOf([asModule(inPlace)])));
    });

  it('share their nodes until one is read, which has its own ancestors', () => {
    const root = rootOf([writtenWith(USES)]);
    assert.ok(nodeAt(root, 'n5/in').children.some(({ origin }) => origin));
    const deep = nodeAt(root, 'n5/in/l/deep/d');
    assert.equal(deep.parent?.parent, nodeAt(root, 'n5/in/l'));
    assert.notEqual(deep, nodeAt(root, 'n4/in/l/deep/d'));
  });

  it('are changed one at a time by augments and deviations', () => {
    const changes = `import m { prefix m; } augment /m:n4/m:in/m:l/m:deep { leaf more { type int8; } }
      deviation /m:n5/m:in/m:l/m:deep { deviate not-supported; }`;
    const root = rootOf([writtenWith(USES), yang11('d', changes)]);
    const namesAt = (path: string) => nodeAt(root, path).children.map(({ name }) => name);
    assert.deepEqual(namesAt('n3/in/l/deep'), ['d']);
    assert.deepEqual(namesAt('n4/in/l/deep'), ['d', 'more']);
    assert.deepEqual(namesAt('n5/in/l'), ['k']);
  });

  it('have the targets of their own leafrefs', () => {
    const body = `grouping g { container in { leaf r { type leafref { path "../../t"; } } } } ${NAMES.map((name, at) => `container ${name} { uses g; leaf t { type uint8 { range ${at}; } } }`).join(' ')}`;
    const root = rootOf([asModule(body)]);
    for (const name of NAMES) {
      const [target] = [...(nodeAt(root, `${name}/in/r`).targets?.values() ?? [])];
      assert.equal(target, nodeAt(root, `${name}/t`));
    }
  });

  it('are checked in each place for what depends on it', () => {
    const body = `grouping g { container in { action act; } } ${NAMES.map((name, at) => `list ${name} { config false; ${at < 4 ? 'key k;' : ''} leaf k { type int8; } uses g; }`).join(' ')}`;
    assert.match(faultsOf([asModule(body)]).join('\n'), /not allowed in the list "n5", which has no key/);
  });

  it('are checked in each place of a grouping that nothing uses', () => {
    const body = `grouping g { container in { list l { leaf a { type int8; } } } }
      grouping unused { ${NAMES.map((name, at) => `container ${name} { ${at < 4 ? '' : 'config true;'} uses g; }`).join(' ')} }`;
    assert.match(faultsOf([asModule(body)]).join('\n'), /"l" is configuration and needs a key/);
  });

  it('count towards the limit of nodes, although they are not copied', () => {
    const limits = { nodes: 30 };
    assert.match(faultsOf([writtenWith(USES)], { limits }).join('\n'), /more than 30 nodes/);
  });

  it('list their actions as targets', () => {
    const body = `grouping g { container in { action act; } } ${containers(() => 'uses g;')}`;
    assert.equal(compileBody(body).targets.length, 2 * NAMES.length);
  });
});
