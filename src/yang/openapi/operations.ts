import { unwrapText } from '../json-schema/annotations.js';
import { qualifiedName } from '../json-schema/data-path.js';
import type { Schema } from '../json-schema/definitions.js';
import type { NodeSchemas } from '../json-schema/node-schema.js';
import type { YangModule } from '../modules/yang-module.js';
import { dataChildren, type SchemaNode, valueOf } from '../tree/schema-node.js';
import type { Examples } from './examples.js';
import type { PathParameter, Resource } from './resources.js';

/** Dependencies of {@link OperationWriter}. */
interface OperationWriterOptions {
  /** Schemas of data with state, and of configuration alone. */
  readonly all: NodeSchemas;
  readonly config: NodeSchemas;
  readonly examples: Examples;
}

const MEDIA_TYPE = 'application/yang-data+json';

/** Writes the operations of an OpenAPI document (RFC 8040 section 4). */
export class OperationWriter {
  readonly #all: NodeSchemas;
  readonly #config: NodeSchemas;
  readonly #examples: Examples;
  readonly #ids = new Set<string>();

  constructor({ all, config, examples }: OperationWriterOptions) {
    this.#all = all;
    this.#config = config;
    this.#examples = examples;
  }

  /** Returns the path item of a data resource or an action. */
  resource({ node, path, parameters }: Resource, module: YangModule): Schema {
    const inPath = parameters.length > 0 ? { parameters: parameters.map((one) => this.#parameter(one)) } : {};
    if (node.kind === 'action') return { ...inPath, post: this.operation(node, module, path) };
    const body = this.#content(this.#config.document(node), this.#examples.document(node));
    const operation = (verb: string, summary: string) =>
      this.#operation(verb, { node, module, path, summary });
    const get = {
      ...operation('get', `Get ${node.name}`),
      parameters: QUERY_PARAMETERS,
      responses: { 200: { description: 'The data', ...this.#content(this.#all.document(node)) }, ...ERRORS },
    };
    if (!node.config) return { ...inPath, get };
    const requestBody = { required: true, ...body };
    return {
      ...inPath,
      get,
      put: {
        ...operation('put', `Create or replace ${node.name}`),
        requestBody,
        responses: { ...CREATED, ...DONE, ...ERRORS },
      },
      patch: {
        ...operation('patch', `Merge data into ${node.name}`),
        requestBody,
        responses: { ...DONE, ...ERRORS },
      },
      post: {
        ...operation('post', `Create a child of ${node.name}`),
        requestBody: { required: true, ...this.#content(this.#child(node.children)) },
        responses: { ...CREATED, ...ERRORS },
      },
      delete: { ...operation('delete', `Delete ${node.name}`), responses: { ...DONE, ...ERRORS } },
    };
  }

  /** Returns the path item of the datastore, which creates a resource at the top level (RFC 8040 4.4.1); none without any. */
  datastore(roots: readonly SchemaNode[]): Readonly<Record<string, Schema>> {
    const child = this.#child(roots.flatMap(({ children }) => children));
    const post = {
      operationId: this.#idOf('post/data'),
      tags: roots.map(({ module }) => module.name),
      summary: 'Create a top-level resource',
      requestBody: { required: true, ...this.#content(child) },
      responses: { ...CREATED, ...ERRORS },
    };
    return Object.keys(child['properties'] as object).length === 0 ? {} : { '/data': { post } };
  }

  /** Returns the operation of an RPC or an action. */
  operation(node: SchemaNode, module: YangModule, path = `/operations/${qualifiedName(node)}`): Schema {
    const [input, output] = ['input', 'output'].map((kind) =>
      node.children.find((child) => child.kind === kind && child.children.length > 0),
    );
    return {
      ...this.#operation('post', { node, module, path, summary: `Run ${node.name}` }),
      ...(input && {
        requestBody: {
          required: true,
          ...this.#content(this.#config.document(input), this.#examples.document(input)),
        },
      }),
      responses: {
        ...(output
          ? { 200: { description: 'The output', ...this.#content(this.#config.document(output)) } }
          : DONE),
        ...ERRORS,
      },
    };
  }

  /** Returns the schema of a new child: a document with one of the child resources (RFC 8040 4.4.1). */
  #child(nodes: readonly SchemaNode[]): Schema {
    const children = dataChildren(nodes).filter(
      (node) => (node.kind === 'container' || node.kind === 'list') && this.#config.isIncluded(node),
    );
    return {
      type: 'object',
      properties: Object.fromEntries(children.map((node) => [qualifiedName(node), this.#config.node(node)])),
      minProperties: 1,
      maxProperties: 1,
    };
  }

  #operation(
    verb: string,
    { node, module, path, summary }: { node: SchemaNode; module: YangModule; path: string; summary: string },
  ): Schema {
    const description = valueOf(node, 'description');
    return {
      operationId: this.#idOf(`${verb}${path}`),
      tags: [module.name],
      summary,
      ...(description !== undefined && { description: unwrapText(description) }),
      ...(node.status !== 'current' && { deprecated: true }),
    };
  }

  #idOf(text: string): string {
    const id = text.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '');
    let free = id;
    for (let number = 2; this.#ids.has(free); number += 1) free = `${id}_${number}`;
    this.#ids.add(free);
    return free;
  }

  #parameter({ name, key }: PathParameter): Schema {
    const example = this.#examples.leaf(key);
    return {
      name,
      in: 'path',
      required: true,
      schema: this.#all.node(key),
      ...(example !== undefined && { example }),
    };
  }

  #content(schema: Schema, example?: object): Schema {
    return { content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } };
  }
}

const DONE = { 204: { description: 'Done' } };
const CREATED = { 201: { description: 'Created; Location has the URL of the resource' } };
const ERRORS = {
  default: {
    description: 'Errors (RFC 8040 3.9)',
    content: { [MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/RestconfErrors' } } },
  },
};

/** Query parameters of GET (RFC 8040 4.8). */
const QUERY_PARAMETERS = [
  {
    name: 'content',
    in: 'query',
    description: 'Configuration, state, or both',
    schema: { enum: ['config', 'nonconfig', 'all'] },
  },
  {
    name: 'depth',
    in: 'query',
    description: 'Maximum number of levels, or unbounded',
    schema: { type: 'string', pattern: '^(?:unbounded|[1-9][0-9]{0,4})$' },
  },
  { name: 'fields', in: 'query', description: 'Nodes to return', schema: { type: 'string' } },
  {
    name: 'with-defaults',
    in: 'query',
    description: 'How defaults are reported',
    schema: { enum: ['report-all', 'trim', 'explicit', 'report-all-tagged'] },
  },
];
