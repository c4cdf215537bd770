import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { outlined } from './outline-schema.js';

/**
 * Returns a CommonJS module with the validators of the schemas that the server needs to start and to serve a call. It replaces
 * `src/json-schema/ready-made.ts` in the bundle, because Ajv takes a fifth of a start to write the same code.
 */
export async function readyMadeCode(compiled) {
  const load = (...path) => import(pathToFileURL(join(compiled, ...path)).href);
  const { createAjv, digestOf } = await load('src', 'json-schema', 'compile.js');
  // Without `inlineRefs`, each outlined schema is a function.
  const ajv = createAjv({ code: { source: true, optimize: 2 }, inlineRefs: false });
  const schemas = await schemasIn(compiled, load);
  const parts = schemas.map((schema, at) => outlined(schema, `schema${at}`));
  for (const { name, schema } of parts.flat()) ajv.addSchema(schema, name);
  const code = standaloneCode(ajv, Object.fromEntries(parts.map(([{ name }]) => [name, name])));
  const functions = parts.map((all) => all.map((part) => functionOf(ajv, part)));
  const entries = schemas.map(
    (schema, at) => `[${JSON.stringify(digestOf(schema))}, (schema) => {${useCode(functions[at])}}]`,
  );
  return [
    withPlaces(code, functions.flat()).replace(FAILURE, 'vErrors = failed(vErrors, $2);errors++;'),
    HELPERS,
    `exports.READY_MADE = new Map([${entries.join(',\n')}]);`,
  ].join('\n');
}

/** How Ajv adds an error: fourteen hundred times the same statements, which are a third of the code. */
const FAILURE =
  /const (err\d+) = (\{[^;]*?\});if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g;

const HELPERS = `function failed(all, error) {
  if (all === null) return [error];
  all.push(error);
  return all;
}
function memberAt(schema, place) {
  return place.split("/").slice(1).reduce((value, token) => value[token], schema);
}`;

/** Returns the names of what Ajv wrote for a part: its function, and the constants that are copies of the part. */
function functionOf(ajv, part) {
  const { source } = ajv.getSchema(part.name);
  const copies = [...(source.scopeValues.schema ?? [])].filter(({ value }) => value.ref === part.schema);
  return { ...part, validate: String(source.validateName), copies: copies.map(String) };
}

/**
 * Makes every function name its errors as if the schema were in one piece, and removes the copies of the schema: the code
 * refers to the members of the schema that it is used for.
 */
function withPlaces(code, functions) {
  const names = new Set(functions.map(({ validate }) => validate));
  const placed = code.split(/(?=function validate\d+\()/).map((text) => {
    const name = /^function (validate\d+)\(/.exec(text)?.[1];
    return names.has(name) ? text.replaceAll('schemaPath:"#', `schemaPath:${name}_place+"`) : text;
  });
  const places = functions.map(({ parent, pointer, validate }) => {
    const outer = functions.find(({ name }) => name === parent?.name);
    return `const ${validate}_place = ${outer ? `${outer.validate}_place+` : ''}"${outer ? pointer : '#'}";`;
  });
  const copies = functions.flatMap(({ copies, schema }) => copies.map((name) => ({ name, schema })));
  return `${places.join('')}${copies.reduce(withoutCopy, placed.join(''))}`;
}

function withoutCopy(code, { name, schema }) {
  const declaration = `const ${name} = ${JSON.stringify(schema)};`;
  if (!code.includes(declaration)) throw new Error(`the code of Ajv does not declare ${name}`);
  return code.replace(declaration, `let ${name};`);
}

/** Returns the statements that prepare the validator for a schema, and return it. */
function useCode(functions) {
  const lines = functions.flatMap(({ copies, validate }) =>
    copies.map((name) => `${name} = memberAt(schema, ${validate}_place);`),
  );
  return `${lines.join('')}return ${functions[0].validate};`;
}

async function schemasIn(compiled, load) {
  const { settingsSchema } = await load('src', 'config', 'settings-schema.js');
  const { adapterSchema } = await load('src', 'config', 'adapter-schema.js');
  const { describeOperations } = await load('src', 'features', 'operations.js');
  const folders = readdirSync(join(compiled, 'plugins'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const plugins = await Promise.all(folders.map(({ name }) => load('plugins', name, 'index.js')));
  const calls = describeOperations().filter(({ paths }) =>
    paths.some((path) => /\/rest(Action|Query)\//.test(path)),
  );
  const bodies = calls.flatMap(({ row: { body } }) => (body ? [body] : []));
  const all = [settingsSchema, adapterSchema, ...plugins.map(({ plugin }) => plugin.options), ...bodies];
  return [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()];
}
