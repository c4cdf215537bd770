import { createApiDescription } from '../../src/features/api-description.js';
import { checkAfterFile } from '../run/after-file.js';
import { type CheckReply, createReplyCheck, type SeenReply } from './reply-check.js';

// Every reply that a test receives from gatehouse is compared with the API description, and its file fails at
// its end with a list of those that are not as documented. Imported by all that call gatehouse; does nothing
// outside of mocha.

const wrong = new Set<string>();
let checked = 0;
let check: CheckReply | undefined;

/** A release that serves every operation, including those that are now deprecated. */
const OLDEST = '2018.1';

/** Compares a reply with the API description, for the end of the test file. */
export function noteReply(reply: SeenReply): void {
  // A previous release replies as its own description says.
  if (process.env['GATEHOUSE_FORMER'] !== undefined) return;
  // Pages are static files and are not part of the API description.
  if (!IN_MOCHA || /^(?:https?:\/\/[^/]+)?\/ui(?:[/?]|$)/.test(reply.url)) return;
  check ??= createReplyCheck(createApiDescription(() => ({}), OLDEST)());
  checked += 1;
  const [path] = reply.url.split('?');
  for (const fault of check(reply)) wrong.add(`${reply.method} ${path ?? ''} ${reply.status}: ${fault}`);
}

const IN_MOCHA = 'after' in globalThis;

checkAfterFile(() => {
  const found = { replies: checked, faults: [...wrong] };
  checked = 0;
  wrong.clear();
  return found;
});
