import type { OverviewReply, TrafficReply } from '../../api/observe.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';

/** Operations that the steps need: a user without one of them does not see the first steps. */
const NEEDED = [
  'getOverview',
  'getTraffic',
  'getSecrets',
  'createAdapter',
  'restQuery',
  'getForms',
  'createForm',
];

/** Returns true if the user may take all the steps. */
export function mayTakeFirstSteps(may: (operation: string) => boolean): boolean {
  return NEEDED.every(may);
}

/** Age of a call after which the installation is no longer new, in milliseconds. */
const NEW_MS = 3 * 86_400_000;

/** Returns true if calls of more than three days ago are recorded: the people there know gatehouse. */
export function isEstablished({ cells, to }: Pick<TrafficReply, 'cells' | 'to'>): boolean {
  return cells.some(({ at, calls }) => calls > 0 && at < to - NEW_MS);
}

/** What the server knows about the steps. */
export interface FirstStepsState {
  readonly userName: string;
  readonly vault: 'missing' | 'failed' | 'connected';
  readonly adapters: OverviewReply['adapters'];
  readonly hasCalls: boolean;
  readonly hasForms: boolean;
}

/** A step of the first hour; its texts are in the messages `first-steps`. */
export type FirstStep = { readonly isDone: boolean } & (
  | { readonly key: 'signIn'; readonly userName: string }
  | { readonly key: 'vault'; readonly vault: FirstStepsState['vault']; readonly to: string }
  | { readonly key: 'adapter'; readonly count: number; readonly to: string }
  /** `adapter` is undefined until an adapter is registered. */
  | { readonly key: 'call'; readonly adapter: string | undefined; readonly to: string | undefined }
  | { readonly key: 'form'; readonly to: string }
);

/** Returns the steps in their order. */
export function firstStepsOf(state: FirstStepsState): readonly FirstStep[] {
  const { userName, vault, adapters, hasCalls, hasForms } = state;
  const adapter = (adapters.find(({ state: now }) => now === 'RUNNING') ?? adapters[0])?.name;
  return [
    { key: 'signIn', isDone: true, userName },
    { key: 'vault', isDone: vault === 'connected', vault, to: '/secrets' },
    { key: 'adapter', isDone: adapters.length > 0, count: adapters.length, to: '/new-adapter' },
    {
      key: 'call',
      isDone: hasCalls,
      adapter,
      to: adapter === undefined ? undefined : `${pathOfAdapter(adapter)}?tab=try`,
    },
    { key: 'form', isDone: hasForms, to: hasForms ? '/forms' : '/forms?create=template' },
  ];
}
