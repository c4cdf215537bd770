/** The element that had the focus when the person opened another page; `undefined` if nothing waits for the page. */
let focusedBefore: Element | null | undefined;

/** Reports that another page was opened: the focus moves to its heading when it is there. */
export function reportNavigation(): void {
  focusedBefore = document.activeElement;
}

/**
 * Moves the focus to the heading of a page that was opened from another one, so that screen readers read it and Tab
 * continues in the page. Leaves the focus where the page or the person has moved it meanwhile.
 */
export function focusAfterNavigation(heading: HTMLElement | null | undefined): void {
  if (focusedBefore === undefined || !heading) return;
  const { activeElement } = document;
  const isUnmoved =
    activeElement === focusedBefore || activeElement === document.body || activeElement === null;
  focusedBefore = undefined;
  if (isUnmoved) heading.focus();
}

/** Moves the focus to the heading of the page, after an action that removes the focused element. */
export function focusPageHeading(): void {
  document.querySelector<HTMLElement>('h1')?.focus();
}
