import type { Redactor } from '../../core/redactor.js';
import type { SecretSource } from '../../vault/open-secrets.js';

/** A source whose values are masked wherever they are printed. */
export interface MaskedSecrets extends Pick<SecretSource, 'resolve'> {
  /** Says that the values are no longer in use: an hour later they are no longer looked for. */
  close(): Promise<void>;
}

/** Tells the redactor every value before anyone else learns it. */
export function redactedSecrets(
  source: Pick<SecretSource, 'resolve'>,
  redactor: Pick<Redactor, 'add'>,
): MaskedSecrets {
  const held: (() => void)[] = [];
  return {
    async resolve(...asked) {
      const resolutions = await source.resolve(...asked);
      const values = [...resolutions.values()].flatMap((one) => ('value' in one ? [String(one.value)] : []));
      held.push(redactor.add(values));
      return resolutions;
    },
    close() {
      for (const release of held.splice(0)) release();
      return Promise.resolve();
    },
  };
}
