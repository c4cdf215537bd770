import type { AdapterMethod } from '../../core/adapter-method.js';
import type {
  BoundOperation,
  Call,
  DescribedOperation,
  OperationRow,
  ToolTraits,
} from '../../core/operation.js';
import type { JsonSchema } from '../../core/schema.js';
import { pageQueryProperties } from '../../http/list-query.js';
import { PATH_TEXT } from '../../http/openapi-parameters.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import type { McpSettings } from '../../settings/mcp.js';
import type { ProposedCall } from '../tasks/approval.js';

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** An operation that agents may call. */
export interface Tool {
  readonly operation: BoundOperation;
  readonly traits: ToolTraits;
  readonly description: ToolDescription;
  /** True if a person must approve each call. */
  readonly isApproved: boolean;
  /** The method that the tool calls; absent for a tool that is an operation. */
  readonly method?: AdapterMethod;
  /** Reads the arguments, which the operation then validates; absent: they are the parts of its request, and valid by the description. */
  readonly read?: (sent: JsonObject) => ToolInput;
  /** Returns what a person is asked about a call, and throws the Problem of a call that would fail; absent: its arguments. */
  readonly propose?: (call: Call) => Pick<ProposedCall, 'title' | 'summary' | 'sent' | 'form'>;
}

/** Arguments of a tool, as the parts of a request. */
interface ToolInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: JsonObject | undefined;
  /** Argument that redeems an approval. */
  readonly approval: unknown;
}

export function isOffered(
  { name, row: { tool } }: DescribedOperation,
  { operations, actions }: Pick<McpSettings, 'operations' | 'actions'>,
): boolean {
  if (!tool || (tool.changes && actions === 'refused')) return false;
  return operations === null ? !tool.changes : operations.includes(name);
}

/**
 * Returns the tools that the settings offer, by name. Throws an Error for a bug in the definitions of operations: two have the same
 * name, one has two arguments of the same name, or one cannot be approved.
 */
export function createTools(
  operations: readonly BoundOperation[],
  settings: Pick<McpSettings, 'operations' | 'actions'>,
): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const operation of operations) {
    const { tool: traits } = operation.row;
    if (!traits || !isOffered(operation, settings)) continue;
    const isApproved = traits.changes && settings.actions === 'task';
    const plain = describeTool(operation, traits);
    const description = isApproved ? withApproval(plain) : plain;
    if (tools.has(description.name)) throw new Error(`two operations are the tool ${description.name}`);
    if (isApproved && !traits.addressedCall)
      throw new Error(`${description.name} has no call that a person could approve`);
    tools.set(description.name, { operation, traits, description, isApproved });
  }
  return tools;
}

/** Name of the argument with which the proposer of a call redeems its approval. */
export const APPROVAL = 'approval';

/** Schema of the argument {@link APPROVAL}. */
export const APPROVAL_SCHEMA: JsonSchema = {
  type: 'string',
  maxLength: 256,
  description:
    'Leave out to ask a person to approve this call. Then call again with the same arguments, and with the text that the answer named; it is not a consent of yours.',
};

/** Returns the description of a tool whose calls a person approves. Throws an Error if it has such an argument already. */
function withApproval({ inputSchema, ...description }: ToolDescription): ToolDescription {
  const properties = inputSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  if (APPROVAL in properties) throw new Error(`${description.name} has an argument ${APPROVAL}`);
  return {
    ...description,
    description: `${description.description} A person must approve each call.`,
    inputSchema: { ...inputSchema, properties: { ...properties, [APPROVAL]: APPROVAL_SCHEMA } },
  };
}

/** Returns the description of an operation as a tool. Throws an Error if two of its arguments have the same name. */
export function describeTool(operation: DescribedOperation, traits: ToolTraits): ToolDescription {
  const { id, summary, description } = operation.row;
  const title = summary.replace(/\.$/, '');
  return {
    // The names of tools have letters, digits, "_", "-" and ".", and at most 128 of them.
    name: id.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 128),
    title,
    description: description === undefined ? summary : `${summary} ${description}`,
    inputSchema: inputSchemaOf(operation),
    annotations: {
      title,
      readOnlyHint: !traits.changes,
      destructiveHint: traits.changes,
      idempotentHint: !traits.changes,
      openWorldHint: traits.callsOrchestrators,
    },
  };
}

/** The arguments are the path parameters, the parameters of the query, and the members of the body. */
function inputSchemaOf(operation: DescribedOperation): ToolDescription['inputSchema'] {
  const { row } = operation;
  const ofPath = pathParameterNames(operation).map(
    (name) => [name, row.pathParameters?.[name] ?? pathText(name)] as const,
  );
  const members = [...ofPath, ...queryPropertiesOf(row), ...propertiesOf(row.body)];
  const names = members.map(([name]) => name);
  const [twice] = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${operation.name} has two arguments ${twice}`);
  return {
    type: 'object',
    required: [...ofPath.map(([name]) => name), ...requiredOf(row.query), ...requiredOf(row.body)],
    additionalProperties: false,
    properties: Object.fromEntries(members),
  };
}

function pathText(name: string): JsonSchema {
  const isAdapter = name === 'adapterId';
  return { ...PATH_TEXT, ...(isAdapter && { description: 'Id of the adapter: the name in getAdapters' }) };
}

function pathParameterNames({ paths: [path = ''] }: DescribedOperation): readonly string[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);
}

function propertiesOf(schema: JsonSchema | undefined): readonly (readonly [string, JsonSchema])[] {
  const properties: unknown = schema?.['properties'];
  return isJsonObject(properties) ? Object.entries(properties as Record<string, JsonSchema>) : [];
}

/** The default limit of lists is for programs; an agent gets a page. */
function queryPropertiesOf({ query, list }: OperationRow): readonly (readonly [string, JsonSchema])[] {
  const { limit } = pageQueryProperties;
  return propertiesOf(query).map(([name, schema]) => [name, list && name === 'limit' ? limit : schema]);
}

function requiredOf(schema: JsonSchema | undefined): readonly string[] {
  return (schema?.['required'] as readonly string[] | undefined) ?? [];
}

/** Returns the parts of a request from arguments that are valid against the schema of the tool, or from those of a method. */
export function readArguments({ operation, isApproved, read }: Tool, sent: JsonObject): ToolInput {
  if (read) return read(sent);
  const ofPath = new Set(pathParameterNames(operation));
  const ofQuery = new Set(propertiesOf(operation.row.query).map(([name]) => name));
  const entries = Object.entries(sent);
  const select = (isPart: (name: string) => boolean) => entries.filter(([name]) => isPart(name));
  const texts = (names: ReadonlySet<string>) =>
    select((name) => names.has(name)).map(([name, value]): [string, string] => [name, textOf(value)]);
  return {
    params: Object.fromEntries(texts(ofPath)),
    query: new URLSearchParams(texts(ofQuery)),
    body: operation.row.body
      ? Object.fromEntries(
          select((name) => !ofPath.has(name) && !ofQuery.has(name) && !(isApproved && name === APPROVAL)),
        )
      : undefined,
    approval: isApproved ? sent[APPROVAL] : undefined,
  };
}

/** Returns an argument as text; empty for an object or a list, which are never valid here and may have no text form. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? `${value as string | number | boolean}`
    : '';
}

/** Returns the path of the same call over HTTP, also for arguments that are not valid. */
export function pathOf({ operation }: Tool, { params }: Pick<ToolInput, 'params'>): string {
  const [path = ''] = operation.paths;
  return path.replaceAll(/:([^/]+)/g, (_match, name: string) => encodeSegment(params[name] ?? ''));
}

/** Maximum length of a segment in logs and records, in characters. */
const MAX_SEGMENT_LENGTH = 1024;

function encodeSegment(text: string): string {
  // The buffer replaces lone surrogates, for which there is no encoding.
  return encodeURIComponent(Buffer.from(text.slice(0, MAX_SEGMENT_LENGTH)).toString());
}
