import { childElement, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import { missingConfirmation, warningsIn } from './messages.js';

/** What a reply without errors says about the success of its operation. */
export interface Confirmation {
  /** How the reply differs from a confirmation; absent for a confirmation. */
  readonly difference?: string;
  /** Texts of the warnings, each in one line. */
  readonly warnings: readonly string[];
}

/** Reads the reply to an operation that has no output. */
export function confirmationIn(reply: XmlElement): Confirmation {
  const difference = missingConfirmation(reply);
  return { ...warningsOf(reply), ...(difference !== undefined && { difference }) };
}

/** Reads the reply to `establish-subscription`, which is confirmed with the `id` of the subscription (RFC 8639 section 2.4.2). */
export function subscriptionConfirmation(reply: XmlElement): Confirmation {
  return childElement(reply, 'id') ? warningsOf(reply) : confirmationIn(reply);
}

/** Reads the reply to an operation with data or output, which confirms the operation (RFC 6241 section 4.2). */
export function warningsOf(reply: XmlElement): { readonly warnings: readonly string[] } {
  return { warnings: warningsIn(reply).map(({ tag, message, info }) => message || info || tag) };
}
