import type { SchemaSubtree } from '../../../src/form-model/schema-subtrees.js';
import { request } from './request.js';

/** Reply of the operations that return parts of a schema. */
interface Subtrees {
  readonly subtrees: readonly SchemaSubtree[];
  readonly truncated: boolean;
}

/** Returns the function that loads parts of a schema from a path, with a query. It throws an ApiProblem. */
export function loadSubtreesFrom(
  path: string,
): (query: Readonly<Record<string, string>>) => Promise<Subtrees> {
  return async (query) =>
    (await request<Subtrees>({ path: `${path}?${new URLSearchParams(query).toString()}` })).data;
}
