import { createElement, Fragment, type ReactNode } from 'react';

/** Renders a text of a schema or of the API; what is between backticks is code, as in Markdown. */
export function withCode(text: string): ReactNode {
  const parts = text.split(/`([^`]+)`/);
  if (parts.length === 1) return text;
  return createElement(
    Fragment,
    null,
    ...parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part)),
  );
}
