import type { SchemaError } from '../../../../../src/core/schema-engine.js';
import { valueAt } from '../../../../../src/json/pointer.js';
import type { RowError } from '../types.js';

/** Maximum number of member errors in the message of a union; with more, the message is the union's own. */
const MAX_UNION_ERRORS = 4;

/** An error with the location of its keyword. */
export interface FoundError {
  readonly rowError: RowError;
  readonly schemaPath: string;
}

/**
 * Returns the errors with those of a union, whose branches precede it: the errors of the branch that a member selects,
 * otherwise one error for the union.
 */
export function withUnionError(found: readonly FoundError[], union: FoundError): readonly FoundError[] {
  const prefix = `${union.schemaPath}/`;
  const inBranches = found.filter(({ schemaPath }) => schemaPath.startsWith(prefix));
  const branches = new Map<string, FoundError[]>();
  for (const error of inBranches) {
    const [index = ''] = error.schemaPath.slice(prefix.length).split('/');
    branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  const selected = [...branches.values()].filter((errors) => !errors.some(isOfSelector));
  const [only] = selected;
  if (only && selected.length === 1 && branches.size > 1) {
    const others = new Set(inBranches.filter((error) => !only.includes(error)));
    return found.filter((error) => !others.has(error));
  }
  const rowErrors = found.map(({ rowError }) => rowError);
  const rowError = unionError(rowErrors, union.rowError);
  return [...found.slice(0, rowErrors.length), { ...union, rowError }];
}

/**
 * Returns the errors of one location without those of the branches of a union that a member does not select. A check of
 * one location has no error of the union itself: the value is wrong only if each branch refuses it.
 */
export function withoutOtherBranches(
  schema: unknown,
  errors: readonly SchemaError[],
): readonly SchemaError[] {
  const refusing = new Map<string, Set<string>>();
  for (const { keyword, schemaPath } of errors) {
    const { union, branch } = branchOf(keyword, schemaPath) ?? {};
    if (union !== undefined && branch !== undefined)
      refusing.set(union, (refusing.get(union) ?? new Set()).add(branch));
  }
  if (refusing.size === 0) return errors;
  const isOfOtherBranch = ({ keyword, schemaPath }: SchemaError): boolean => {
    const { union } = branchOf(keyword, schemaPath) ?? {};
    const branches = union === undefined ? undefined : valueAt(schema, union);
    return Array.isArray(branches) && (refusing.get(union ?? '')?.size ?? 0) < branches.length;
  };
  return errors.filter((error) => !isOfOtherBranch(error));
}

/** Returns the union and the branch of an error of a member whose value selects a branch. */
function branchOf(
  keyword: string,
  schemaPath: string,
): { readonly union: string; readonly branch: string } | undefined {
  if (keyword !== 'const' && keyword !== 'enum') return undefined;
  const found = /^(\/(?:.*\/)?(?:oneOf|anyOf))\/(\d+)\/properties\/[^/]+\/(?:const|enum)$/.exec(schemaPath);
  const [, union, branch] = found ?? [];
  return union === undefined || branch === undefined ? undefined : { union, branch };
}

/** Returns true for an error of a member whose value selects a branch. */
function isOfSelector({ schemaPath, rowError }: FoundError): boolean {
  return branchOf(rowError.keyword, schemaPath) !== undefined;
}

/** Returns one error for a union. Removes the errors of its members, which precede it, from the list. */
function unionError(rowErrors: RowError[], union: RowError): RowError {
  const firstMember = rowErrors.findLastIndex(({ pointer }) => pointer !== union.pointer) + 1;
  const causes = rowErrors.splice(firstMember);
  return causes.length === 0 || causes.length > MAX_UNION_ERRORS ? union : { ...union, causes };
}
