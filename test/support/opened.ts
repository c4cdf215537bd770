/**
 * Closes, after the tests of the suite, what its hooks have opened: the last first, and also if a hook failed after it had opened
 * only some. Call it once at the beginning of `describe`; it returns a function that remembers a resource and returns it.
 *
 * @example
 * const opened = openedBySuite();
 * before(async () => {
 *   server = await opened(startPostgres());
 * });
 */
export function openedBySuite(): <T extends Closable>(resource: T | Promise<T>) => Promise<T> {
  const open: Closable[] = [];
  after(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close();
  });
  return remembered(open);
}

/** Closes, after each test of the suite, what the test and its hooks have opened, like {@link openedBySuite}. */
export function openedByTest(): ReturnType<typeof openedBySuite> {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close();
  });
  return remembered(open);
}

function remembered(open: Closable[]): ReturnType<typeof openedBySuite> {
  return async (opening) => {
    const resource = await opening;
    open.push(resource);
    return resource;
  };
}

/** Something that must be closed. */
interface Closable {
  readonly close: () => unknown;
}
