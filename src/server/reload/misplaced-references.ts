import type { Fault } from '../../core/fault.js';
import { type ConfigSection, locateFault } from './config-section.js';

/** What is needed before Vault can be asked. The block `vault` itself has words of its own. */
const BEFORE_SECRETS = ['/log', '/audit', '/server', '/auth/local'];

/** What of it is opened last of all. */
const AFTER_SECRETS = /^\/server\/tls\/(?:certFile|keyFile)$|^\/auth\/local\/(?:users|clients)\//;

/** Faults for references of the main file that could not be resolved in time. */
export function misplacedReferences({ written, references }: ConfigSection): readonly Fault[] {
  return references
    .filter(({ pointer }) =>
      BEFORE_SECRETS.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
    )
    .filter(({ pointer }) => !AFTER_SECRETS.test(pointer))
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'VAULT_REF_MISPLACED',
        message: 'cannot be a reference: it is needed before Vault is asked',
        fix: 'Write the value itself, or take it from the environment with ${NAME}.',
      }),
    );
}
