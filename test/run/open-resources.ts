/** Kinds of resources that a test file must close: each keeps the process alive and disturbs later files. */
const KINDS = [
  'TCPServerWrap',
  'PipeWrap',
  'ProcessWrap',
  'MessagePort',
  'Timeout',
  'FSEventWrap',
  'StatWatcher',
];

/** Time limit for resources that are closed at the end of a file but take a moment, in milliseconds. */
const CLOSING_MS = 3_000;

export type OpenResources = Readonly<Record<string, number>>;

/** Counts the resources that keep this process alive. */
export function openResources(): OpenResources {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo())
    if (KINDS.includes(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * Waits until no more resources are open than `before`; after a time limit returns the rest, as `2
 * TCPServerWrap`.
 */
export async function waitUntilClosed(before: OpenResources): Promise<readonly string[]> {
  const deadline = Date.now() + CLOSING_MS;
  for (;;) {
    const left = leftOpen(before);
    if (left.length === 0 || Date.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Returns the open resources that exceed `before`: `2 TCPServerWrap`. */
export function leftOpen(before: OpenResources): readonly string[] {
  return Object.entries(openResources()).flatMap(([kind, count]) => {
    const more = count - (before[kind] ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}
