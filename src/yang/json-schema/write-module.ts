import type { LinkedModules } from '../link.js';
import type { YangModule } from '../modules/yang-module.js';
import type { SchemaNode } from '../tree/schema-node.js';
import { Definitions } from './definitions.js';
import { NodeSchemas } from './node-schema.js';
import type { Content, Draft, Schema, YangWarning } from './schema-types.js';
import { findTarget, targetsOf } from './target.js';
import { uiSchemaOf } from './ui-schema.js';
import { revisionWarnings, warningsOf } from './warnings.js';

/** How a module is written. */
export interface WriteOptions {
  readonly draft?: Draft;
  readonly content?: Content;
  readonly target?: string;
  readonly path?: string;
}

/** What is written of one module. */
export interface WrittenModule {
  readonly schema: Schema;
  readonly uiSchema: Schema;
  readonly warnings: readonly YangWarning[];
  readonly targets: readonly string[];
}

/** Writes one document of a module as JSON Schema; refused when the target or path leads nowhere. */
export function writeModule(
  module: YangModule,
  linked: LinkedModules,
  options: WriteOptions,
): WrittenModule | { readonly refused: string } {
  const root = linked.trees.rootOf(module);
  const found = findTarget(root, options);
  if ('refused' in found) return found;
  const { nodes, start } = found;
  const definitions = new Definitions();
  const draft = options.draft ?? '2020-12';
  const schemas = new NodeSchemas({ names: linked.names, content: options.content ?? 'config', definitions });
  const included = (node: SchemaNode) => schemas.included(node);
  const schema = {
    $schema: SCHEMAS[draft],
    title: module.name,
    ...(start ? schemas.document(start) : schemas.object(nodes)),
    'x-yang': {
      kind: 'module',
      module: module.name,
      namespace: module.namespace,
      revision: module.revision ?? null,
    },
  };
  return {
    schema: definitions.write(schema, draft === '07' ? 'definitions' : '$defs'),
    uiSchema: uiSchemaOf(found, included),
    warnings: [...revisionWarnings(module), ...warningsOf(nodes, (node) => node === start || included(node))],
    targets: targetsOf(root),
  };
}

const SCHEMAS: Readonly<Record<Draft, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '07': 'http://json-schema.org/draft-07/schema#',
};
