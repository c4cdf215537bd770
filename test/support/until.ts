/** Waits until the condition holds, looking again on every turn of the event loop; fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`did not come true within 5 s: ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
