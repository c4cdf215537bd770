/** Moves the focus to the heading of the task, when the control with the focus is about to disappear. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.gh-task-head h1')?.focus();
}
