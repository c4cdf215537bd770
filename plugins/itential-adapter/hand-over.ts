import { type GenericOutcome, type OutcomeText, RAW_LENGTH } from './messages.js';

/** An outcome, and the buffers in it that are handed over instead of copied. */
interface HandedOver {
  readonly outcome: GenericOutcome;
  readonly buffers: ArrayBuffer[];
}

/**
 * Returns an outcome whose texts are bytes, because the host would need time and memory for texts of megabytes. A text of more than
 * `maxBytes` stays in the worker, whose memory is limited.
 */
export function handedOver(outcome: GenericOutcome, maxBytes: number): HandedOver {
  const buffers: ArrayBuffer[] = [];
  const seen = { isTooLarge: false };
  const bytesOf = (text: OutcomeText): OutcomeText => {
    seen.isTooLarge ||= Buffer.byteLength(text) > maxBytes;
    if (seen.isTooLarge) return '';
    const bytes = new TextEncoder().encode(String(text));
    buffers.push(bytes.buffer);
    return bytes;
  };
  const encoded = withTexts(outcome, bytesOf);
  return seen.isTooLarge
    ? { outcome: { kind: 'too-large', maxBytes }, buffers: [] }
    : { outcome: encoded, buffers };
}

function withTexts(outcome: GenericOutcome, bytesOf: (text: OutcomeText) => OutcomeText): GenericOutcome {
  switch (outcome.kind) {
    case 'response':
      return { ...outcome, body: { ...outcome.body, text: bytesOf(outcome.body.text) } };
    case 'error': {
      const { body, message } = outcome;
      // The message may be a reply of the orchestrator.
      const start = message.slice(0, RAW_LENGTH);
      return { ...outcome, message: start, ...(body && { body: { ...body, text: bytesOf(body.text) } }) };
    }
    case 'result':
      return { ...outcome, json: bytesOf(outcome.json) };
    default:
      return outcome;
  }
}
