import assert from 'node:assert/strict';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../src/core/schema.js';
import { createApiDescription } from '../../../src/features/api-description.js';
import type { OpenApiContent, OpenApiDocument, OpenApiResponse } from '../../../src/http/openapi-types.js';
import { isJsonObject } from '../../../src/json/json-object.js';

/** Releases with all, some and none of the deprecated operations. */
const RELEASES = ['2018.1', '2020.2', '2021.1', undefined];

interface PlacedSchema {
  readonly at: string;
  readonly schema: JsonSchema;
}

function schemasOf({ paths, components }: OpenApiDocument): readonly PlacedSchema[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ at: `/paths/${path}/${method}`, operation })),
  );
  return [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => schemasIn(schema, `/schemas/${name}`)),
    ...Object.entries(components.headers).flatMap(([name, { schema }]) =>
      schemasIn(schema, `/headers/${name}`),
    ),
    ...operations.flatMap(({ at, operation: { parameters = [], requestBody, responses } }) => [
      ...parameters.flatMap(({ name, schema }) => schemasIn(schema, `${at}/parameters/${name}`)),
      ...[requestBody, ...Object.values(responses)].flatMap((part) => contentSchemas(part, `${at}/content`)),
    ]),
  ];
}

function contentSchemas(part: object | undefined, at: string): readonly PlacedSchema[] {
  const { content = {} } = (part ?? {}) as { readonly content?: OpenApiContent };
  return Object.values(content).flatMap(({ schema }) => (schema ? schemasIn(schema, at) : []));
}

/** Returns a schema and all schemas inside it; fails for a boolean schema, except in additionalProperties. */
function schemasIn(schema: unknown, at: string): readonly PlacedSchema[] {
  assert.ok(isJsonObject(schema), `${at} is no object`);
  const { items, not, if: condition, then, else: otherwise, propertyNames, additionalProperties } = schema;
  const single = { items, not, condition, then, otherwise, propertyNames };
  const rest = typeof additionalProperties === 'boolean' ? {} : { additionalProperties };
  const parts = [
    ...Object.entries({ ...single, ...rest }).filter(([, part]) => part !== undefined),
    ...Object.entries(schema['properties'] ?? {}),
    ...['oneOf', 'anyOf', 'allOf'].flatMap((key) => Object.entries(schema[key] ?? [])),
  ] as readonly (readonly [string, unknown])[];
  return [{ at, schema }, ...parts.flatMap(([key, part]) => schemasIn(part, `${at}/${key}`))];
}

function duplicatesOf(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

const isChoice = (schema: JsonSchema): boolean => 'enum' in schema || 'const' in schema;
const typesOf = ({ type }: JsonSchema): readonly unknown[] => (Array.isArray(type) ? type : [type]);

for (const release of RELEASES) {
  const document = createApiDescription(() => ({}), release)();
  const schemas = schemasOf(document);
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const pointersOf = (isFault: (schema: JsonSchema) => boolean): readonly string[] =>
    schemas.filter(({ schema }) => isFault(schema)).map(({ at }) => at);

  describe(`the form of the API description of release ${release ?? 'of today'}`, () => {
    it('has operation ids that differ in their letters and digits, without regard to case', () => {
      const ids = operations.map(({ operationId }) => operationId);
      for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]*$/);
      assert.deepEqual(duplicatesOf(ids.map((id) => id.toLowerCase())), []);
    });

    it('says in sentences what every operation does, and then who may call it', () => {
      for (const { operationId, summary, description } of operations) {
        assert.match(description, /^[A-Z][^\n]{20,}\. (?:Any|No|Roles)[^.]+\./, operationId);
        assert.ok(!description.startsWith(summary), operationId);
      }
    });

    it('says what each reply is', () => {
      for (const { operationId, responses } of operations) {
        const { description } = (responses['200'] ?? { description: 'Nothing.' }) as OpenApiResponse;
        assert.match(description, /^[A-Z].{3,}\.$/, operationId);
        assert.doesNotMatch(description, /^Done/, operationId);
      }
    });

    it('has components with names that differ without regard to case', () => {
      const names = Object.keys(document.components.schemas);
      assert.ok(names.length > 100);
      for (const name of names) assert.match(name, /^[A-Z][A-Za-z0-9]*$/);
      assert.deepEqual(duplicatesOf(names.map((name) => name.toLowerCase())), []);
    });

    it('has each title once, at a component', () => {
      const titled = schemas.filter(({ schema }) => typeof schema['title'] === 'string');
      assert.equal(titled.length, Object.keys(document.components.schemas).length);
      for (const { at } of titled) assert.match(at, /^\/schemas\/\w+$/);
      assert.deepEqual(duplicatesOf(titled.map(({ schema }) => String(schema['title']))), []);
    });

    it('refers to every component', () => {
      const text = JSON.stringify(document);
      const { schemas, headers, responses } = document.components;
      for (const [kind, components] of Object.entries({ schemas, headers, responses }))
        for (const name of Object.keys(components))
          assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
    });

    it('has many schemas with a const or an enum', () => {
      assert.ok(pointersOf(isChoice).length > 30);
    });

    it('has no default in the bodies of requests, because generated clients demand members with a default', () => {
      const bodies = operations.flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? []);
      const names = bodies.map(({ schema }) => String((schema as { readonly $ref?: string }).$ref).slice(1));
      assert.ok(names.length > 20);
      for (const at of pointersOf((schema) => 'default' in schema))
        assert.ok(!names.some((name) => `/components${at}`.startsWith(`${name}/`)), at);
    });

    for (const [title, isFault] of [
      [
        'has a type beside every const and every enum',
        (schema) => isChoice(schema) && schema['type'] === undefined,
      ],
      [
        'has items in every array',
        (schema) => typesOf(schema).includes('array') && !isJsonObject(schema['items']),
      ],
      [
        'says of every object without members whether it is free-form',
        (schema) =>
          typesOf(schema).includes('object') &&
          !('properties' in schema) &&
          !('additionalProperties' in schema),
      ],
      [
        'has at most one type besides null in each schema',
        (schema) => typesOf(schema).filter((type) => type !== 'null').length > 1,
      ],
    ] as readonly (readonly [string, (schema: JsonSchema) => boolean])[])
      it(title, () => {
        assert.deepEqual(pointersOf(isFault), []);
      });
  });
}

describe('the examples of the API description', () => {
  const document = createApiDescription(() => ({}))();
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  ajv.addSchema(document, 'urn:gatehouse:openapi');

  /** Returns each JSON content of a request or a successful reply, with the name of its operation. */
  const contents = operations.flatMap(({ operationId, requestBody, responses }) => {
    const reply = responses['200'] as OpenApiResponse | undefined;
    return [requestBody?.content, reply?.content].flatMap((content, index) => {
      const media = content?.['application/json'];
      return media ? [{ name: `${operationId} ${index === 0 ? 'body' : 'reply'}`, media }] : [];
    });
  });

  it('exist for every request body and every JSON reply', () => {
    assert.ok(contents.length > 100);
    assert.deepEqual(contents.filter(({ media }) => !('example' in media)).map(({ name }) => name), []); // prettier-ignore
  });

  it('match their schemas', () => {
    for (const { name, media } of contents) {
      const { $ref } = media.schema as { readonly $ref: string };
      const validate = ajv.getSchema(`urn:gatehouse:openapi${$ref}`);
      assert.ok(validate, $ref);
      assert.ok(validate(media.example), `${name}: ${JSON.stringify(validate.errors)}`);
    }
  });
});
