import { closestName } from '../../lib/closest-name.js';
import type { AccessOperation } from './access-explanation.js';

/** The operation that a name means, or why it means none. */
type FoundOperation =
  | { readonly operation: AccessOperation }
  /** Predicate for the name: `is no operation; did you mean "..."?` */
  | { readonly reason: string };

/** Finds an operation by its name, or by the part after the dot if only one operation has it. */
export function findOperation(name: string, operations: readonly AccessOperation[]): FoundOperation {
  const exact = operations.find((operation) => operation.name === name);
  if (exact) return { operation: exact };
  const [only, ...others] = operations.filter((operation) => ownName(operation) === name);
  if (only && others.length === 0) return { operation: only };
  if (only) {
    const all = [only, ...others].map((operation) => operation.name).join(', ');
    return { reason: `is the name of several operations: ${all}` };
  }
  const similar =
    closestName(
      name,
      operations.map((operation) => operation.name),
    ) ??
    operations.find((operation) => ownName(operation) === closestName(name, operations.map(ownName)))?.name;
  return { reason: `is no operation${similar === undefined ? '' : `; did you mean "${similar}"?`}` };
}

function ownName({ name }: AccessOperation): string {
  return name.slice(name.indexOf('.') + 1);
}
