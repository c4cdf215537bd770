import type { DocumentReader } from '../adapters/openapi/document-reader.js';
import { type CheckReply, withMethods, openDocument } from '../adapters/openapi/with-methods.js';
import type { SchemaValidator } from '../core/schema-engine.js';
import { compileSchema } from '../json-schema/engine/index.js';
import { parseJson } from '../json/strict-json.js';
import { credentialNames } from '../upstream/adapter-auth.js';
import type { AdapterFactories } from './state/factories.js';

/** Creates the function that opens the methods of an adapter's OpenAPI document. */
export function createOpenMethods(reader: DocumentReader): AdapterFactories['openMethods'] {
  return async (openapi, adapter, { movesPaths }) => {
    const { auth } = adapter;
    const ownNames = {
      headers: [...credentialNames(auth)],
      parameters: auth.type === 'query' ? [auth.name.toLowerCase()] : [],
      cookies: [],
    };
    const { methods, ...opened } = await openDocument(openapi, { ...adapter, ownNames, movesPaths }, reader);
    const checkReply = openapi.validateReplies ? createReplyCheck() : undefined;
    return {
      ...opened,
      digests: methods.digests,
      connect: (adapter, upstream) =>
        withMethods({ adapter, upstream, methods, ...(checkReply && { checkReply }) }),
    };
  };
}

/** Creates the check of replies. It compiles each schema once. */
function createReplyCheck(): CheckReply {
  const validators = new WeakMap<object, SchemaValidator>();
  return (schema, json) => {
    const parsed = parseJson(json);
    if (!('value' in parsed)) return 'it is no JSON';
    const compiled = validators.get(schema);
    const made = compiled ?? compile(schema);
    if (typeof made === 'string') return made;
    validators.set(schema, made);
    const { outcome, errors } = made.validate(parsed.value, { errors: 1 });
    if (outcome === 'valid') return undefined;
    const [{ instancePath, message } = { instancePath: '', message: 'is too large to be checked' }] = errors;
    return instancePath === '' ? `it ${message}` : `${instancePath} ${message}`;
  };
}

function compile(schema: object): SchemaValidator | string {
  const compiled = compileSchema(schema, { formats: 'annotate' });
  if ('validator' in compiled) return compiled.validator;
  const [{ pointer, message } = { pointer: '', message: 'is invalid' }] = compiled.faults;
  return `its schema cannot be used: ${pointer} ${message}`;
}
