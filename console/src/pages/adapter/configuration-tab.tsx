import { type ReactNode, useEffect, useRef, useState } from 'react';
import { valueAt } from '../../../../src/json/pointer.js';
import type { AdapterStatusView } from '../../api/observe.js';
import { useReadReply } from '../../api/queries.js';
import { type ApiReply, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CodeView } from '../../kit/copy.js';
import { Notice, Read } from '../../kit/feedback.js';
import { prettyJson } from '../../kit/json-text.js';
import { focusPageHeading } from '../../kit/route-focus.js';
import { textOf } from '../../text/text.js';
import { MissingSecretNotice } from '../configure/missing-secret.js';
import { TestConnection } from '../configure/test-connection.js';
import { type AdapterEntry, documentText } from './adapter-entry.js';
import { ConfigurationEditor } from './configuration-editor.js';

const text = textOf('configure');

/** Renders the stored configuration of an adapter, with an editor if it can be changed. */
export function ConfigurationTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name, origin } = adapter;
  const { may } = useSession();
  const [isEditing, setEditing] = useState(false);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) focusPageHeading();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const entry = useReadReply<AdapterEntry>(pathOf(['adapters', name]));
  return (
    <Read query={entry} what={text('configurationWhat')}>
      {(reply) =>
        isEditing ? (
          <ConfigurationEditor
            name={name}
            current={reply}
            readAgain={async () => (await entry.refetch()).data}
            onClose={() => setEditing(false)}
          />
        ) : (
          <>
            {origin.kind === 'file' && (
              <Notice kind="info" title={text('inFile', { file: origin.file })}>
                {text('inFileHelp')}
              </Notice>
            )}
            <MissingSecretNotice
              cause={adapter.cause}
              settings={valueAt(reply.data.data, '/properties/properties')}
            />
            <SyncNotice reply={reply} cause={adapter.cause} />
            {origin.kind === 'record' && may('updateAdapter') && (
              <div className="gh-actions">
                <Button kind="primary" onPress={() => setEditing(true)}>
                  {text('edit')}
                </Button>
              </div>
            )}
            {may('testSavedAdapterConnection') && <TestConnection name={name} />}
            <CodeView text={prettyJson(documentText(reply.text))} label={text('stored')} />
          </>
        )
      }
    </Read>
  );
}

function SyncNotice({
  reply: { data },
  cause,
}: {
  readonly reply: ApiReply<AdapterEntry>;
  readonly cause: string | null;
}): ReactNode {
  const { isActive, activeSync } = data.metadata;
  return (
    <>
      {!activeSync && (
        <Notice kind="warning" title={text('notApplied')}>
          {cause}
        </Notice>
      )}
      {!isActive && <Notice kind="info" title={text('notInProfile')} />}
    </>
  );
}
