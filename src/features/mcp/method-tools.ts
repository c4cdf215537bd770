import { CALL_METHOD, calledMethod, callPath } from '../../core/adapter-method.js';
import type { BoundOperation, Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import { didYouMean } from '../../lib/closest-name.js';
import { oneLine } from '../../lib/one-line.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import type { McpSettings } from '../../settings/mcp.js';
import { createSearchTool, FIND_TOOL } from './find-methods.js';
import { inputSize } from './input-size.js';
import {
  admittedMethods,
  methodOfTool,
  type OfferedMethod,
  type OfferedMethodsDeps,
  offeredMethods,
} from './offered-methods.js';
import { APPROVAL, APPROVAL_SCHEMA, type Tool, type ToolDescription } from './tools.js';

/** Tools that call methods of adapters. They change while the server runs. */
export interface MethodTools {
  /** Returns the tools of the methods that the access rules admit for a caller. */
  readonly list: (principal: Principal | undefined, signal: CancelSignal) => Promise<readonly Tool[]>;
  /** Returns the tool of a call with these arguments; undefined if no method has a tool of this name. */
  readonly find: (name: string, sent: JsonObject, signal: CancelSignal) => Promise<Tool | undefined>;
}

interface MethodToolsDeps extends OfferedMethodsDeps {
  readonly call: BoundOperation;
}

/** Largest number of tools of one adapter. An agent searches the methods of an adapter with more of them. */
const MAX_TOOLS = 100;
/** Largest size of the schemas of the tools of one adapter, in characters. */
const MAX_SCHEMAS = 262_144;

/** Creates the tools of methods: one for each, or two that search and call, for adapters with very many of them. */
export function createMethodTools(deps: MethodToolsDeps): MethodTools {
  const search = createSearchTool(deps);
  return {
    async list(principal, signal) {
      const adapters = await offeredMethods(deps, signal);
      const admitted = adapters.map((adapter) => admittedMethods(adapter, principal));
      const own = admitted.map((methods) => (mayHaveTools(methods) ? methods.filter(hasPlainNames) : []));
      const tools = own.flat().map((offered) => methodTool(deps, offered));
      if (own.flat().length === admitted.flat().length) return tools;
      return [...tools, search, genericTool(deps)];
    },
    async find(name, sent, signal) {
      if (deps.settings.adapters.length === 0) return undefined;
      if (name === FIND_TOOL) return search;
      if (name === CALL_TOOL) return calledTool(deps, sent, signal);
      const offered = await methodOfTool(deps, name, signal);
      return offered && methodTool(deps, offered);
    },
  };
}

function mayHaveTools(methods: readonly OfferedMethod[]): boolean {
  if (methods.length > MAX_TOOLS) return false;
  return methods.reduce((sum, { method }) => sum + (inputSize(method) ?? Infinity), 0) <= MAX_SCHEMAS;
}

/** Returns true if models accept the names of the arguments: the interfaces of some refuse all tools for one other name. */
function hasPlainNames({ method: { input } }: OfferedMethod): boolean {
  return Object.keys(propertiesOf(input)).every((name) => /^[\w.-]{1,64}$/.test(name));
}

function propertiesOf({ properties = {} }: JsonSchema): Readonly<Record<string, unknown>> {
  return properties as Readonly<Record<string, unknown>>;
}

function methodTool(deps: MethodToolsDeps, offered: OfferedMethod): Tool {
  const { method } = offered;
  const properties = propertiesOf(method.input);
  // A method may have an argument of this name.
  const approvalName = Object.hasOwn(properties, APPROVAL) ? `gatehouse_${APPROVAL}` : APPROVAL;
  const tool = boundTool(deps, offered);
  const description = describeMethod(offered);
  if (!tool.isApproved) return { ...tool, description, read: (sent) => inputOf(offered, sent, undefined) };
  return {
    ...tool,
    description: {
      ...description,
      description: `${description.description} A person must approve each call.`,
      inputSchema: {
        ...description.inputSchema,
        properties: { ...propertiesOf(description.inputSchema), [approvalName]: APPROVAL_SCHEMA },
      },
    },
    read: ({ [approvalName]: approval, ...args }) => inputOf(offered, args, approval),
  };
}

/** Maximum length of the text about a tool, in characters. */
const MAX_TEXT = 2000;

function describeMethod({ adapterId, method, tool }: OfferedMethod): ToolDescription {
  const { name, summary, description = '', input, effect } = method;
  const title = oneLine(`${adapterId}.${name}`, 256);
  const isRead = effect === 'read';
  // Clients accept no schema that is true or false here.
  const properties = Object.entries(propertiesOf(input)).map(([key, schema]) => [
    key,
    isJsonObject(schema) ? schema : {},
  ]);
  return {
    name: tool,
    title,
    description: oneLine(`Method ${name} of the adapter ${adapterId}. ${summary} ${description}`, MAX_TEXT),
    inputSchema: { ...input, type: 'object', properties: Object.fromEntries(properties) },
    annotations: {
      title,
      readOnlyHint: isRead,
      destructiveHint: !isRead,
      idempotentHint: isRead,
      openWorldHint: true,
    },
  };
}

/** Returns the tool that calls any method, as the list shows it. */
function genericTool({ call, settings }: MethodToolsDeps): Tool {
  return {
    operation: call,
    traits: { changes: settings.actions !== 'refused', callsOrchestrators: true, narrow: NARROW },
    description: callToolDescription(settings.actions),
    isApproved: false,
  };
}

/** Returns the generic tool for a call with these arguments. */
async function calledTool(deps: MethodToolsDeps, sent: JsonObject, signal: CancelSignal): Promise<Tool> {
  const { adapter, method: name } = sent;
  const adapters = await offeredMethods(deps, signal, (id) => id === adapter);
  const methods = adapters.flatMap(({ methods: offered }) => offered);
  const found = methods.find(({ method }) => method.name === name);
  const generic = genericTool(deps);
  if (!found) return { ...generic, operation: refusedCall(deps.call, sent, methods), read: () => NO_INPUT };
  return {
    ...boundTool(deps, found),
    description: generic.description,
    read: ({ arguments: args, approval }) => inputOf(found, isJsonObject(args) ? args : {}, approval),
  };
}

const NO_INPUT = { params: {}, query: new URLSearchParams(), body: {}, approval: undefined };
const NARROW = 'Ask for less with the arguments of the method, if it has such.';

function inputOf({ adapterId, method }: OfferedMethod, body: JsonObject, approval: unknown) {
  return { params: { adapterId, method: method.name }, query: new URLSearchParams(), body, approval };
}

/** Maximum size of a schema that becomes a form for a person, in characters. */
const MAX_FORM = 65_536;

function boundTool(
  { call: operation, settings, methodArguments }: MethodToolsDeps,
  { adapterId, method }: OfferedMethod,
): Pick<Tool, 'operation' | 'traits' | 'isApproved' | 'method' | 'propose'> {
  const changes = method.effect !== 'read';
  const through = {
    adapterId,
    operation: CALL_BY_NAME,
    method: CALL_METHOD,
    path: callPath(method.name),
    called: calledMethod(method),
  } as const;
  return {
    operation,
    traits: { changes, callsOrchestrators: true, narrow: NARROW, addressedCall: () => through },
    isApproved: changes && settings.actions === 'task',
    method,
    propose({ body }: Call) {
      const data = methodArguments(method, isJsonObject(body) ? body : {});
      const size = inputSize(method) ?? Infinity;
      return {
        title: `${adapterId}.${method.name}`,
        summary: method.summary,
        sent: { adapterId, method: method.name, arguments: data },
        form: size <= MAX_FORM ? { schema: method.input, data } : undefined,
      };
    },
  };
}

const CALL_TOOL = 'call_method';

function callToolDescription(actions: McpSettings['actions']): ToolDescription {
  const changes = actions !== 'refused';
  const title = 'Call a method of an adapter';
  const approval =
    actions === 'task' ? ' A person must approve each call of a method that changes something.' : '';
  return {
    name: CALL_TOOL,
    title,
    description: `Call a method of an adapter that has no tool of its own. ${FIND_TOOL} finds it, and shows the schema of its arguments.${approval}`,
    inputSchema: {
      type: 'object',
      required: ['adapter', 'method'],
      additionalProperties: false,
      properties: {
        adapter: { type: 'string', description: `The adapter, as ${FIND_TOOL} names it` },
        method: { type: 'string', description: 'The name of the method' },
        arguments: { type: 'object', description: 'The arguments, by the schema `input` of the method' },
        ...(actions === 'task' && { [APPROVAL]: APPROVAL_SCHEMA }),
      },
    },
    annotations: {
      title,
      readOnlyHint: !changes,
      destructiveHint: changes,
      idempotentHint: !changes,
      openWorldHint: true,
    },
  };
}

/** Returns the operation for a call of a method that is not offered: it throws the Problem that says so. */
function refusedCall(
  call: BoundOperation,
  { adapter, method }: JsonObject,
  methods: readonly OfferedMethod[],
): BoundOperation {
  const [shownAdapter, shownMethod] = [adapter, method].map((name) =>
    JSON.stringify(name ?? null).slice(0, 300),
  );
  const names = methods.map(({ method: { name } }) => name);
  const suggestion = typeof method === 'string' ? didYouMean(method, names) : '';
  const detail = `the adapter ${shownAdapter} offers agents no method ${shownMethod}${suggestion}`;
  return {
    ...call,
    handle() {
      throw new Problem('adapter_method_not_found', detail, { advice: `Search it with ${FIND_TOOL}.` });
    },
  };
}
