import { isHeaderName, isOwnHeader } from '../../core/header.js';
import { isJsonObject, type JsonObject, objectOf } from '../../json/json-object.js';
import { omit } from '../../lib/omit.js';
import type { Encoding, ParameterPlan, ParameterStyle } from './document-task.js';
import type { ConvertDeps } from './input-schema.js';
import type { FoundOperation } from './list-operations.js';
import { below, type Located } from './read-document.js';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;

/** Returns the parameters of the path and of the operation, whose own ones replace those of the path. */
export function parametersOf(
  { operation, pathItem }: FoundOperation,
  { source, faults }: ConvertDeps,
): readonly Located<JsonObject>[] {
  const byPlace = new Map<string, Located<JsonObject>>();
  for (const owner of [pathItem, operation]) {
    const list = owner.value['parameters'];
    for (const [index, written] of (Array.isArray(list) ? list : []).entries()) {
      const found = source.resolve(written, below(owner.at, 'parameters', index));
      if (!found) continue;
      const { value, at } = found;
      if (isParameter(value)) byPlace.set(keyOf(value), { value, at });
      else
        faults.add(
          at,
          'is no parameter with a valid "name" and "in"',
          'Correct the parameter, or choose other methods.',
        );
    }
  }
  return [...byPlace.values()];
}

function isParameter(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return false;
  if (value['in'] === 'header' && !isHeaderName(value['name'])) return false;
  return [...PLACES, 'body', 'formData'].includes(String(value['in']));
}

function keyOf({ in: place, name }: JsonObject): string {
  return place === 'body' ? 'body' : `${String(place)} ${String(name)}`;
}

/** Adds the arguments of the parameters: of the path, of the query, of headers and of cookies, in this order. */
export function planParameters(
  declared: readonly Located<JsonObject>[],
  deps: ConvertDeps,
): readonly ParameterPlan[] {
  return PLACES.flatMap((place) =>
    declared
      .filter(({ value }) => value['in'] === place && isArgument(value, deps.ownNames))
      .map((parameter) => planOf(parameter, place, deps)),
  );
}

/** Headers that OpenAPI defines elsewhere: parameters of these names are ignored. */
const DEFINED_ELSEWHERE = ['accept', 'authorization', 'content-type', 'cookie'];

/** Returns false for a parameter that the adapter or the HTTP client sets. */
function isArgument({ in: place, name: written }: JsonObject, ownNames: ConvertDeps['ownNames']): boolean {
  const name = String(written).toLowerCase();
  if (place === 'query') return !ownNames.parameters.includes(name);
  if (place === 'cookie') return !ownNames.cookies.includes(name);
  if (place !== 'header') return true;
  return !isOwnHeader(name) && !DEFINED_ELSEWHERE.includes(name) && !ownNames.headers.includes(name);
}

function planOf(
  parameter: Located<JsonObject>,
  place: ParameterPlan['in'],
  { version, request, inputs }: ConvertDeps,
): ParameterPlan {
  const { value } = parameter;
  const name = String(value['name']);
  const written = version === '2.0' ? schemaOfOld(parameter) : schemaOf(parameter);
  const { schema, uses } = request.convert(written.value, written.at);
  const { description } = value;
  const isDescribed = typeof description === 'string' && schema['description'] === undefined;
  const argument = inputs.add({
    name,
    place,
    schema: isDescribed ? { description, ...schema } : schema,
    isRequired: place === 'path' || value['required'] === true,
    uses,
  });
  const encoding =
    version === '2.0' ? oldEncoding(value, STYLES[place][0]) : encodingOf(value, STYLES[place]);
  return { argument, name, in: place, ...encoding };
}

/** Returns the schema of a parameter, or that of the only media type of its `content`. */
function schemaOf({ value, at }: Located<JsonObject>): Located {
  const [media] = Object.entries(objectOf(value['content']));
  return media
    ? { value: objectOf(media[1])['schema'] ?? {}, at: below(at, 'content', media[0], 'schema') }
    : { value: value['schema'] ?? {}, at: below(at, 'schema') };
}

type Styles = readonly [ParameterStyle, ...ParameterStyle[]];

/** Styles by place; the first is the default. */
const STYLES: Readonly<Record<ParameterPlan['in'], Styles>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Returns the serialization that a parameter, or the member of a form, asks for. */
export function encodingOf(value: JsonObject, [preset, ...others]: Styles = STYLES.query): Encoding {
  const style = others.find((known) => known === value['style']) ?? preset;
  const { explode = style === 'form' || style === 'deepObject' } = value;
  return {
    style,
    explode: explode === true,
    ...(value['allowReserved'] === true && { allowReserved: true }),
    ...(value['content'] !== undefined && { isJson: true }),
  };
}

const OLD_STYLES: Readonly<Record<string, ParameterStyle>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/** Returns the serialization for a `collectionFormat` of Swagger 2.0. */
export function oldEncoding({ collectionFormat }: JsonObject, preset: ParameterStyle): Encoding {
  if (collectionFormat === 'multi') return { style: 'form', explode: true };
  return { style: OLD_STYLES[String(collectionFormat)] ?? preset, explode: false };
}

/** Returns the schema that a parameter of Swagger 2.0 is, without its own members. */
export function schemaOfOld({ value, at }: Located<JsonObject>): Located {
  return { value: omit(value, 'in', 'name', 'required', 'collectionFormat'), at };
}

/** Adds an argument for each name in the path that no parameter declares. It is a text. */
export function implied(
  { entry: { path }, operation: { at } }: FoundOperation,
  parameters: readonly ParameterPlan[],
  { faults, inputs }: ConvertDeps,
): readonly ParameterPlan[] {
  const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  return [...new Set(names)]
    .filter((name) => !declared.includes(name))
    .map((name) => {
      const message = `declares no parameter "${name}" of its path, which is taken as a text`;
      faults.warn(at, message, 'Add the parameter to the operation.');
      const text = { schema: { type: 'string' }, isRequired: true, uses: [] };
      const argument = inputs.add({ name, place: 'path', ...text });
      return { argument, name, in: 'path', style: 'simple', explode: false };
    });
}
