import type { LocatedFault } from '../../core/fault.js';
import type { DescribedOperation } from '../../core/operation.js';
import { didYouMean } from '../../lib/closest-name.js';
import type { McpSettings } from '../../settings/mcp.js';
import { isOffered } from './tools.js';

/**
 * Returns the faults of `mcp`, relative to the main file: operations that are never offered as tools, and tasks without the
 * pages on which people approve them.
 */
export function mcpFaults(
  { operations, actions }: McpSettings,
  rows: readonly DescribedOperation[],
  isConsoleServed: boolean,
): readonly LocatedFault[] {
  const withoutPages: LocatedFault = {
    pointer: '/mcp/actions',
    code: 'mcp',
    message:
      'is task, but console.enabled is false, so there is no page on which a person could approve a call',
    fix: 'Set console.enabled to true, or mcp.actions to refused.',
  };
  const isUnanswered = actions === 'task' && !isConsoleServed;
  return [...(isUnanswered ? [withoutPages] : []), ...operationFaults({ operations, actions }, rows)];
}

function operationFaults(
  { operations, actions }: Pick<McpSettings, 'operations' | 'actions'>,
  rows: readonly DescribedOperation[],
): readonly LocatedFault[] {
  const tools = rows.filter(({ row }) => row.tool).map(({ name }) => name);
  return (operations ?? []).flatMap((name, index) => {
    const operation = rows.find((row) => row.name === name);
    if (operation && isOffered(operation, { operations, actions })) return [];
    const pointer = `/mcp/operations/${index}`;
    if (operation?.row.tool)
      return [
        {
          pointer,
          code: 'mcp',
          message: `is not offered: ${name} may change something, and mcp.actions is ${actions}`,
          fix: 'Remove the operation, or set mcp.actions to task or allowed.',
        },
      ];
    const message = operation
      ? `is not a tool: agents cannot call ${name}`
      : `is no operation${didYouMean(name, tools)}`;
    return [{ pointer, code: 'mcp', message, fix: `Write one of ${tools.join(', ')}.` }];
  });
}
