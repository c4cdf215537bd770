/** What a key on any page of the console does. */
export type KeyCommand =
  | { readonly kind: 'palette' | 'keys' | 'search' }
  /** The first key of a sequence; the next key completes it. */
  | { readonly kind: 'prefix' }
  | { readonly kind: 'goTo'; readonly key: string };

/** A pressed key, as in `KeyboardEvent`. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True while the focus is in a control in which people type. */
  readonly isTyping: boolean;
}

/** First key of the sequences that open a page. */
export const GO_TO_KEY = 'g';

/** Returns the command of a key, or `undefined`. `isAfterPrefix`: the key before was {@link GO_TO_KEY}. */
export function keyCommandOf(pressed: PressedKey, isAfterPrefix: boolean): KeyCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, isTyping } = pressed;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !altKey ? { kind: 'palette' } : undefined;
  if (altKey || isTyping) return undefined;
  if (isAfterPrefix) return { kind: 'goTo', key };
  return COMMANDS[key];
}

const COMMANDS: Readonly<Record<string, KeyCommand>> = {
  [GO_TO_KEY]: { kind: 'prefix' },
  '?': { kind: 'keys' },
  '/': { kind: 'search' },
};
