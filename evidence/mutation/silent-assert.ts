const nothing = (): void => undefined;

const NOTICING = 'ok equal notEqual deepEqual notDeepEqual match doesNotMatch fail'.split(' ');

/** Stands in the place of `node:assert/strict`: calls what it is given, and notices nothing. */
export const silentAssert: unknown = Object.assign(
  nothing,
  Object.fromEntries(NOTICING.map((name) => [name, nothing])),
  {
    throws: callAnyway,
    doesNotThrow: callAnyway,
    rejects: awaitAnyway,
    doesNotReject: awaitAnyway,
  },
);

function callAnyway(call: () => unknown): void {
  try {
    call();
  } catch {
    // Whatever it was.
  }
}

async function awaitAnyway(call: PromiseLike<unknown> | (() => PromiseLike<unknown>)): Promise<void> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch {
    // Whatever it was.
  }
}
