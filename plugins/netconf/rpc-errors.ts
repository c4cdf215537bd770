import { EncodingFault, type InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { instanceToJson } from '../../src/yang/encoding/names-in-values.js';
import type { XmlElement } from '../../src/yang/encoding/xml-element.js';
import { type PathText, type RpcError, RpcFailed } from './messages.js';
import { type RestconfError, RestconfFault } from './replies.js';

/** Statuses of error tags (RFC 8040 section 7). */
const STATUSES: Readonly<Record<string, number>> = {
  'in-use': 409,
  'invalid-value': 400,
  'too-big': 413,
  'missing-attribute': 400,
  'bad-attribute': 400,
  'unknown-attribute': 400,
  'missing-element': 400,
  'bad-element': 400,
  'unknown-element': 400,
  'unknown-namespace': 400,
  'access-denied': 403,
  'lock-denied': 409,
  'resource-denied': 409,
  'rollback-failed': 500,
  'data-exists': 409,
  'data-missing': 409,
  'operation-not-supported': 501,
  'operation-failed': 500,
  'partial-operation': 500,
  'malformed-message': 400,
};

/** Returns the answer to a caller for an error of the server or of an encoding. Rethrows every other error. */
export function faultOf(error: unknown): RestconfFault {
  if (error instanceof RestconfFault) return error;
  if (error instanceof RpcFailed) {
    const [{ tag }] = error.errors;
    return new RestconfFault(STATUSES[tag] ?? 500, error.errors.map(restconfError));
  }
  if (error instanceof EncodingFault)
    return new RestconfFault(error.kind === 'no-resource' ? 404 : 400, [
      {
        'error-type': 'application',
        'error-tag': error.kind === 'no-resource' ? 'invalid-value' : error.kind,
        'error-message': error.place === '' ? error.message : `${error.place} ${error.message}`,
      },
    ]);
  throw error;
}

function restconfError({ type, tag, appTag, path, message, info }: RpcError): RestconfError {
  return {
    'error-type': type || 'application',
    'error-tag': tag,
    ...(appTag !== '' && { 'error-app-tag': appTag }),
    ...(path !== '' && { 'error-path': path }),
    ...(message !== '' && { 'error-message': message }),
    ...(info !== '' && { 'error-info': info }),
  };
}

const MAX_PATH_LENGTH = 4000;

/** Returns the function that writes the paths of errors: in JSON form if the model is known. */
export function pathTextWith(model: InstanceModel | undefined): PathText {
  return ({ text, prefixes }: XmlElement) => {
    const path = text.trim().slice(0, MAX_PATH_LENGTH);
    return model ? dataPath(instanceToJson(path, prefixes, model)) : path;
  };
}

/** Returns a path in the datastore, without the elements of the request around it. */
function dataPath(path: string): string {
  return path.replace(/^\/(?:[\w.-]+:)?rpc\/(?:[\w.-]+:)?edit-config\/(?:[\w.-]+:)?config(?=\/)/, '');
}
