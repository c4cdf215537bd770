/**
 * Cache of fetched texts by key. It evicts the least recently used texts above a total number of characters.
 */
export class TextCache {
  readonly #maxCharacters: number;
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  /** Stores a text, unless the text alone exceeds the limit of the cache. */
  put(key: string, text: string): void {
    this.#delete(key);
    if (text.length > this.#maxCharacters) return;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
