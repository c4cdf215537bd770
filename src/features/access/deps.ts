import type { ListMethods } from '../adapters/method-list.js';
import type { AccessDirectory } from './access-directory.js';

/** Dependencies of the operations about access. */
export interface AccessDeps {
  readonly access: AccessDirectory;
  readonly listMethods: ListMethods;
}
