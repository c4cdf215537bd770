import { readFileSync } from 'node:fs';

/** An operation of the API description that accepts a JSON body. */
export interface BodyOperation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** A valid body. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Names of the members that the body may have. */
  readonly members: readonly string[];
}

/** The parts of an API description that are read here. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

interface DescribedOperation {
  readonly operationId?: string;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: DescribedSchema; readonly example?: BodyOperation['example'] }>
    >;
  };
}

interface DescribedSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

const DESCRIPTION = new URL('../../../docs/openapi.json', import.meta.url);

/** A call of a tool by an agent: the entrance is no operation of the description. */
const MCP: BodyOperation = {
  id: 'mcp',
  method: 'POST',
  path: '/mcp',
  example: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'restAction',
      arguments: {
        adapterId: 'light',
        params: { path: '/config', accept: 'application/json' },
        body: { a: 1 },
      },
      _meta: {},
    },
  },
  members: ['_meta'],
};

/** Returns an example without the secrets and files that its adapter names, which do not exist here. */
function withoutCredentials(example: BodyOperation['example']): BodyOperation['example'] {
  const text = JSON.stringify(example, (name, value: unknown) =>
    name === 'auth' || name === 'tls' ? undefined : value,
  );
  return JSON.parse(text) as BodyOperation['example'];
}

/** Returns all operations of the API description that accept a JSON body, and the entrance for agents. */
export function operationsWithBody(): readonly BodyOperation[] {
  const { paths, components } = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as Description;
  const membersOf = ({ $ref, properties }: DescribedSchema): readonly string[] => {
    const named = $ref === undefined ? undefined : components.schemas[$ref.split('/').at(-1) ?? ''];
    return Object.keys(named?.properties ?? properties ?? {});
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId = '', requestBody }]) => {
      const json = requestBody?.content['application/json'];
      if (!json) return [];
      const example = withoutCredentials(json.example ?? {});
      return [
        { id: operationId, method: method.toUpperCase(), path, example, members: membersOf(json.schema) },
      ];
    }),
  );
  return [...described, MCP];
}
