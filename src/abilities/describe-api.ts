import { PRESENT_RELEASE } from '../domain/deprecation.js';
import type { OpenApiDocument } from '../domain/openapi.js';
import type { Snapshot } from '../domain/snapshot.js';
import { openApiDocument } from '../http/openapi.js';
import { describeServed } from '../operations.js';
import { createRolesOf } from './roles-of.js';
import { VERSION } from '../version.js';

/**
 * Makes the description of the API that a server of a release serves, with the roles as the operator has them now. It is the
 * same object until they change.
 */
export function createApiDescription(
  rolesNow: () => Snapshot['roles'],
  release: string = PRESENT_RELEASE,
): () => OpenApiDocument {
  let last: { readonly roles: Snapshot['roles']; readonly document: OpenApiDocument } | undefined;
  return () => {
    const roles = rolesNow();
    if (last?.roles !== roles) last = { roles, document: describe(rolesNow, release) };
    return last.document;
  };
}

function describe(rolesNow: () => Snapshot['roles'], release: string): OpenApiDocument {
  return openApiDocument(describeServed(release), {
    version: VERSION,
    release,
    rolesOf: createRolesOf(rolesNow),
  });
}
