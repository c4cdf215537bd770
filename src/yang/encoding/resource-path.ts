import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import { memberName, qualifiedName } from '../json-schema/data-path.js';
import { dataChildren, keysOf, type SchemaNode } from '../tree/schema-node.js';
import { EncodingFault, type InstanceModel } from './instance-model.js';
import { canonicalText, keyToXml } from './leaf-values.js';
import type { PrefixedText } from './names-in-values.js';
import type { XmlOutput } from './write-xml.js';
import { isUndeclared, type XmlElement } from './xml-element.js';

/** Key of a list entry, or the value of a leaf-list entry. */
interface ResourceKey extends PrefixedText {
  readonly definition: DataDefinition;
  readonly canonical: string;
}

/** Node of a path. */
export interface ResourceStep {
  readonly definition: DataDefinition;
  /** Absent if the step has no `=`: for a node that is no list, or for all entries of one. */
  readonly keys?: readonly ResourceKey[];
}

/** Data resource, or an action of one (RFC 8040 sections 3.5 and 3.6). */
interface ResourcePath {
  readonly steps: readonly ResourceStep[];
  readonly action?: SchemaNode;
}

/**
 * Reads the path of a data resource below `/data`, such as `/m:interfaces/interface=eth0`. Throws EncodingFault for a path that the
 * model does not have.
 */
export function readResourcePath(path: string, model: InstanceModel): ResourcePath {
  const segments = path.split('/').filter((segment) => segment !== '');
  const steps: ResourceStep[] = [];
  let children = model.top;
  let nodes: readonly SchemaNode[] = [];
  for (const [index, segment] of segments.entries()) {
    const [name, keys] = partsOf(segment);
    const definition = findChild(children, name);
    if (!definition) {
      const action =
        keys === undefined && index === segments.length - 1 ? findAction(nodes, name) : undefined;
      if (action) return { steps, action };
      throw new EncodingFault('', `there is no node "${name}" in ${describe(steps)}`, 'no-resource');
    }
    requireKeys(steps);
    steps.push(keys === undefined ? { definition } : { definition, keys: keysIn(definition, keys, model) });
    ({ children } = definition);
    nodes = definition.node.children;
  }
  return { steps };
}

/** Returns the text of a step for people. */
function describe(steps: readonly ResourceStep[]): string {
  const last = steps.at(-1);
  return last
    ? `"${last.definition.qualified}"`
    : 'the datastore; the name at the top has its module, as in "ietf-interfaces:interfaces"';
}

/** Splits a segment at its first `=`, and the keys at their commas; both are percent-encoded. */
function partsOf(segment: string): readonly [name: string, keys?: readonly string[]] {
  const at = segment.indexOf('=');
  if (at < 0) return [decode(segment)];
  return [
    decode(segment.slice(0, at)),
    segment
      .slice(at + 1)
      .split(',')
      .map(decode),
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EncodingFault('', 'the path has an invalid percent-encoding', 'malformed-message');
  }
}

function findChild({ byMember, byQualifiedName }: DataChildren, name: string): DataDefinition | undefined {
  return byMember.get(name) ?? byQualifiedName.get(name);
}

function findAction(nodes: readonly SchemaNode[], name: string): SchemaNode | undefined {
  return dataChildren(nodes).find(
    (node) => node.kind === 'action' && (memberName(node) === name || qualifiedName(node) === name),
  );
}

/** A list without keys can only be the last node of a path. */
function requireKeys(steps: readonly ResourceStep[]): void {
  const last = steps.at(-1);
  if (last && !last.keys && last.definition.node.kind === 'list')
    throw new EncodingFault(
      '',
      `the list "${last.definition.member}" needs keys in the path`,
      'malformed-message',
    );
}

function keysIn(
  definition: DataDefinition,
  texts: readonly string[],
  model: InstanceModel,
): readonly ResourceKey[] {
  const { node, member } = definition;
  const leaves =
    node.kind === 'leaf-list'
      ? [definition]
      : keysOf(node).flatMap(
          (key) => definition.children.list.find((child) => child.node.name === key) ?? [],
        );
  if (leaves.length === 0) throw new EncodingFault('', `"${member}" has no keys`, 'malformed-message');
  if (leaves.length !== texts.length)
    throw new EncodingFault(
      '',
      `"${member}" has ${leaves.length} key${leaves.length === 1 ? '' : 's'}, and the path has ${texts.length}`,
      'malformed-message',
    );
  return leaves.map((leaf, at) => ({ definition: leaf, ...keyToXml(leaf, texts[at] ?? '', model) }));
}

/** Content of the last element of a path. */
interface PathEnd {
  readonly content?: readonly XmlOutput[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly prefixes?: Readonly<Record<string, string>>;
}

/** Returns the element of the first step, with those of the other steps inside it, and the keys of list entries. */
export function elementsOfPath(
  [step, ...others]: readonly ResourceStep[],
  end: PathEnd,
): readonly XmlOutput[] {
  if (!step) return end.content ?? [];
  const {
    definition: { node },
    keys = [],
  } = step;
  const {
    name,
    module: { namespace },
  } = node;
  const isLast = others.length === 0;
  const below = isLast ? (end.content ?? []) : elementsOfPath(others, end);
  const { attributes = {}, prefixes = {} } = isLast ? end : {};
  const [value] = keys;
  if (node.kind === 'leaf-list' && value)
    return [
      { namespace, name, attributes, prefixes: { ...value.prefixes, ...prefixes }, content: value.text },
    ];
  return [{ namespace, name, attributes, prefixes, content: [...keys.map(keyElement), ...below] }];
}

function keyElement({ definition: { node }, text, prefixes }: ResourceKey): XmlOutput {
  return { namespace: node.module.namespace, name: node.name, prefixes, content: text };
}

/** Returns the elements of the resource below an element with the data of a datastore; none if it does not exist. */
export function elementsAt(
  data: XmlElement,
  steps: readonly ResourceStep[],
  model: InstanceModel,
): readonly XmlElement[] {
  return steps.reduce<readonly XmlElement[]>(
    (elements, step) =>
      elements.flatMap((element) => element.children.filter((child) => isInstance(child, step, model))),
    [data],
  );
}

function isInstance(
  element: XmlElement,
  { definition, keys = [] }: ResourceStep,
  model: InstanceModel,
): boolean {
  const { node } = definition;
  if (!isNamed(element, node)) return false;
  return keys.every((key) => {
    const leaf =
      node.kind === 'leaf-list'
        ? element
        : element.children.find((child) => isNamed(child, key.definition.node));
    return leaf !== undefined && canonicalText(key.definition, leaf, model) === key.canonical;
  });
}

function isNamed({ name, namespace }: XmlElement, node: SchemaNode): boolean {
  return name === node.name && (namespace === node.module.namespace || isUndeclared(namespace));
}
