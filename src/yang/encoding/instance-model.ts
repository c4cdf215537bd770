import { type DataChildren, DataDefinitions } from '../document/data-definition.js';
import { type CompilePattern, ValueReader } from '../document/value-reader.js';
import type { Names, YangModule } from '../modules/yang-module.js';
import type { SchemaNode } from '../tree/schema-node.js';

/** Modules of a server, prepared for the encodings of its data in JSON (RFC 7951) and XML (RFC 7950). */
export interface InstanceModel {
  /** Data nodes at the top of a datastore. */
  readonly top: DataChildren;
  readonly definitions: DataDefinitions;
  readonly values: ValueReader;
  readonly moduleByName: ReadonlyMap<string, YangModule>;
  readonly moduleByNamespace: ReadonlyMap<string, YangModule>;
  /** All schema nodes at the top, with operations and notifications. */
  readonly nodes: readonly SchemaNode[];
  /** Operations at the top by qualified name. */
  readonly rpcs: ReadonlyMap<string, SchemaNode>;
}

/** Kinds of faults, with the words of RFC 8040 section 7; `no-resource` is a path of no node of the model. */
type FaultKind =
  | 'invalid-value'
  | 'malformed-message'
  | 'missing-element'
  | 'no-resource'
  | 'too-big'
  | 'unknown-element';

/** Data that one of the encodings cannot express, or that the model does not have. */
export class EncodingFault extends Error {
  override readonly name = 'EncodingFault';
  /** RFC 6901 pointer to the place in the JSON document, or the path of the element. */
  readonly place: string;
  readonly kind: FaultKind;

  constructor(place: string, message: string, kind: FaultKind = 'invalid-value') {
    super(message);
    this.place = place;
    this.kind = kind;
  }
}

/** Parts of a model: the schema nodes at the top, all modules, and the names of their typedefs. */
interface ModelParts {
  readonly nodes: readonly SchemaNode[];
  readonly modules: readonly YangModule[];
  readonly names: Names;
}

/** Prepares a model of its parts. */
export function instanceModelOf(
  { nodes, modules, names }: ModelParts,
  compilePattern: CompilePattern,
): InstanceModel {
  const definitions = new DataDefinitions(() => true);
  const rpcs = nodes.filter(({ kind }) => kind === 'rpc');
  return {
    nodes,
    top: definitions.childrenOf(nodes),
    definitions,
    values: new ValueReader(names, compilePattern),
    moduleByName: new Map(modules.map((module) => [module.name, module])),
    moduleByNamespace: new Map(modules.map((module) => [module.namespace, module])),
    rpcs: new Map(rpcs.map((node) => [`${node.module.name}:${node.name}`, node])),
  };
}

/** Returns the definitions of the parameters in the input or output of an rpc or action. */
export function parametersOf(
  { definitions }: InstanceModel,
  operation: SchemaNode,
  part: 'input' | 'output',
): DataChildren {
  const found = operation.children.find(({ kind }) => kind === part);
  return definitions.childrenOf(found?.children ?? []);
}
