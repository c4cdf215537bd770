/** How reloads ended so far. */
export interface ReloadCounts {
  /** Configurations from disk that went live, and that were refused. */
  readonly files: { readonly live: number; readonly refused: number };
  /** By adapterId: rotated secrets that went live, and those with which the adapter did not work. */
  readonly secrets: ReadonlyMap<string, { readonly live: number; readonly failed: number }>;
}

/** Counts reloads. */
export class ReloadCounter {
  readonly #files = { live: 0, refused: 0 };
  readonly #secrets = new Map<string, { live: number; failed: number }>();

  countFiles(outcome: 'live' | 'refused'): void {
    this.#files[outcome] += 1;
  }

  countSecrets(adapterIds: Iterable<string>, outcome: 'live' | 'failed'): void {
    for (const id of adapterIds) {
      const counts = this.#secrets.get(id) ?? { live: 0, failed: 0 };
      counts[outcome] += 1;
      this.#secrets.set(id, counts);
    }
  }

  counts(): ReloadCounts {
    return { files: { ...this.#files }, secrets: new Map(this.#secrets) };
  }
}
