import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { pointerTo, pointerTokens, valueAt } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { errorMessage } from '../../lib/error-message.js';
import type { Place } from './document-task.js';
import type { FaultList } from './fault-list.js';

/** Maximum size of a document and of each file that it refers to, in bytes. */
const MAX_BYTES = 67_108_864;

export function below(place: Place, ...tokens: readonly (string | number)[]): Place {
  return { file: place.file, pointer: tokens.reduce<string>(pointerTo, place.pointer) };
}

/** A value of the document, and where it is. */
export interface Located<T = unknown> {
  readonly value: T;
  readonly at: Place;
}

/** The files of a document, parsed. */
export interface SourceFiles {
  readonly root: Located<JsonObject>;
  readonly files: readonly string[];
  /** Returns what a reference leads to, through other references; undefined, and a fault, if it leads nowhere. */
  readonly follow: (reference: string, at: Place) => Located | undefined;
  /** Returns the value, or what it refers to if it is an object with `$ref`. */
  readonly resolve: (value: unknown, at: Place) => Located | undefined;
  /** Does the same as `resolve`, and adds no fault. */
  readonly peek: (value: unknown, at: Place) => Located | undefined;
}

/**
 * Reads a document and the files below its folder that it refers to. Nothing is fetched. Returns undefined, and adds faults, if
 * the document cannot be read.
 */
export async function readDocument(file: string, faults: FaultList): Promise<SourceFiles | undefined> {
  const path = realPathOf(file, faults);
  if (path === undefined) return undefined;
  const values = await parseFiles(path, faults);
  const document = values?.get(path);
  if (!values) return undefined;
  if (!isJsonObject(document)) {
    faults.add({ file: path, pointer: '' }, 'is no OpenAPI document', NO_DOCUMENT_FIX);
    return undefined;
  }
  const follow = createFollow(values, faults);
  return {
    root: { value: document, at: { file: path, pointer: '' } },
    files: [...values.keys()],
    follow,
    resolve: resolveWith(follow),
    peek: resolveWith(createFollow(values, { add: () => undefined })),
  };
}

function resolveWith(follow: SourceFiles['follow']): SourceFiles['resolve'] {
  return (value, at) =>
    isJsonObject(value) && typeof value['$ref'] === 'string' ? follow(value['$ref'], at) : { value, at };
}

const NO_DOCUMENT_FIX = 'Name a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0, as JSON or YAML.';

/** Returns the path without symbolic links: references must stay below the folder of the real document. */
function realPathOf(file: string, faults: FaultList): string | undefined {
  try {
    const path = realpathSync(file);
    const { size } = statSync(path);
    if (size <= MAX_BYTES) return path;
    faults.add(
      { file, pointer: '' },
      `is larger than ${MAX_BYTES} bytes`,
      'Remove the operations that no caller needs.',
    );
  } catch (error) {
    faults.add(
      { file, pointer: '' },
      `cannot be read: ${errorMessage(error)}`,
      'Correct the path, or the rights of the file.',
    );
  }
  return undefined;
}

/** Parses the document and the files that it refers to, by their paths; undefined, and faults, if the document is malformed. */
async function parseFiles(path: string, faults: FaultList): Promise<Map<string, unknown> | undefined> {
  const parser = new $RefParser();
  const file = { order: 1, canRead: true, read: createRead(dirname(path)) };
  // A file that cannot be read is an error here only if an operation of interest needs it.
  await parser
    .resolve(path, { continueOnError: true, resolve: { http: false, file } })
    .catch(() => undefined);
  const values = new Map(
    Object.entries(parser.$refs.values())
      .filter(([, value]) => isJsonObject(value) && !((value as unknown) instanceof Error))
      .map(([name, value]) => [decodeURIComponent(name), value as unknown]),
  );
  if (values.has(path)) return values;
  faults.addMalformed(path);
  return undefined;
}

/** Creates the function that reads files, those below the folder alone. */
function createRead(folder: string): (file: { readonly url: string }) => Promise<Buffer> {
  return ({ url }) => {
    const target = realpathSync(decodeURIComponent(url));
    if (!isBelow(target, folder) || statSync(target).size > MAX_BYTES) throw new Error('is not to be read');
    return readFile(target);
  };
}

function isBelow(file: string, folder: string): boolean {
  const inside = relative(folder, file);
  return inside !== '' && !isAbsolute(inside) && inside.split(/[/\\]/)[0] !== '..';
}

/** Maximum number of references that lead to each other. */
const MAX_HOPS = 32;

function createFollow(
  values: ReadonlyMap<string, unknown>,
  faults: Pick<FaultList, 'add'>,
): SourceFiles['follow'] {
  return (reference, from) => {
    let next: { readonly reference: string; readonly at: Place } = { reference, at: from };
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const target = targetOf(next.reference, next.at);
      const found = target && lookUp(values, target);
      if (!found) {
        faults.add(below(next.at, '$ref'), messageOf(next.reference, target, values), REFERENCE_FIX);
        return undefined;
      }
      const { value } = found;
      if (!isJsonObject(value) || typeof value['$ref'] !== 'string') return found;
      next = { reference: value['$ref'], at: found.at };
    }
    faults.add(below(from, '$ref'), 'refers to itself', 'Let the reference lead to a value.');
    return undefined;
  };
}

const REFERENCE_FIX = 'Correct the reference, or put the file below the folder of the document.';

/** Returns the place that a reference names; undefined for one to another server, and for an anchor. */
function targetOf(reference: string, at: Place): Place | undefined {
  const [, file = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/s.exec(reference) ?? [];
  if (/^[a-z][a-z0-9+.-]+:/i.test(file) || (fragment !== '' && !fragment.startsWith('/'))) return undefined;
  try {
    const target = file === '' ? at.file : join(dirname(at.file), decodeURIComponent(file));
    return { file: target, pointer: decodeURIComponent(fragment) };
  } catch {
    return undefined;
  }
}

function lookUp(values: ReadonlyMap<string, unknown>, at: Place): Located | undefined {
  const document = values.get(at.file);
  const value = document === undefined ? undefined : valueAt(document, at.pointer);
  return value === undefined ? undefined : { value, at };
}

function messageOf(
  reference: string,
  target: Place | undefined,
  values: ReadonlyMap<string, unknown>,
): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(reference))
    return `refers to "${reference}"; documents of other servers are never fetched`;
  if (!target) return `refers to "${reference}", which is no JSON pointer`;
  const document = values.get(target.file);
  if (document === undefined)
    return `refers to "${reference}": the file does not exist, cannot be read, or is outside of the folder of the document`;
  const tokens = pointerTokens(target.pointer);
  const parent = valueAt(document, tokens.slice(0, -1).reduce<string>(pointerTo, ''));
  const names = isJsonObject(parent) ? Object.keys(parent) : [];
  return `refers to "${reference}", which does not exist${didYouMean(tokens.at(-1) ?? '', names)}`;
}
