import { stat } from 'node:fs/promises';
import type { Scheduler } from '../../core/lib/clock.js';
import type { Secret } from '../../core/secret.js';
import type { VaultAuthSettings } from '../../core/settings.js';
import { ownMember } from '../../core/json-object.js';
import type { Authentication, AuthenticationDeps } from './method.js';
import { readCredential } from '../credential-file.js';
import { createUnwrap } from '../unwrap-token.js';

type TokenFileSettings = Extract<VaultAuthSettings, { method: 'token_file' }>;

const LOOK_EVERY_MS = 5000;

/**
 * Creates the authentication with a token that another process, for example Vault Agent, keeps fresh in a
 * file. The token is neither renewed nor revoked. The file is polled every 5 s; while it is empty or missing,
 * the last token stays in use.
 */
export function tokenFile(
  { file, namespace }: TokenFileSettings,
  { calls, log, scheduler }: AuthenticationDeps,
): Authentication {
  let seen: string | undefined;
  let last: Secret | undefined;
  const unwrap = createUnwrap({ calls, log, namespace, pick: wrappedToken });
  return {
    ownsToken: false,
    logIn: async () => {
      // Taken before the file is read, so that the next poll detects a change in between.
      seen = await fingerprint(file);
      const content = await contentOf(file, last);
      last = content;
      const token = content.reveal().startsWith('{') ? await unwrap(content) : content;
      return { token, leaseSeconds: null, grantedSeconds: 0, renewable: false };
    },
    watch: (changed) =>
      every(LOOK_EVERY_MS, scheduler, async () => {
        if ((await fingerprint(file)) !== seen) changed();
      }),
  };
}

async function contentOf(file: string, last: Secret | undefined): Promise<Secret> {
  try {
    return await readCredential(file, 'file', last);
  } catch (error) {
    // The writer of the file may empty it first.
    if (last) return last;
    throw error;
  }
}

/**
 * Extracts the token from an unwrapped reply. Vault Agent wraps only its token; a wrapped login reply has the
 * token in `auth`.
 */
function wrappedToken(reply: unknown): unknown {
  return ownMember(ownMember(reply, 'data'), 'token') ?? ownMember(ownMember(reply, 'auth'), 'client_token');
}

/** Returns a text that changes when the file is written or replaced. */
async function fingerprint(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

function every(ms: number, scheduler: Scheduler, work: () => Promise<void>): () => void {
  let over = false;
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    if (!over) cancel = scheduler.after(ms, () => void work().finally(arm));
  };
  arm();
  return () => {
    over = true;
    cancel();
  };
}
