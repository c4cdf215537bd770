import { foundApplication } from './application-document.js';
import type { ApplicationsDeps } from './deps.js';
import type { Lifecycle } from './lifecycle.js';

/** The lifecycle of applications. */
export const applicationLife: Lifecycle<ApplicationsDeps> = {
  kind: 'application',
  noun: 'Application',
  find: foundApplication,
  but: () => '',
  unwrapLegacy: () => undefined,
};
