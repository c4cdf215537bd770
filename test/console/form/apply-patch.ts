import { type Json, type PatchOperation, plainValue } from '../../../console/src/form/model/index.js';

type Loose = Record<string, unknown>;

/** RFC 6902, as simply as it can be written. */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const top = { document: structuredClone(document) } as Loose;
  for (const operation of operations) {
    if (operation.op === 'move') put(top, operation.path, take(top, operation.from));
    else if (operation.op === 'remove') take(top, operation.path);
    else {
      if (operation.op === 'replace') take(top, operation.path);
      put(top, operation.path, structuredClone(plainValue(operation.value)));
    }
  }
  return top['document'];
}

/** RFC 7396, as simply as it can be written. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as Loose) } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, name);
    else result[name] = applyMergePatch(result[name], value);
  }
  return result;
}

/** Converts a value to the result of `JSON.parse`. */
export function plain(value: Json | undefined): unknown {
  return value === undefined ? undefined : plainValue(value);
}

function holder(top: Loose, path: string): readonly [Loose | unknown[], string] {
  const tokens = [
    'document',
    ...path
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')),
  ];
  const last = tokens.pop() ?? '';
  let at: unknown = top;
  for (const token of tokens) at = (at as Loose)[token];
  return [at as Loose, last];
}

function take(top: Loose, path: string): unknown {
  const [at, token] = holder(top, path);
  if (Array.isArray(at)) return at.splice(Number(token), 1)[0];
  const value = at[token];
  Reflect.deleteProperty(at, token);
  return value;
}

function put(top: Loose, path: string, value: unknown): void {
  const [at, token] = holder(top, path);
  if (Array.isArray(at)) at.splice(Number(token), 0, value);
  else at[token] = value;
}
