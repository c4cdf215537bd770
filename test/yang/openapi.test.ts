import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openModules } from '../../src/yang/compile.js';
import { openApiOf, type OpenApiOptions } from '../../src/yang/openapi/openapi-document.js';
import { CHOICES_MODULE } from '../support/choices-module.js';
import { asModule, yang11 } from '../support/yang.js';

type Json = Record<string, unknown>;
interface Body {
  readonly content: Record<string, { readonly schema?: Json; readonly example?: Json }>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Record<string, Json>;
  readonly deprecated?: boolean;
}
type PathItem = Record<string, Operation | readonly Json[]>;
interface Document extends Json {
  readonly paths: Record<string, PathItem>;
  readonly components: { readonly schemas: Record<string, Json> };
}

const TEXT = asModule(`description "A module."; revision 2024-01-31;
   grouping point { container point { description "A point of a network, which is shared by lists and containers.";
     leaf mtu { type uint16 { range "68..9000"; } default 1500; } } }
   container top { uses point;
     list port { key "name unit"; leaf name { type string { pattern "[a-z]+[0-9]"; } } leaf unit { type uint8; } uses point;
       list part { key name; leaf name { type string; } }
       action reset { input { leaf delay { type uint8; mandatory true; } } output { leaf done { type boolean; } } } }
     container state { config false; leaf up { type boolean; } list event { leaf text { type string; } } } }
   container old { status deprecated; }
   rpc ping { input { leaf count { type uint8; default 3; } } } rpc reboot;
   notification down { leaf why { type string; } }`);

const EVERYTHING: OpenApiOptions = { depth: 9, below: [], root: '/restconf' };

function documentOf(texts: readonly string[], options: Partial<OpenApiOptions> = {}): Document {
  const opened = openModules(texts.map((text, at) => ({ file: `${at}.yang`, text })));
  if ('faults' in opened) assert.fail(JSON.stringify(opened.faults));
  const document = openApiOf(opened.value.given, opened.value, { ...EVERYTHING, ...options });
  return JSON.parse(JSON.stringify(document)) as Document;
}

describe('the OpenAPI document of a module', () => {
  const document = documentOf([TEXT]);
  const { paths, components } = document;
  const operationOf = (path: string, method: string) => paths[path]?.[method] as Operation | undefined;

  it('has the data resources, RPC operations and actions of RFC 8040', () => {
    assert.deepEqual(Object.keys(paths), [
      '/data',
      '/data/m:top',
      '/data/m:top/point',
      '/data/m:top/port={name},{unit}',
      '/data/m:top/port={name},{unit}/point',
      '/data/m:top/port={name},{unit}/part={part-name}',
      '/data/m:top/port={name},{unit}/reset',
      '/data/m:top/state',
      '/data/m:old',
      '/operations/m:ping',
      '/operations/m:reboot',
    ]);
  });

  it('has every method for configuration, and only GET for state', () => {
    const methodsOf = (path: string) =>
      Object.keys(paths[path] ?? {}).filter((name) => name !== 'parameters');
    assert.deepEqual(methodsOf('/data/m:top'), ['get', 'put', 'patch', 'post', 'delete']);
    assert.deepEqual(methodsOf('/data/m:top/state'), ['get']);
    assert.deepEqual(methodsOf('/operations/m:ping'), ['post']);
    assert.equal(operationOf('/data/m:old', 'get')?.deprecated, true);
  });

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    for (const texts of [
      [TEXT],
      [CHOICES_MODULE],
      [TEXT, yang11('n', 'container c { leaf a { type string; } }')],
    ])
      assert.deepEqual(await new Validator().validate(structuredClone(documentOf(texts))), { valid: true });
  });

  it('has unique operation ids, and declares every parameter of a path', () => {
    const operations = Object.values(paths).flatMap((item) =>
      operationsOf(item).map(({ operationId }) => operationId),
    );
    assert.equal(new Set(operations).size, operations.length);
    for (const [path, { parameters = [] }] of Object.entries(paths))
      assert.deepEqual(
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
        (parameters as readonly Json[]).map(({ name }) => name),
      );
  });

  it('has components that are named after module and grouping, and leaves no reference open', () => {
    assert.ok('m.point.point' in components.schemas, Object.keys(components.schemas).join());
    for (const name of Object.keys(components.schemas)) assert.match(name, /^[A-Za-z0-9._-]+$/);
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(name in components.schemas, name);
    assert.ok(!JSON.stringify(document).includes('#/$defs/'));
  });

  it('has examples that are valid, with the defaults of the module', () => {
    const bodies = [TEXT, CHOICES_MODULE].flatMap(bodiesWithExamples);
    assert.ok(bodies.length > 10, `${bodies.length}`);
    for (const { path, example, errors } of bodies)
      assert.deepEqual(errors, [], `${path} ${JSON.stringify(example)}`);
    const ping = operationOf('/operations/m:ping', 'post')?.requestBody?.content ?? {};
    assert.deepEqual(Object.values(ping)[0]?.example, { 'm:input': { count: 3 } });
  });

  it('has a POST on the datastore, which creates one top-level resource (RFC 8040 4.4.1)', () => {
    const post = operationOf('/data', 'post');
    const { schema } = post?.requestBody?.content['application/yang-data+json'] ?? {};
    assert.deepEqual(Object.keys(schema?.['properties'] as object), ['m:top', 'm:old']);
    assert.deepEqual([schema?.['minProperties'], schema?.['maxProperties']], [1, 1]);
    for (const body of ['rpc r;', 'container c { config false; leaf a { type int8; } }'])
      assert.ok(!('/data' in documentOf([asModule(body)]).paths), body);
  });

  it('is limited by the depth of paths, and by the paths of data nodes', () => {
    assert.deepEqual(Object.keys(documentOf([TEXT], { depth: 1 }).paths).slice(0, 4), [
      '/data',
      '/data/m:top',
      '/data/m:old',
      '/operations/m:ping',
    ]);
    assert.deepEqual(Object.keys(documentOf([TEXT], { below: ['/m:top/port/part'] }).paths), [
      '/data/m:top/port={name},{unit}/part={part-name}',
    ]);
  });
});

function operationsOf(item: PathItem): readonly Operation[] {
  return Object.entries(item).flatMap(([name, one]) => (name === 'parameters' ? [] : [one as Operation]));
}

/** Returns the examples of request bodies, with the errors that Ajv finds in them. */
function bodiesWithExamples(text: string) {
  const { paths, components } = documentOf([text]);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'https://example.com/openapi', components });
  return Object.entries(paths).flatMap(([path, item]) =>
    operationsOf(item).flatMap(({ requestBody }) => {
      const [{ schema, example } = {}] = Object.values(requestBody?.content ?? {});
      if (!schema || !example) return [];
      const absolute = JSON.stringify(schema).replaceAll('"#/', '"https://example.com/openapi#/');
      const validate = ajv.compile(JSON.parse(absolute) as object);
      validate(example);
      return [{ path, example, errors: validate.errors ?? [] }];
    }),
  );
}
