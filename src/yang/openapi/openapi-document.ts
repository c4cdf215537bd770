import { Definitions, type Schema } from '../json-schema/definitions.js';
import { NodeSchemas } from '../json-schema/node-schema.js';
import type { LinkedModules } from '../link.js';
import type { YangModule } from '../modules/yang-module.js';
import { Examples } from './examples.js';
import { OperationWriter } from './operations.js';
import { resourcesOf } from './resources.js';

/** Options of {@link openApiOf}. */
export interface OpenApiOptions {
  /** Maximum number of data nodes in a path. */
  readonly depth: number;
  /** Paths of data nodes, such as `/m:interfaces`, to which the resources are limited; all if there are none. */
  readonly below: readonly string[];
  /** Root resource of the RESTCONF server (RFC 8040 3.1). */
  readonly root: string;
}

/**
 * Returns an OpenAPI 3.1 document of the RESTCONF API (RFC 8040) of modules: data resources, RPC operations and
 * actions. State has only GET. Schemas that are used more than once are components.
 */
export function openApiOf(
  modules: readonly YangModule[],
  linked: LinkedModules,
  { depth, below, root }: OpenApiOptions,
): Schema {
  const { names, subtrees } = linked;
  const definitions = new Definitions(names);
  const options = { names, subtrees, definitions, dialect: 'plain' } as const;
  const all = new NodeSchemas({ ...options, content: 'all' });
  const config = new NodeSchemas({ ...options, content: 'config' });
  const examples = new Examples(names, (node) => config.isIncluded(node));
  const writer = new OperationWriter({ all, config, examples });
  const paths: Record<string, Schema> = {};
  if (below.length === 0)
    Object.assign(paths, writer.datastore(modules.map((module) => linked.trees.rootOf(module))));
  for (const module of modules) {
    const tree = linked.trees.rootOf(module);
    for (const resource of resourcesOf(tree, { depth, below }))
      paths[resource.path] = writer.resource(resource, module);
    if (below.length > 0) continue;
    for (const rpc of tree.children.filter(({ kind }) => kind === 'rpc'))
      paths[`/operations/${module.name}:${rpc.name}`] = { post: writer.operation(rpc, module) };
  }
  const revisions = modules.flatMap(({ revision }) => revision ?? []).sort();
  const document = {
    openapi: '3.1.0',
    info: {
      title: `RESTCONF API of ${modules.map(({ name }) => name).join(', ')}`,
      version: revisions.at(-1) ?? '1',
    },
    servers: [{ url: root }],
    tags: modules.map((module) => tagOf(module)),
    paths,
  };
  return definitions.writeComponents(document, { RestconfErrors: RESTCONF_ERRORS });
}

function tagOf(module: YangModule): Schema {
  const statement = module.units[0]?.root;
  const description = statement?.children.find(({ keyword }) => keyword === 'description')?.argument;
  return { name: module.name, ...(description !== undefined && { description }) };
}

/** Errors of a RESTCONF server (RFC 8040 3.9). */
const RESTCONF_ERRORS: Schema = {
  type: 'object',
  properties: {
    'ietf-restconf:errors': {
      type: 'object',
      properties: {
        error: {
          type: 'array',
          items: {
            type: 'object',
            required: ['error-type', 'error-tag'],
            properties: {
              'error-type': { enum: ['transport', 'rpc', 'protocol', 'application'] },
              'error-tag': { type: 'string' },
              'error-app-tag': { type: 'string' },
              'error-path': { type: 'string' },
              'error-message': { type: 'string' },
              'error-info': {},
            },
          },
        },
      },
    },
  },
};
