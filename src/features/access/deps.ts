import type { AccessDirectory } from './access-directory.js';

/** Dependencies of the operations about access. */
export interface AccessDeps {
  readonly access: AccessDirectory;
}
