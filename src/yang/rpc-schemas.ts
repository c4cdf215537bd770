import { unwrapText } from './json-schema/annotations.js';
import { qualifiedName } from './json-schema/data-path.js';
import { Definitions } from './json-schema/definitions.js';
import { NodeSchemas } from './json-schema/node-schema.js';
import type { LinkedModules } from './link.js';
import { type SchemaNode, valueOf } from './tree/schema-node.js';

/** An rpc with the JSON Schemas of its parameters, as plain data that another thread can receive. */
export interface RpcSchema {
  /** `module:name`. */
  readonly name: string;
  readonly module: string;
  readonly description: string;
  /** JSON of the schema of the members of `module:input`. */
  readonly input: string;
  /** JSON of the schema of the reply; absent for an rpc without output. */
  readonly output?: string;
}

/** Writes the schemas of the rpcs of all given modules, until their JSON has the maximum length. */
export function rpcSchemas(linked: LinkedModules, maxLength: number): readonly RpcSchema[] {
  const written: RpcSchema[] = [];
  let length = 0;
  for (const module of linked.given)
    for (const rpc of linked.trees.rootOf(module).children) {
      if (rpc.kind !== 'rpc' || !rpc.enabled) continue;
      const schema = rpcSchema(rpc, linked);
      length += schema.input.length + (schema.output ?? '').length + schema.description.length;
      if (length > maxLength) return written;
      written.push(schema);
    }
  return written;
}

function rpcSchema(rpc: SchemaNode, { names, subtrees }: LinkedModules): RpcSchema {
  const [input, output] = ['input', 'output'].map((kind) =>
    rpc.children.find((child) => child.kind === kind),
  );
  const write = (schemaOf: (schemas: NodeSchemas) => object): string => {
    const definitions = new Definitions(names);
    const schemas = new NodeSchemas({ names, subtrees, content: 'all', definitions, dialect: 'plain' });
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return JSON.stringify(definitions.write({ $schema, ...schemaOf(schemas) }, '$defs'));
  };
  return {
    name: qualifiedName(rpc),
    module: rpc.module.name,
    description: unwrapText(valueOf(rpc, 'description') ?? ''),
    input: write((schemas) => schemas.object(input?.children ?? [])),
    ...(output && output.children.length > 0 && { output: write((schemas) => schemas.document(output)) }),
  };
}
