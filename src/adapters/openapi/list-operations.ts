import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../json/json-object.js';
import { uniqueName } from './convert-schema.js';
import type { DocumentInfo, OperationEntry } from './document-task.js';
import type { FaultList } from './fault-list.js';
import { below, type Located, type SourceFiles } from './read-document.js';

/** An operation of a document, with its parameters and its version of OpenAPI. */
export interface FoundOperation {
  readonly entry: OperationEntry;
  readonly operation: Located<JsonObject>;
  readonly pathItem: Located<JsonObject>;
}

/** HTTP methods of operations, and what they do at the orchestrator. */
const EFFECTS: ReadonlyMap<string, NonNullable<OperationEntry['effect']>> = new Map([
  ['get', 'read'],
  ['head', 'read'],
  ['put', 'change'],
  ['post', 'change'],
  ['patch', 'change'],
  ['delete', 'delete'],
  ['options', 'change'],
]);

/** Returns the version of OpenAPI; undefined, and a fault, for another document. */
export function versionOf({ value, at }: Located<JsonObject>, faults: FaultList): string | undefined {
  const version = value['openapi'] ?? value['swagger'];
  if (/^(?:2\.0|3\.[01](?:\.\d+)?)$/.test(String(version))) return String(version);
  const message =
    version === undefined ? 'has no "openapi" and no "swagger"' : 'has another version than 2.0, 3.0 and 3.1';
  faults.add(at, message, 'Name a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0.');
  return undefined;
}

/** Returns what the document says about the orchestrator. */
export function infoOf(
  { value }: Located<JsonObject>,
  version: string,
): Omit<DocumentInfo, 'queryParameters'> {
  const { host, basePath, schemes, servers, info, components, securityDefinitions } = value;
  const scheme =
    Array.isArray(schemes) && !schemes.includes('https') ? String(schemes[0] ?? 'https') : 'https';
  const ofSwagger = typeof host === 'string' ? `${scheme}://${host}` : '';
  const all = Array.isArray(servers) ? servers.map((server) => serverUrl(objectOf(server))) : [];
  return {
    version,
    title: textOf(objectOf(info)['title']),
    servers: version === '2.0' ? [`${ofSwagger}${textOf(basePath)}`] : all,
    securitySchemes: objectOf(
      version === '2.0' ? securityDefinitions : objectOf(components)['securitySchemes'],
    ),
  };
}

/** Returns the URL of a server with the defaults of its variables. A variable without a default stays. */
function serverUrl({ url, variables }: JsonObject): string {
  return textOf(url).replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const { default: preset } = objectOf(memberOf(objectOf(variables), name));
    return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : written;
  });
}

/** Warns of an operation or a path with another server than the document: calls go to the base URL of the adapter. */
export function warnOfOtherServer(
  { operation, pathItem }: FoundOperation,
  { source: { root }, faults }: { readonly source: SourceFiles; readonly faults: FaultList },
): void {
  const [place] = [operation, pathItem].filter(({ value }) => firstServer(value) !== undefined);
  const url = place && firstServer(place.value);
  if (!place || url === undefined || url === firstServer(root.value)) return;
  const message = `name the server ${JSON.stringify(url)}, which is not used: calls go to the base URL of the adapter`;
  faults.warn(below(place.at, 'servers'), message, 'If it is another one, register an adapter for it.');
}

function firstServer({ servers }: JsonObject): string | undefined {
  return Array.isArray(servers) && servers.length > 0 ? serverUrl(objectOf(servers[0])) : undefined;
}

/** Returns the operations of a document in its order, each with the name of its method. */
export function listOperations(source: SourceFiles, faults: FaultList): readonly FoundOperation[] {
  const { root } = source;
  const paths = root.value['paths'];
  if (!isJsonObject(paths)) {
    if (root.value['webhooks'] === undefined)
      faults.add(root.at, 'has no "paths"', 'Name a document with the operations of the orchestrator.');
    return [];
  }
  const taken = new Set<string>();
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!path.startsWith('/')) return [];
    const pathItem = source.resolve(item, below(root.at, 'paths', path));
    if (!pathItem || !isJsonObject(pathItem.value)) return [];
    const { value, at } = pathItem;
    return Object.keys(value).flatMap((method) => {
      const operation = memberOf(value, method);
      const effect = EFFECTS.get(method);
      if (!effect || !isJsonObject(operation)) return [];
      const located = { value: operation, at: below(at, method) };
      const name = uniqueName(nameOf(located, { method, path, taken }, faults), taken);
      const entry = { name, method: method.toUpperCase(), path, effect, ...wordsOf(operation, method, path) };
      return [{ entry, operation: located, pathItem: { value, at } }];
    });
  });
}

interface NameInput {
  readonly method: string;
  readonly path: string;
  readonly taken: ReadonlySet<string>;
}

/** Maximum length of the name of a method. Its number, when it occurs again, comes after it. */
const MAX_NAME_LENGTH = 120;

/** Returns the name by the operationId; without one, by method and path. */
function nameOf(
  { value, at }: Located<JsonObject>,
  { method, path, taken }: NameInput,
  faults: FaultList,
): string {
  const { operationId: id } = value;
  const written = typeof id === 'string' && /[A-Za-z0-9]/.test(id) ? id : `${method}_${path}`;
  const name = written
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^[_.-]+|[_.-]+$/g, '')
    .slice(0, MAX_NAME_LENGTH);
  if (typeof id === 'string' && taken.has(name))
    faults.warn(
      below(at, 'operationId'),
      `occurs twice: "${id}" is the name of an earlier operation, so this one has a number at its end`,
      'Give each operation an operationId of its own.',
    );
  return name;
}

/** Returns the sentence, the description and the tags of an operation. */
function wordsOf(
  { summary, description, tags }: JsonObject,
  method: string,
  path: string,
): Pick<OperationEntry, 'summary' | 'description' | 'tags'> {
  const [text, long] = [textOf(summary).trim(), textOf(description).trim()];
  const [sentence = ''] = long.split(/\n|(?<=[.!?])\s/, 1);
  const first = [text, sentence].find((words) => words !== '') ?? `${method.toUpperCase()} ${path}`;
  const names = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return {
    summary: first,
    ...(long !== '' && long !== first && { description: long }),
    ...(names.length > 0 && { tags: [...new Set(names)] }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
