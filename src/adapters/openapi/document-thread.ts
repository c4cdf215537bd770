import { createHash } from 'node:crypto';
import { objectOf } from '../../json/json-object.js';
import { closestName } from '../../lib/closest-name.js';
import { matchesName } from '../../lib/name-pattern.js';
import { serveThread } from '../../lib/thread-pool.js';
import { declaredBody, planBody } from './convert-body.js';
import { implied, parametersOf, planParameters } from './convert-parameters.js';
import { repliesOf } from './convert-replies.js';
import { SchemaConverter } from './convert-schema.js';
import type {
  Definition,
  DocumentInfo,
  DocumentResult,
  DocumentTask,
  MethodEntry,
  TextRange,
  CallPlan,
  MethodText,
} from './document-task.js';
import { FaultList } from './fault-list.js';
import { type ConvertDeps, InputSchema } from './input-schema.js';
import {
  type FoundOperation,
  infoOf,
  listOperations,
  versionOf,
  warnOfOtherServer,
} from './list-operations.js';
import { readDocument, type SourceFiles } from './read-document.js';

/** Collects texts as one sequence of bytes. */
class TextWriter {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  add(value: unknown): TextRange {
    const piece = Buffer.from(JSON.stringify(value));
    const from = this.#length;
    this.#pieces.push(piece);
    this.#length += piece.length;
    return [from, this.#length];
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

const NO_INFO: DocumentInfo = {
  version: '',
  title: '',
  servers: [],
  securitySchemes: {},
  queryParameters: [],
};

/** Reads a document: its operations, and the methods that the task chooses. */
async function runTask(task: DocumentTask): Promise<DocumentResult> {
  const faults = new FaultList();
  const nothing = {
    unmatched: [],
    files: [task.file],
    info: NO_INFO,
    operations: [],
    methods: [],
    requestDefinitions: [],
    replyDefinitions: [],
    text: new Uint8Array(0),
  };
  try {
    const source = await readDocument(task.file, faults);
    const version = source && versionOf(source.root, faults);
    if (!source || version === undefined) return { ...nothing, faults: faults.located() };
    const found = listOperations(source, faults);
    const files = [...new Set([task.file, ...source.files])];
    const info = { ...infoOf(source.root, version), queryParameters: queryParameters(found, source) };
    const operations = found.map(({ entry }) => entry);
    const names = operations.map(({ name }) => name);
    const unmatched = task.methods.flatMap((pattern, at) =>
      names.some((name) => matchesName(pattern, name))
        ? []
        : [{ at, suggestion: closestName(pattern, names) ?? '' }],
    );
    const chosen = found.filter(({ entry: { name } }) =>
      task.methods.some((pattern) => matchesName(pattern, name)),
    );
    const converted = convertAll(chosen, { source, version, task, faults });
    const all = faults.located();
    return {
      ...nothing,
      faults: all,
      files,
      info,
      operations,
      unmatched,
      ...(!faults.hasFaults && converted),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.add({ file: task.file, pointer: '' }, 'is nested too deeply', 'Name a flatter document.');
    return { ...nothing, faults: faults.located() };
  }
}

interface Conversion {
  readonly source: SourceFiles;
  readonly version: string;
  readonly task: DocumentTask;
  readonly faults: FaultList;
}

type Converted = Pick<DocumentResult, 'methods' | 'requestDefinitions' | 'replyDefinitions' | 'text'>;

function convertAll(
  chosen: readonly FoundOperation[],
  { source, version, task, faults }: Conversion,
): Converted {
  const [request, reply] = [
    new SchemaConverter('request', source, faults),
    new SchemaConverter('reply', source, faults),
  ];
  const ownNames = withCredentials(task.ownNames, infoOf(source.root, version).securitySchemes);
  const deps = { source, version, ownNames, request, reply, faults };
  const writer = new TextWriter();
  const texts = chosen.map((operation) => convertOperation(operation, deps));
  const [requests, replies] = [new DefinitionWriter(writer), new DefinitionWriter(writer)];
  requests.addAll(request);
  replies.addAll(reply);
  const methods = chosen.map(({ entry: { method: _method, path: _path, ...entry } }, index): MethodEntry => {
    const text = texts[index];
    const digest = createHash('sha256').update(JSON.stringify([entry, text]));
    for (const use of requests.closure(text?.inputUses ?? [])) digest.update(requests.digestOf(use));
    for (const use of replies.closure(text?.output?.uses ?? [])) digest.update(replies.digestOf(use));
    return { ...entry, at: writer.add(text), digest: digest.digest('base64url') };
  });
  return {
    methods,
    requestDefinitions: requests.all(),
    replyDefinitions: replies.all(),
    text: writer.bytes(),
  };
}

/** Adds the parameters of security schemes: credentials come from the adapter alone. */
function withCredentials(
  { headers, parameters, cookies }: DocumentTask['ownNames'],
  schemes: DocumentInfo['securitySchemes'],
): DocumentTask['ownNames'] {
  const namesIn = (place: string): readonly string[] =>
    Object.values(schemes)
      .map(objectOf)
      .filter((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === place)
      .map(({ name }) => String(name).toLowerCase());
  return {
    headers: [...headers, ...namesIn('header')],
    parameters: [...parameters, ...namesIn('query')],
    cookies: [...cookies, ...namesIn('cookie')],
  };
}

/** Writes definitions, and knows which of them others need. */
class DefinitionWriter {
  readonly #writer: TextWriter;
  readonly #definitions = new Map<string, Definition & { readonly digest: string }>();

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  addAll(converter: SchemaConverter): void {
    for (const { name, schema, uses } of converter.takeDefinitions()) {
      const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64url');
      this.#definitions.set(name, { name, at: this.#writer.add(schema), uses, digest });
    }
  }

  all(): readonly Definition[] {
    return [...this.#definitions.values()].map(({ name, at, uses }) => ({ name, at, uses }));
  }

  digestOf(name: string): string {
    return this.#definitions.get(name)?.digest ?? '';
  }

  /** Returns the names, and all names that their definitions lead to, in a fixed order. */
  closure(names: readonly string[]): readonly string[] {
    const found = new Set<string>();
    const pending = [...names];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      pending.push(...(this.#definitions.get(next)?.uses ?? []));
    }
    return [...found].sort();
  }
}

/** Returns the names of the query parameters of operations that read, each once. */
function queryParameters(found: readonly FoundOperation[], source: SourceFiles): readonly string[] {
  const names = found
    .filter(({ entry }) => entry.method === 'GET')
    .flatMap(({ operation, pathItem }) => [operation, pathItem])
    .flatMap(({ value, at }) =>
      (Array.isArray(value['parameters']) ? value['parameters'] : []).map((one: unknown) =>
        objectOf(source.peek(one, at)?.value),
      ),
    )
    .flatMap((parameter) => (parameter['in'] === 'query' ? [String(parameter['name'])] : []));
  return [...new Set(names)];
}

serveThread(runTask, ({ text }) => [text.buffer]);

/** Converts an operation to the schema of its arguments, that of its result, and the plan of its request. */
function convertOperation(found: FoundOperation, shared: Omit<ConvertDeps, 'inputs'>): MethodText {
  const { entry, operation } = found;
  const inputs = new InputSchema();
  const deps = { ...shared, inputs };
  warnOfOtherServer(found, deps);
  const declared = parametersOf(found, deps);
  const parameters = planParameters(declared, deps);
  const others = implied(found, parameters, deps);
  const body = planBody(declaredBody(operation, declared, deps), deps);
  const { accept, output } = repliesOf(operation, deps);
  const plan: CallPlan = {
    method: entry.method,
    path: entry.path,
    accept,
    parameters: [...parameters, ...others],
    ...(body && { body }),
  };
  return { plan, input: inputs.schema(), inputUses: inputs.uses(), ...(output && { output }) };
}
