/** Something that tests use and that a machine may lack: a program, a platform, a right, or a folder with data. */
export interface Need {
  /** As in "1 test needs PostgreSQL"; without parentheses. */
  readonly name: string;
  /** How to get it. Absent if nothing can be installed, for example for a platform. */
  readonly hint?: string;
  readonly isMet: () => boolean;
}

/**
 * Defines a suite that runs only if all needs are met. Otherwise its tests are listed as skipped with the first need that is not
 * met, and none of its hooks run: no hook can close what was never opened.
 */
export function describeWith(
  needs: Need | readonly Need[],
  title: string,
  body: (this: Mocha.Suite) => void,
): void {
  const lack = lackOf(needs);
  if (lack) describe.skip(titleWith(title, lack), body);
  else describe(title, body);
}

/** Defines a test that runs only if all needs are met. Otherwise it is listed as skipped. */
export function itWith(
  needs: Need | readonly Need[],
  title: string,
  body: Mocha.AsyncFunc | Mocha.Func,
): void {
  const lack = lackOf(needs);
  if (lack) it.skip(titleWith(title, lack));
  else it(title, body);
}

/** Returns the first need that this machine does not meet; undefined if it meets all. */
export function lackOf(needs: Need | readonly Need[]): Need | undefined {
  return [needs].flat().find((need) => !isMet(need));
}

/** Returns the name of the need for which a test was skipped, by its full title. */
export function needInTitle(fullTitle: string): string | undefined {
  return /\(needs ([^()]+)\)/.exec(fullTitle)?.[1];
}

function titleWith(title: string, { name }: Need): string {
  return `${title} (needs ${name})`;
}

const known = new Map<Need, boolean>();

/** Looks for a need once for each process. */
function isMet(need: Need): boolean {
  const answer = known.get(need) ?? need.isMet();
  known.set(need, answer);
  return answer;
}
