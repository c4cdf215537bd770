import { type AdapterMethod, withDocumentDigest } from '../../core/adapter-method.js';
import type { JsonSchema } from '../../core/schema.js';
import type {
  CallPlan,
  Definition,
  DocumentResult,
  MethodEntry,
  MethodText,
  TextRange,
} from './document-task.js';

/** The methods of a document. The schemas of a method are parsed when they are first used. */
export interface DocumentMethods {
  readonly methods: readonly AdapterMethod[];
  /** Returns the plan of a method; undefined for an unknown name. */
  readonly planOf: (name: string) => CallPlan | undefined;
  /** Returns the schema of the JSON of a reply with this status; undefined if the document has none. */
  readonly outputOf: (name: string, status: number) => JsonSchema | undefined;
  readonly digests: ReadonlyMap<string, string>;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

export function openMethods({
  methods,
  requestDefinitions,
  replyDefinitions,
  text,
}: DocumentResult): DocumentMethods {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const parse = ([from, to]: TextRange): unknown => JSON.parse(bytes.toString('utf8', from, to));
  const [requests, replies] = [
    openDefinitions(requestDefinitions, parse),
    openDefinitions(replyDefinitions, parse),
  ];
  const opened = new Map(
    methods.map((entry) => {
      const read = (): MethodText => parse(entry.at) as MethodText;
      const input = once(() => {
        const { input: schema, inputUses } = read();
        return { $schema: DRAFT, ...schema, ...requests(inputUses) };
      });
      const output = once(() => {
        const { output: found } = read();
        return (
          found && {
            status: found.status,
            schema: { $schema: DRAFT, ...found.schema, ...replies(found.uses) },
          }
        );
      });
      const plan = once(() => read().plan);
      const method = withDocumentDigest(
        methodOf(entry, input, () => output()?.schema),
        entry.digest,
      );
      return [entry.name, { method, plan, output }] as const;
    }),
  );
  return {
    methods: [...opened.values()].map(({ method }) => method),
    planOf: (name) => opened.get(name)?.plan(),
    outputOf(name, status) {
      const output = opened.get(name)?.output();
      return output && new RegExp(`^${output.status.replace(/X/gi, '.')}$`).test(String(status))
        ? output.schema
        : undefined;
    },
    digests: new Map(methods.map(({ name, digest }) => [name, digest])),
  };
}

/** Returns the result of the first call at each call. */
function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: work() }).value;
}

function methodOf(
  { name, summary, description, effect, tags }: MethodEntry,
  input: () => JsonSchema,
  output: () => JsonSchema | undefined,
): AdapterMethod {
  return {
    name,
    summary,
    ...(description !== undefined && { description }),
    ...(effect && { effect }),
    ...(tags && { tags }),
    get input() {
      return input();
    },
    get output() {
      return output();
    },
  };
}

/** Returns the function that collects the definitions that a schema uses, as its `$defs`. Schemas share their objects. */
function openDefinitions(
  definitions: readonly Definition[],
  parse: (at: TextRange) => unknown,
): (uses: readonly string[]) => { readonly $defs?: JsonSchema } {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const parsed = new Map<string, unknown>();
  const schemaOf = ({ name, at }: Definition): unknown => {
    if (!parsed.has(name)) parsed.set(name, parse(at));
    return parsed.get(name);
  };
  return (uses) => {
    const found = new Map<string, unknown>();
    const pending = [...uses];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const definition = byName.get(name);
      if (!definition || found.has(name)) continue;
      found.set(name, schemaOf(definition));
      pending.push(...definition.uses);
    }
    return found.size === 0 ? {} : { $defs: Object.fromEntries(found) };
  };
}
