import type { LocatedFault, FaultText } from '../../core/fault.js';
import type { LimitRule, LimitSettings } from '../../core/limits.js';
import { pointerTo } from '../../json/pointer.js';
import { matchesName } from '../../lib/name-pattern.js';
import { MCP_OPERATION } from '../../settings/mcp.js';
import { unknownOperation } from './check-operations.js';

/** Returns the faults of the key `limits`: limits that limit nothing, and names that are not operations. */
export function checkLimits(
  limits: LimitSettings,
  operationNames: readonly string[],
): readonly LocatedFault[] {
  return Object.entries(limits).flatMap(([name, rule]) =>
    [...ruleFaults(rule), ...operationFaults(rule, operationNames)].map((fault) => ({
      ...fault,
      pointer: pointerTo('/limits', name) + fault.pointer,
      code: 'limits',
    })),
  );
}

type RuleFault = FaultText & { readonly pointer: string };

function ruleFaults({ per, roles, requests, burst, concurrent }: LimitRule): readonly RuleFault[] {
  return [
    ...(requests === null && concurrent === null
      ? [
          {
            pointer: '',
            message: 'limits nothing: it has neither requests nor concurrent',
            fix: 'Write requests, for example requests: 100, or concurrent, for example concurrent: 5.',
          },
        ]
      : []),
    ...(requests === null && burst !== null
      ? [
          {
            pointer: '/burst',
            message: 'has no effect without requests',
            fix: 'Write requests as well, or remove burst.',
          },
        ]
      : []),
    ...(per === 'role' && roles.length === 0
      ? [
          {
            pointer: '/per',
            message: 'needs the roles to count',
            fix: 'List them, for example roles: [engineering]. Each role has a count of its own.',
          },
        ]
      : []),
  ];
}

function operationFaults({ operations }: LimitRule, operationNames: readonly string[]): readonly RuleFault[] {
  return operations.flatMap((pattern, at) => {
    if ([...operationNames, MCP_OPERATION].some((name) => matchesName(pattern, name))) return [];
    const pointer = `/operations/${at}`;
    if (!pattern.includes('*')) return [{ pointer, ...unknownOperation(pattern, operationNames) }];
    const applications = [...new Set(operationNames.map((name) => name.split('.')[0]))].join(', ');
    return [
      {
        pointer,
        message: 'matches no operation',
        fix: `Write APPLICATION.OPERATION or a pattern such as orchestrator-manager.*. The applications are ${applications}.`,
      },
    ];
  });
}
