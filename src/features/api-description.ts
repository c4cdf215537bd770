import { PRESENT_RELEASE } from '../core/deprecation.js';
import type { Snapshot } from '../core/snapshot.js';
import type { OpenApiDocument } from '../http/openapi-types.js';
import { openApiDocument } from '../http/openapi.js';
import { VERSION } from '../lib/version.js';
import { describeServed } from './operations.js';
import { createRolesOf } from './roles.js';

/**
 * Returns a function that describes the API of a release with the roles that the operator configured. The
 * function returns the same object until the roles change.
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
