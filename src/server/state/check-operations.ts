import type { LocatedFault, FaultText } from '../../core/fault.js';
import { pointerTo } from '../../json/pointer.js';
import { closestName } from '../../lib/closest-name.js';
import type { Settings } from '../../settings/settings.js';

/** Returns faults for names in the key `roles` that are not operations. */
export function checkRoles(
  roles: Settings['roles'],
  operationNames: readonly string[],
): readonly LocatedFault[] {
  const unknown = Object.keys(roles).filter((name) => !operationNames.includes(name));
  return unknown.map((name) => ({
    pointer: pointerTo('/roles', name),
    code: 'roles',
    ...unknownOperation(name, operationNames),
  }));
}

/** Returns the message and the fix of a fault for a name that is not an operation. */
export function unknownOperation(name: string, operationNames: readonly string[]): FaultText {
  const similar = similarOperation(name, operationNames);
  return {
    message: `there is no such operation${similar === undefined ? '' : `; did you mean "${similar}"?`}`,
    fix: operationsAdvice(name, operationNames, similar),
  };
}

/** Returns the operation whose name is similar, also if the name lacks the application before the dot. */
function similarOperation(name: string, operationNames: readonly string[]): string | undefined {
  const similar = closestName(name, operationNames);
  if (similar !== undefined || name.includes('.')) return similar;
  const own = closestName(name, operationNames.map(ownName));
  return operationNames.find((operation) => ownName(operation) === own);
}

function ownName(operation: string): string {
  return operation.slice(operation.indexOf('.') + 1);
}

/** Returns how to write the operation: those of the named application, if they are few, else all applications. */
function operationsAdvice(
  name: string,
  operationNames: readonly string[],
  similar: string | undefined,
): string {
  const siblings = operationNames.filter((operation) => applicationOf(operation) === applicationOf(name));
  if (siblings.length > 0 && siblings.length <= MAX_LISTED_OPERATIONS)
    return `The application ${applicationOf(name)} has the operations ${siblings.map(ownName).join(', ')}.`;
  const example = similar ?? 'orchestrator-manager.restQuery';
  const applications = [...new Set(operationNames.map(applicationOf))].join(', ');
  const listed = similar === undefined ? ` The applications are ${applications}.` : '';
  return `Write APPLICATION.OPERATION, for example ${example}.${listed}`;
}

function applicationOf(operation: string): string {
  return operation.split('.')[0] ?? '';
}

/** Maximum number of operations in one sentence. */
const MAX_LISTED_OPERATIONS = 20;
