import type { ReactNode } from 'react';
import { textOf } from '../text/text.js';

const text = textOf('traffic');

interface CallerNameProps {
  /** Name for people; absent in records of earlier versions. */
  readonly name?: string | undefined;
  readonly subject: string;
  readonly issuer?: string | undefined;
}

/** Renders the name of a caller; its title is the identity, because two callers may have the same name. */
export function CallerName({ name = '', subject, issuer = '' }: CallerNameProps): ReactNode {
  const shown = name === '' ? subject : name;
  return issuer === '' ? shown : <span title={text('callerIdentity', { subject, issuer })}>{shown}</span>;
}
