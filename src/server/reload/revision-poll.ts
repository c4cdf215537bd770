export interface RevisionPollOptions {
  /** Reads the revision of what was asked for through the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  /** Called once for each revision that others made. */
  readonly onChange: () => void;
}

/** Makes a look for what was asked for on another node. It throws what reading throws. */
export function createRevisionPoll({ revision, live, onChange }: RevisionPollOptions): () => Promise<void> {
  let seen = live();
  return async () => {
    const found = await revision();
    // Our own changes are taken up by whoever made them.
    const isNews = found !== seen && found !== live();
    seen = found;
    if (isNews) onChange();
  };
}
