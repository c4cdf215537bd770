import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { rememberTypedefs } from '../document/known-typedefs.js';
import type { CompilePattern } from '../document/value-reader.js';
import { type Identity, Names, type YangModule } from '../modules/yang-module.js';
import type { SourceText, Statement } from '../syntax/statement.js';
import { defineNode, type DefinitionStart } from '../tree/node-definition.js';
import { addNode, type SchemaNode } from '../tree/schema-node.js';
import type { YangType } from '../types/yang-type.js';
import { type InstanceModel, instanceModelOf } from './instance-model.js';
import {
  type PackedModel,
  HAS_PRESENCE,
  IS_CONFIG,
  IS_ENABLED,
  IS_ORDERED_BY_USER,
  KINDS,
  type PackedType,
} from './packed-model.js';

/**
 * Compiled modules of a server as bytes. A process that hands them to threads, which share them, never has objects that a server
 * decides about. Equal models have equal digests.
 */
export interface ModelBytes {
  readonly digest: string;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** Writes a model as bytes. */
export function modelToBytes(model: PackedModel): ModelBytes {
  const serialized = serialize(model);
  const bytes = new Uint8Array(new SharedArrayBuffer(serialized.length));
  bytes.set(serialized);
  return { digest: createHash('sha256').update(serialized).digest('base64'), bytes };
}

/** Prepares a model that {@link modelToBytes} has written. */
export function modelOfBytes({ bytes }: ModelBytes, compilePattern: CompilePattern): InstanceModel {
  return unpackModel(deserialize(Buffer.from(bytes)) as PackedModel, compilePattern);
}

/** Prepares a model that another thread has compiled. Its statements have only what the encodings read. */
export function unpackModel(packed: PackedModel, compilePattern: CompilePattern): InstanceModel {
  const modules = packed.modules.map(([name, namespace, revision]) => moduleOf(name, namespace, revision));
  const identities = unpackIdentities(packed, modules);
  const types = unpackTypes(packed, identities);
  const nodes = unpackNodes(packed, modules, types);
  return instanceModelOf(
    { nodes: nodes.slice(0, packed.topCount), modules, names: new Names(new Map<SourceText, never>()) },
    compilePattern,
  );
}

const NO_SOURCE: SourceText = { file: '', text: '' };

function statementOf(keyword: string, argument: string): Statement {
  return {
    keyword,
    argument,
    hasArgument: true,
    source: NO_SOURCE,
    line: 0,
    column: 0,
    parent: undefined,
    children: [],
  };
}

const NO_STATEMENT = statementOf('', '');
const PRESENCE: readonly Statement[] = [statementOf('presence', '')];
const ORDERED_BY_USER: readonly Statement[] = [statementOf('ordered-by', 'user')];

function moduleOf(name: string, namespace: string, revision: string | undefined): YangModule {
  const none = (): Map<string, never> => new Map<string, never>();
  const definitions = {
    typedef: none(),
    grouping: none(),
    feature: none(),
    extension: none(),
    identity: none(),
  };
  return { name, namespace, revision, units: [], definitions };
}

/** Returns the item that a number of the model refers to. Throws a RangeError for a damaged model. */
function at<T>(list: ArrayLike<T>, number: number): T {
  const item = list[number];
  if (item === undefined) throw new RangeError('the packed model has a number without an item');
  return item;
}

function unpackIdentities({ identities }: PackedModel, modules: readonly YangModule[]): readonly Identity[] {
  const unpacked = identities.map(([name, module, enabled]): Identity => ({
    name,
    module: at(modules, module),
    statement: NO_STATEMENT,
    bases: [],
    derived: [],
    enabled,
  }));
  for (const [number, [, , , derived]] of identities.entries())
    at(unpacked, number).derived.push(...derived.map((one) => at(unpacked, one)));
  return unpacked;
}

type MutableType = { -readonly [Name in keyof YangType]: YangType[Name] };

function unpackTypes({ types }: PackedModel, identities: readonly Identity[]): readonly YangType[] {
  const unpacked = types.map((type) => typeOf(type, identities));
  for (const [number, { members, typedefs = [] }] of types.entries()) {
    const type = at(unpacked, number);
    if (members) type.members = members.map((member) => at(unpacked, member));
    rememberTypedefs(type, typedefs);
  }
  return unpacked;
}

function typeOf(
  { base, range, length, fractionDigits, requireInstance, patterns, values, bases }: PackedType,
  identities: readonly Identity[],
): MutableType {
  return {
    base,
    statement: NO_STATEMENT,
    typedef: undefined,
    restricted: false,
    ...(range && { range }),
    ...(length && { length }),
    ...(fractionDigits !== undefined && { fractionDigits }),
    ...(requireInstance !== undefined && { requireInstance }),
    ...(patterns && {
      patterns: patterns.map(([xsd, inverted, message]) => ({
        xsd,
        inverted,
        message,
        statement: statementOf('pattern', xsd),
      })),
    }),
    ...(values && {
      values: values.map(([name, value]) => ({ name, value, statement: NO_STATEMENT, enabled: true })),
    }),
    ...(bases && { bases: bases.map((identity) => at(identities, identity)) }),
  };
}

function unpackNodes(
  packed: PackedModel,
  modules: readonly YangModule[],
  types: readonly YangType[],
): readonly SchemaNode[] {
  const { parentOf, typeOf: typeNumbers } = packed;
  const nodes: SchemaNode[] = [];
  const roots = new Map(modules.map((module) => [module, rootOf(module)]));
  for (const number of packed.kinds.keys()) {
    const module = at(modules, at(packed.moduleOf, number));
    const parent = nodes[at(parentOf, number)] ?? roots.get(module);
    const type = types[at(typeNumbers, number)];
    const definition = defineNode({ ...definitionOf(packed, number), module });
    definition.type = type;
    const node = addNode(definition, parent);
    const bits = at(packed.bits, number);
    node.enabled = (bits & IS_ENABLED) > 0;
    node.config = (bits & IS_CONFIG) > 0;
    nodes.push(node);
  }
  for (const [node, type, target] of packed.targets) {
    const from = at(nodes, node);
    from.targets = (from.targets ?? new Map<YangType, SchemaNode>()).set(at(types, type), at(nodes, target));
  }
  return nodes;
}

function definitionOf(packed: PackedModel, number: number): Omit<DefinitionStart, 'module'> {
  return {
    kind: at(KINDS, at(packed.kinds, number)),
    name: at(packed.names, at(packed.nameOf, number)),
    statement: NO_STATEMENT,
    properties: propertiesOf(packed.keys.get(number), at(packed.bits, number)),
  };
}

function propertiesOf(key: string | undefined, bits: number): readonly Statement[] {
  const ordered = (bits & IS_ORDERED_BY_USER) > 0 ? ORDERED_BY_USER : NO_LIST;
  if (key !== undefined) return [statementOf('key', key), ...ordered];
  return (bits & HAS_PRESENCE) > 0 ? PRESENCE : ordered;
}

const NO_LIST: readonly never[] = [];

/** Returns the node around those at the top of a module. */
function rootOf(module: YangModule): SchemaNode {
  const definition = {
    kind: 'structure',
    name: module.name,
    module,
    statement: NO_STATEMENT,
    properties: NO_LIST,
  } as const;
  return addNode(defineNode(definition), undefined);
}
