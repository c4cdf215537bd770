import type { Door } from './endpoint.js';
import type { Program } from './program.js';

/** What a contender is started with. */
export interface ContenderOptions {
  /** Its own, empty. */
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  /** PEM file of the key that tokens are verified with. */
  readonly publicKeyFile: string;
}

/** A program that stands between callers and the upstream. */
export interface Contender {
  readonly name: string;
  /** What it does of the work. */
  readonly says: string;
  readonly door: Door;
  /** True when it refuses callers without the role. */
  readonly checksRoles: boolean;
  /** Makes ready what it needs; says why it is left out when that cannot be. */
  lack(): string | undefined;
  start(place: ContenderOptions): Promise<Program>;
}

/** Who signs the tokens, and what they must say. */
export const TOKENS = { issuer: 'https://idp.bench', audience: 'gatehouse', role: 'admin' } as const;
