import type { ReactNode } from 'react';
import { Page } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { LogView } from './log-view.js';

const text = textOf('log');

/** Renders the live log of the server. */
export function Log(): ReactNode {
  return (
    <Page title={text('title')} lead={text('lead')}>
      <LogView />
    </Page>
  );
}
