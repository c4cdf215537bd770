/** Cache of fetched texts by key; evicts the least recently used texts above a total number of characters. */
export class TextCache {
  readonly #most: number;
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#most = mostCharacters;
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
    this.#drop(key);
    if (text.length > this.#most) return;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
