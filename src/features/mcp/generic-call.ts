import type { BoundOperation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonObject } from '../../json/json-object.js';
import { didYouMean } from '../../lib/closest-name.js';
import type { McpSettings } from '../../settings/mcp.js';
import { FIND_TOOL } from './find-methods.js';
import type { OfferedMethod } from './offered-methods.js';
import { APPROVAL, APPROVAL_SCHEMA, type ToolDescription } from './tools.js';

export const CALL_TOOL = 'call_method';

/** Returns the description of the tool that calls any offered method. */
export function callToolDescription(actions: McpSettings['actions']): ToolDescription {
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
export function refusedCall(
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
