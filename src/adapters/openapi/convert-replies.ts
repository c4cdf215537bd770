import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../json/json-object.js';
import type { CallPlan, MethodText } from './document-task.js';
import type { ConvertDeps } from './input-schema.js';
import { below, type Located } from './read-document.js';

/** Returns true for JSON, any type of JSON, and any type. */
export function isJsonType(type: string): boolean {
  return /^(?:application\/json|[^;]+\+json|\*\/\*|application\/\*)\s*(?:;|$)/i.test(type.trim());
}

export function mediaTypesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((type) => typeof type === 'string') : [];
}

type Content = readonly (readonly [type: string, schema: Located | undefined])[];

/** Returns what an operation may answer: the media types to ask for, and the schema of the first success in JSON. */
export function repliesOf(
  { value, at }: Located<JsonObject>,
  deps: ConvertDeps,
): { readonly accept: CallPlan['accept']; readonly output?: MethodText['output'] } {
  const responses = objectOf(value['responses']);
  const successes = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const contents = successes.sort().flatMap((status) => {
    const found = deps.source.resolve(memberOf(responses, status), below(at, 'responses', status));
    return found && isJsonObject(found.value)
      ? [{ status, content: contentOf({ value: found.value, at: found.at }, value, deps) }]
      : [];
  });
  const types = [...new Set(contents.flatMap(({ content }) => content.map(([type]) => type)))];
  const accept = types.length === 0 || types.some(isJsonType) ? 'application/json' : types.join(', ');
  for (const { status, content } of contents) {
    const schema = content.find(([type]) => isJsonType(type))?.[1];
    if (schema) return { accept, output: { status, ...deps.reply.convert(schema.value, schema.at) } };
  }
  return { accept };
}

/** Returns the schemas of a reply by media type. In Swagger 2.0, all types have one schema. */
function contentOf(
  { value, at }: Located<JsonObject>,
  operation: JsonObject,
  { source, version }: ConvertDeps,
): Content {
  const schemaIn = (holder: unknown, place: Located['at']): Located | undefined => {
    const schema = objectOf(holder)['schema'];
    return schema === undefined ? undefined : { value: schema, at: below(place, 'schema') };
  };
  if (version === '2.0') {
    const produces = mediaTypesOf(operation['produces'] ?? source.root.value['produces']);
    const schema = schemaIn(value, at);
    return (produces.length > 0 ? produces : ['application/json']).map((type) => [type, schema] as const);
  }
  return Object.entries(objectOf(value['content'])).map(
    ([type, media]) => [type, schemaIn(media, below(at, 'content', type))] as const,
  );
}
