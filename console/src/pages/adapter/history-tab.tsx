import type { ReactNode } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { useReadReply } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Notice, Read } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';
import { HistoryTab } from '../history/history-tab.js';
import type { AdapterEntry } from './adapter-entry.js';

const text = textOf('history');

/** Renders the versions of an adapter; those of an adapter in a file are kept where the file is kept. */
export function AdapterHistoryTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name, origin } = adapter;
  if (origin.kind === 'file')
    return (
      <Notice kind="info" title={text('inFile', { file: origin.file })}>
        {text('inFile.help')}
      </Notice>
    );
  return <RegisteredHistory name={name} />;
}

function RegisteredHistory({ name }: { readonly name: string }): ReactNode {
  const entry = useReadReply<AdapterEntry>(pathOf(['adapters', name]));
  return (
    <Read query={entry} what={text('what')}>
      {({ etag }) => <HistoryTab record={{ kind: 'adapter', name }} etag={etag} />}
    </Read>
  );
}
