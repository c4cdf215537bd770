import { memberName, qualifiedName } from '../json-schema/data-path.js';
import type { Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import {
  isNonPresenceContainer,
  keysOf,
  minimumOf,
  propertiesOf,
  type SchemaNode,
  valueOf,
} from '../tree/schema-node.js';
import { inheritedRange } from '../types/resolve-type.js';
import { contains } from '../types/restrictions.js';
import { decimalText, ValueCheck, valuesOfIdentityref } from '../types/value-check.js';
import type { YangType } from '../types/yang-type.js';

/** Maximum number of nodes of an example. Mandatory nodes and keys are never left out. */
const MAX_EXAMPLE_NODES = 12;

/** Texts for strings, of which the first one that fits the type is taken. Addresses and names are reserved ones (RFC 5737, RFC 3849, RFC 2606). */
const TEXTS = [
  'example',
  'eth0',
  '192.0.2.1',
  '2001:db8::1',
  '192.0.2.0/24',
  '2001:db8::/32',
  '2026-01-31T12:00:00Z',
  '2026-01-31',
  '00:00:5e:00:53:01',
  '65000:1',
  'https://www.example.com/',
  '1',
  '0',
  'a',
  'A',
  '1.1',
  '00000000-0000-4000-8000-000000000000',
  'ab',
  '0000000000000001',
];

/** Makes examples of data from defaults and types. An example is valid, or absent. */
export class Examples {
  readonly #isIncluded: (node: SchemaNode) => boolean;
  readonly #values: ValueCheck;
  #count = 0;

  constructor(names: Names, isIncluded: (node: SchemaNode) => boolean) {
    this.#isIncluded = isIncluded;
    this.#values = new ValueCheck(names);
  }

  /** Returns a document with a single node; undefined if there is no value for a node that must exist. */
  document(node: SchemaNode): object | undefined {
    this.#count = 0;
    const value = this.#node(node);
    return value === undefined ? undefined : { [qualifiedName(node)]: value };
  }

  /** Returns a value of a leaf; undefined if no text fits its type. */
  leaf(node: SchemaNode): unknown {
    const { type } = node;
    if (!type) return undefined;
    const [written] = propertiesOf(node, 'default');
    const statement = written ?? type.default;
    const reading = statement && this.#values.read(node, type, statement);
    return reading && 'json' in reading ? reading.json : valueOfType(type, node);
  }

  #node(node: SchemaNode): unknown {
    this.#count += 1;
    switch (node.kind) {
      case 'leaf':
        return this.leaf(node);
      case 'leaf-list': {
        const value = minimumOf(node) > 1 ? undefined : this.leaf(node);
        return value === undefined ? undefined : [value];
      }
      case 'list': {
        const entry = minimumOf(node) > 1 ? undefined : this.#members(node, keysOf(node));
        return entry && [entry];
      }
      case 'anydata':
        return {};
      case 'anyxml':
        return undefined;
      default:
        return this.#members(node, []);
    }
  }

  #members(parent: SchemaNode, keys: readonly string[]): object | undefined {
    const members: (readonly [string, unknown])[] = [];
    const nodes = this.#chosen(parent.children);
    const [required, optional] = [
      nodes.filter((node) => keys.includes(node.name) || isRequired(node)),
      nodes.filter((node) => !keys.includes(node.name) && !isRequired(node)),
    ];
    for (const node of required) {
      const value = this.#node(node);
      if (value === undefined) return undefined;
      members.push([memberName(node), value]);
    }
    for (const node of optional) {
      if (this.#count >= MAX_EXAMPLE_NODES) break;
      const value = this.#node(node);
      const isEmpty = value !== null && typeof value === 'object' && Object.keys(value).length === 0;
      if (value !== undefined && !(isEmpty && isNonPresenceContainer(node)))
        members.push([memberName(node), value]);
    }
    return Object.fromEntries(members);
  }

  /** Returns the nodes without conditions, with one case of each choice. */
  #chosen(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
    return nodes.flatMap((node) => {
      if (!this.#isIncluded(node) || node.whens.length > 0 || propertiesOf(node, 'must').length > 0)
        return [];
      if (node.kind !== 'choice') return [node];
      const name = valueOf(node, 'default');
      const branch =
        node.children.find((child) => child.name === name) ?? node.children.find(this.#isIncluded);
      return branch ? this.#chosen(branch.children) : [];
    });
  }
}

function isRequired(node: SchemaNode): boolean {
  if (node.kind === 'list' || node.kind === 'leaf-list') return minimumOf(node) > 0;
  if (isNonPresenceContainer(node)) return node.children.some(isRequired);
  return valueOf(node, 'mandatory') === 'true';
}

/** Returns a value of a type; undefined if no candidate fits. */
function valueOfType(type: YangType, node: SchemaNode): unknown {
  if (type.base === 'leafref') {
    const target = node.targets?.get(type);
    return target?.type && valueOfType(target.type, target);
  }
  if (type.base === 'union') {
    const values = (type.members ?? []).map((member) => valueOfType(member, node));
    return values.find((value) => value !== undefined);
  }
  return (VALUES[type.base] ?? numberOf)(type);
}

const firstName = ({ values }: YangType) => values?.find(({ enabled }) => enabled)?.name;

/** Values of the types that are not numbers. */
const VALUES: Readonly<Partial<Record<YangType['base'], (type: YangType) => unknown>>> = {
  identityref: (type) => {
    const [identity] = valuesOfIdentityref(type);
    return identity && `${identity.module.name}:${identity.name}`;
  },
  empty: () => [null],
  boolean: () => true,
  bits: firstName,
  enumeration: firstName,
  binary: ({ length }) => (!length || contains(length, 3n) ? 'AAAA' : undefined),
  string: (type) => TEXTS.find((text) => fits(text, type)),
  'instance-identifier': () => undefined,
};

function fits(text: string, { length, patterns = [] }: YangType): boolean {
  if (length && !contains(length, BigInt(text.length))) return false;
  return patterns.every(({ statement, inverted }) => {
    const { source, refused } = translatePattern(statement);
    return refused === undefined && new RegExp(source, 'u').test(text) !== inverted;
  });
}

function numberOf(type: YangType): unknown {
  const range = inheritedRange(type);
  const value = contains(range, 1n) ? 1n : range[0]?.from;
  if (value === undefined) return undefined;
  if (type.base === 'decimal64') return decimalText(value, type.fractionDigits ?? 1);
  return type.base.endsWith('64') ? String(value) : Number(value);
}
