import { createRequire } from 'node:module';
import type { Duplex, Readable } from 'node:stream';
import type { ByteTunnel } from '../../src/core/stream.js';

/** Settings of a connection, as the package `ssh2` reads them. */
export interface SshConfig {
  /** Open connection to the server. */
  readonly sock: ByteTunnel;
  readonly username: string;
  readonly password?: string;
  readonly privateKey?: string;
  readonly passphrase?: string;
  readonly tryKeyboard?: boolean;
  /** Milliseconds until the login must be complete; 0: no limit. */
  readonly readyTimeout: number;
  readonly keepaliveInterval: number;
  readonly keepaliveCountMax: number;
  /** Returns true for a host key that is accepted. */
  readonly hostVerifier: (key: Buffer) => boolean;
  readonly algorithms?: { readonly kex?: readonly string[]; readonly serverHostKey?: readonly string[] };
}

/** Error of `ssh2`, with the part of SSH that failed. */
export interface SshError extends Error {
  readonly level?: string;
}

/** Question of a server (RFC 4256), and the function that answers its prompts. */
type KeyboardQuestion = readonly [
  name: string,
  instructions: string,
  language: string,
  prompts: Prompts,
  finish: (answers: readonly string[]) => void,
];

type Prompts = readonly { readonly prompt: string; readonly echo: boolean }[];

/** Channel of a subsystem: its data, and the data of type `stderr` (RFC 4254 section 5.2). */
export interface SshChannel extends Duplex {
  readonly stderr: Readable;
}

/** SSH client of the package `ssh2`: the parts that the plugin uses. */
export interface SshClient {
  on(event: 'ready' | 'close' | 'end', listener: () => void): void;
  on(event: 'error', listener: (error: SshError) => void): void;
  on(event: 'keyboard-interactive', listener: (...question: KeyboardQuestion) => void): void;
  connect(config: SshConfig): void;
  subsys(name: string, done: (error: Error | undefined, channel: SshChannel) => void): void;
  /** Turns Nagle's algorithm off, which delays requests until the former reply is acknowledged. */
  setNoDelay(noDelay: boolean): void;
  end(): void;
  destroy(): void;
}

/**
 * Creates an SSH client. Loads the package on the first call, because only adapters of this type need it. The package has no
 * types.
 */
export function createSshClient(): SshClient {
  const { Client } = createRequire(import.meta.url)('ssh2') as { readonly Client: new () => SshClient };
  return new Client();
}
