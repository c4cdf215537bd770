import { createHash } from 'node:crypto';
import { type AdapterMethod, type CallBinding, documentDigest } from '../core/adapter-method.js';
import { Problem } from '../core/problem.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { canonicalJson } from '../json/canonical-json.js';
import { jsonDepth } from '../json/json-depth.js';

/** Returns the binding of a call at this moment. Throws the Problem of an adapter that does not serve. */
export async function bindingOf(instance: AdapterInstance, method?: AdapterMethod): Promise<CallBinding> {
  // An adapter without a target does not serve, and throws here.
  if (instance.target === undefined) await instance.ready();
  return { adapter: instance.target ?? '', ...(method && { method: digestOfMethod(method) }) };
}

/** Throws `proposal_outdated` if an approved call would not do what the person approved. */
export async function requireBinding(
  bound: CallBinding,
  instance: AdapterInstance,
  method?: AdapterMethod,
): Promise<void> {
  requireSameBinding(bound, await bindingOf(instance, method), instance.id);
}

/** Throws `proposal_outdated` with the part that has changed since the proposal. */
export function requireSameBinding(before: CallBinding, now: CallBinding, adapterId: string): void {
  const { adapter, method } = before;
  if (adapter !== now.adapter)
    throw outdatedProposal(
      `The adapter "${adapterId}" has another target, other options or another plugin than at the proposal.`,
    );
  if (method !== now.method)
    throw outdatedProposal(`The method of the adapter "${adapterId}" has changed since the proposal.`);
}

/** Creates the Problem of an approval that no longer holds. */
export function outdatedProposal(reason: string, cause?: unknown): Problem {
  return new Problem(
    'proposal_outdated',
    `${reason} Nothing was sent.`,
    cause === undefined ? {} : { cause },
  );
}

/** Maximum depth of the schemas of a method: deeper JSON can overflow the stack. */
const MAX_DEPTH = 1000;

/** Returns the digest of a method: that of its document, or of all that people and agents read of it. */
function digestOfMethod(method: AdapterMethod): string {
  const ofDocument = documentDigest(method);
  if (ofDocument !== undefined) return ofDocument;
  const { name, summary, description, input, output, effect, tags } = method;
  const shown = { name, summary, description, input, output, effect, tags };
  if (jsonDepth(shown, MAX_DEPTH) > MAX_DEPTH)
    throw new Problem('plugin_failed', `the schemas of the method "${name}" are nested too deeply`);
  return createHash('sha256').update(canonicalJson(shown)).digest('base64url');
}
