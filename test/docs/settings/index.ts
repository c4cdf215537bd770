import type { PageSettings } from '../installations.js';
import { BUILDING } from './building.js';
import { CALLING } from './calling.js';
import { EXAMPLES } from './examples.js';
import { IDENTITY } from './identity.js';
import { OPERATING } from './operating.js';
import { RELEASE } from './release.js';
import { START } from './start.js';

/** The pages whose commands are executed, in groups. A test file follows each group. */
export const GROUPS = {
  start: START,
  operating: OPERATING,
  identity: IDENTITY,
  calling: CALLING,
  building: BUILDING,
  release: RELEASE,
  examples: EXAMPLES,
} as const satisfies Readonly<Record<string, PageSettings>>;

/** The pages of all groups, each with its initial environment. */
export const SETTINGS: PageSettings = {
  ...START,
  ...OPERATING,
  ...IDENTITY,
  ...CALLING,
  ...BUILDING,
  ...RELEASE,
  ...EXAMPLES,
};
