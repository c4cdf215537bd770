/** Returns whether a URL is another page, or another tab of the page. Its other parameters keep the page. */
export function leavesPage(from: string, to: string): boolean {
  const [before, after] = [new URL(from), new URL(to, from)];
  return (
    before.pathname !== after.pathname || before.searchParams.get('tab') !== after.searchParams.get('tab')
  );
}
