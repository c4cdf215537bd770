import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../json/json-object.js';
import { encodingOf, oldEncoding, schemaOfOld } from './convert-parameters.js';
import { isJsonType, mediaTypesOf } from './convert-replies.js';
import type { BodyPlan, FormEncoding, MemberPlan } from './document-task.js';
import type { ConvertDeps } from './input-schema.js';
import { below, type Located } from './read-document.js';

/** The body of an operation: its media types, or the fields of a form of Swagger 2.0. */
type OperationBody =
  | { readonly isRequired: boolean; readonly media: readonly BodyMedia[] }
  | { readonly fields: readonly Located<JsonObject>[]; readonly isMultipart: boolean };

interface BodyMedia {
  readonly type: string;
  readonly schema: Located;
  /** How members of a form are encoded, by name. */
  readonly encoding: JsonObject;
}

/** Returns the body of an operation: that of OpenAPI 3, or the one that parameters of Swagger 2.0 describe. */
export function declaredBody(
  operation: Located<JsonObject>,
  declared: readonly Located<JsonObject>[],
  { source, version }: ConvertDeps,
): OperationBody | undefined {
  const { value, at } = operation;
  if (version === '2.0')
    return oldBody(declared, mediaTypesOf(value['consumes'] ?? source.root.value['consumes']));
  const written = value['requestBody'];
  const found = written === undefined ? undefined : source.resolve(written, below(at, 'requestBody'));
  if (!found || !isJsonObject(found.value)) return undefined;
  const media = Object.entries(objectOf(found.value['content'])).map(([type, one]) => ({
    type,
    schema: { value: objectOf(one)['schema'] ?? {}, at: below(found.at, 'content', type, 'schema') },
    encoding: objectOf(objectOf(one)['encoding']),
  }));
  return { isRequired: found.value['required'] === true, media };
}

function oldBody(
  declared: readonly Located<JsonObject>[],
  consumes: readonly string[],
): OperationBody | undefined {
  const body = declared.find(({ value }) => value['in'] === 'body');
  if (body) {
    const schema = { value: body.value['schema'] ?? {}, at: below(body.at, 'schema') };
    const types = consumes.length > 0 ? consumes : ['application/json'];
    const media = types.map((type) => ({ type, schema, encoding: {} }));
    return { isRequired: body.value['required'] === true, media };
  }
  const fields = declared.filter(({ value }) => value['in'] === 'formData');
  const hasFile = fields.some(({ value }) => value['type'] === 'file');
  const isMultipart = hasFile || (consumes[0] ?? '').startsWith('multipart/');
  return fields.length > 0 ? { fields, isMultipart } : undefined;
}

/** Plans the body of an operation, and adds its arguments. Returns undefined without a body. */
export function planBody(body: OperationBody | undefined, deps: ConvertDeps): BodyPlan | undefined {
  if (!body) return undefined;
  if ('fields' in body) return planFields(body.fields, body.isMultipart, deps);
  const { isRequired, media } = body;
  const chosen = chooseMedia(media);
  if (!chosen) return undefined;
  const kind = kindOf(chosen.type);
  const mediaType = chosen.type.includes('*') ? 'application/json' : chosen.type;
  const plan = { kind, mediaType, isRequired, encodings: {} };
  if (kind === 'text' || kind === 'binary')
    return {
      ...plan,
      from: addWhole({ schema: kind === 'text' ? TEXT : BINARY, uses: [] }, isRequired, deps),
    };
  const object = flatObject(chosen.schema, deps);
  if (!object)
    return {
      ...plan,
      from: addWhole(deps.request.convert(chosen.schema.value, chosen.schema.at), isRequired, deps),
    };
  return {
    ...plan,
    from: addMembers(object, isRequired, deps),
    encodings: kind === 'json' ? {} : encodingsOf(object, chosen, deps),
  };
}

const TEXT: JsonSchema = { type: 'string' };
const BINARY: JsonSchema = { type: 'string', contentEncoding: 'base64' };

/** Adds the argument `body`. */
function addWhole(
  schema: ReturnType<ConvertDeps['request']['convert']>,
  isRequired: boolean,
  { inputs }: ConvertDeps,
): string {
  return inputs.add({ name: 'body', place: 'body', isRequired, ...schema });
}

/** Kinds of bodies in the order of preference. */
const KINDS: readonly BodyPlan['kind'][] = ['json', 'form', 'multipart', 'text', 'binary'];

/** Returns the media type that a call sends: plain JSON first. */
function chooseMedia(media: readonly BodyMedia[]): BodyMedia | undefined {
  const rank = ({ type }: BodyMedia): number =>
    /^application\/json\b/i.test(type) ? -1 : KINDS.indexOf(kindOf(type));
  return [...media].sort((a, b) => rank(a) - rank(b))[0];
}

function kindOf(type: string): BodyPlan['kind'] {
  if (isJsonType(type)) return 'json';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return 'form';
  if (/^multipart\//i.test(type)) return 'multipart';
  return /^text\/|[/+](?:xml|yaml|x-yaml)\b/i.test(type) ? 'text' : 'binary';
}

/** Keywords with which the members of an object are not all known. */
const OPEN_KEYWORDS = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'discriminator'],
  ...['patternProperties', 'unevaluatedProperties'],
];

/** Returns the schema of an object whose members can be arguments: all are in `properties`, and it is not null. */
function flatObject({ value, at }: Located, { source }: ConvertDeps): Located<JsonObject> | undefined {
  const found = source.resolve(value, at);
  if (!found || !isJsonObject(found.value)) return undefined;
  const schema = found.value;
  const { type = 'object', properties, additionalProperties = false, nullable = false } = schema;
  const isClosed = additionalProperties === false && nullable === false;
  const isOpen = !isClosed || OPEN_KEYWORDS.some((keyword) => keyword in schema);
  if (type !== 'object' || isOpen || Object.keys(objectOf(properties)).length === 0) return undefined;
  return { value: schema, at: found.at };
}

/** Adds each member of an object as an argument. Those of an optional body are required as soon as one is given. */
function addMembers(
  { value, at }: Located<JsonObject>,
  isRequired: boolean,
  { request, inputs }: ConvertDeps,
): readonly MemberPlan[] {
  const { schema, uses } = request.convert(value, at);
  const needed = mediaTypesOf(schema['required']);
  const members = Object.entries(objectOf(schema['properties'])).map(([name, member]) => {
    const own = { name, place: 'body', schema: objectOf(member), uses } as const;
    return { name, argument: inputs.add({ ...own, isRequired: isRequired && needed.includes(name) }) };
  });
  if (!isRequired)
    inputs.requireTogether(
      members.map(({ argument }) => argument),
      members.filter(({ name }) => needed.includes(name)).map(({ argument }) => argument),
    );
  return members;
}

/** Returns how the members of a form become text; none for a plain one. */
function encodingsOf(
  object: Located<JsonObject>,
  { encoding }: BodyMedia,
  { source }: ConvertDeps,
): BodyPlan['encodings'] {
  const at = below(object.at, 'properties');
  const pairs = Object.entries(objectOf(object.value['properties'])).map(([name, written]) => {
    const schema = objectOf(source.resolve(written, below(at, name))?.value);
    const item =
      schema['type'] === 'array'
        ? objectOf(source.resolve(schema['items'], below(at, name, 'items'))?.value)
        : schema;
    return [name, formEncoding(item, objectOf(memberOf(encoding, name)))] as const;
  });
  return Object.fromEntries(pairs.flatMap(([name, plan]) => (plan ? [[name, plan]] : [])));
}

function formEncoding(schema: JsonObject, given: JsonObject): FormEncoding | undefined {
  const isFile = schema['contentMediaType'] !== undefined && schema['contentEncoding'] === undefined;
  const isBinary = schema['format'] === 'binary' || isFile;
  const isStyled = ['style', 'explode', 'allowReserved'].some((keyword) => keyword in given);
  const [contentType] = typeof given['contentType'] === 'string' ? given['contentType'].split(',', 1) : [];
  if (!isBinary && !isStyled && contentType === undefined) return undefined;
  return {
    ...encodingOf(given),
    ...(!isStyled && contentType !== undefined && isJsonType(contentType) && { isJson: true }),
    ...(contentType !== undefined && { contentType: contentType.trim() }),
    ...(isBinary && { isBinary }),
  };
}

/** Plans a form of Swagger 2.0, whose fields are parameters. */
function planFields(
  fields: readonly Located<JsonObject>[],
  isMultipart: boolean,
  { request, inputs }: ConvertDeps,
): BodyPlan {
  const planned = fields.map((field) => {
    const { value } = field;
    const name = String(value['name']);
    const written = schemaOfOld(field);
    const isRequired = value['required'] === true;
    const converted = request.convert(written.value, written.at);
    const argument = inputs.add({ name, place: 'body', isRequired, ...converted });
    const encoding = { ...oldEncoding(value, 'form'), ...(value['type'] === 'file' && { isBinary: true }) };
    return { member: { name, argument }, isRequired, encoding };
  });
  return {
    kind: isMultipart ? 'multipart' : 'form',
    mediaType: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    isRequired: planned.some(({ isRequired }) => isRequired),
    from: planned.map(({ member }) => member),
    encodings: Object.fromEntries(planned.map(({ member, encoding }) => [member.name, encoding])),
  };
}
