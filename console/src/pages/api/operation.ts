import { textOf } from '../../text/text.js';

const text = textOf('api');

/** The parts of an OpenAPI 3.1 document that the page uses. */
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** A JSON Schema, or a reference to one of the components. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  /** True for a parameter that matches the rest of the path, including slashes. */
  readonly 'x-rest'?: boolean;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-roles'?: readonly string[] | string;
  readonly 'x-operation'?: string;
  readonly 'x-removed-in'?: string;
  readonly 'x-replaced-by'?: readonly string[];
}

/** An operation for display. */
export interface ApiOperation {
  /** Value in the URL. */
  readonly id: string;
  /** Id of the operation in the session's permissions. */
  readonly permission: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly group: string;
  readonly isDeprecated: boolean;
  readonly removedIn: string | undefined;
  readonly replacedBy: readonly string[];
  /** `public`, `authenticated`, or the roles by name. */
  readonly roles: readonly string[] | string;
  readonly parameters: readonly Parameter[];
  /** Schema of the JSON body; undefined if there is no body. */
  readonly body: Schema | undefined;
  readonly reply: Schema | undefined;
  /** The reason why this page cannot call the operation; undefined for a callable operation. */
  readonly untried: string | undefined;
}

export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ApiOperation[];
}

/** Returns every operation of a document, in its groups and its order. */
export function groupsOf({ paths, tags = [] }: ApiDocument): readonly OperationGroup[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => operationOf(method, path, found)),
  );
  const names = [...new Set([...tags.map(({ name }) => name), ...all.map(({ group }) => group)])];
  return names
    .map((name) => ({
      name,
      description: tags.find((tag) => tag.name === name)?.description ?? '',
      operations: all.filter(({ group }) => group === name),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function operationOf(method: string, path: string, found: OperationObject): ApiOperation {
  const {
    operationId,
    summary = '',
    description = '',
    tags: [group = 'other'] = [],
    parameters = [],
  } = found;
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    group,
    // The page sets its own headers.
    parameters: parameters.filter((parameter) => parameter.in !== 'header'),
    ...operationStageOf(found),
    body: schemaIn(found.requestBody),
    reply: schemaIn(found.responses?.['200']),
    untried: reasonNotCallable(found),
  };
}

type OperationStage = Pick<
  ApiOperation,
  'permission' | 'isDeprecated' | 'removedIn' | 'replacedBy' | 'roles'
>;

function operationStageOf(found: OperationObject): OperationStage {
  return {
    permission: (found['x-operation'] ?? found.operationId).replace(/^.*\./, ''),
    isDeprecated: found.deprecated ?? false,
    removedIn: found['x-removed-in'],
    replacedBy: found['x-replaced-by'] ?? [],
    roles: found['x-roles'] ?? 'authenticated',
  };
}

function schemaIn(part: { readonly content?: Content } | undefined): Schema | undefined {
  return part?.content?.['application/json']?.schema;
}

/**
 * Returns why an operation cannot be called: the browser only has a session cookie, and an endless response
 * cannot be shown.
 */
function reasonNotCallable({ security = [], responses = {} }: OperationObject): string | undefined {
  if ('text/event-stream' in (responses['200']?.content ?? {})) return text('endless');
  const isOpen = security.length === 0 || security.some((scheme) => 'cookie' in scheme);
  return isOpen ? undefined : text('headerOnly');
}

/** Returns the groups with the operations in which every word of the search occurs. */
export function searchedGroups(groups: readonly OperationGroup[], search: string): readonly OperationGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, summary, id }) => {
        const searched = `${method} ${path} ${summary} ${id} ${group.name}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
