import type { Endpoint } from './endpoint.js';
import type { Program } from './program.js';

/** Options for the start of a contender. */
export interface ContenderOptions {
  /** Private folder, initially empty. */
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  /** PEM file of the key that tokens are verified with. */
  readonly publicKeyFile: string;
  /** URL of a module that Node.js loads first; only gatehouse takes it. */
  readonly preload?: string;
}

/** A program between callers and the upstream. */
export interface Contender {
  readonly name: string;
  /** Description of the work that the contender does. */
  readonly says: string;
  readonly endpoint: Endpoint;
  /** True if the contender refuses callers without the role. */
  readonly checksRoles: boolean;
  /** Prepares its dependencies; returns the reason if it must be skipped. */
  lack(): string | undefined;
  start(place: ContenderOptions): Promise<Program>;
}

/** Issuer of the tokens, and their required claims. */
export const TOKENS = { issuer: 'https://idp.bench', audience: 'gatehouse', role: 'admin' } as const;
