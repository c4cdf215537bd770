import { valueAt } from '../../../../src/core/pointer.js';
import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { useReadReply } from '../../api/queries.js';
import { type ApiReply, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CodeView } from '../../kit/copy.js';
import { Notice, Read } from '../../kit/feedback.js';
import { prettyJson } from '../../kit/json-text.js';
import { MissingSecretNotice } from '../configure/missing-secret.js';
import { TestConnection } from '../configure/test-connection.js';
import { type AdapterEntry, documentText } from './adapter-entry.js';
import { ConfigurationEditor } from './configuration-editor.js';

/** Renders the stored configuration of an adapter, with an editor if it can be changed. */
export function ConfigurationTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name, origin } = adapter;
  const { may } = useSession();
  const [isEditing, setEditing] = useState(false);
  const entry = useReadReply<AdapterEntry>(pathOf(['adapters', name]));
  return (
    <Read query={entry} what="the configuration">
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
              <Notice kind="info" title={`This adapter is configured in the file ${origin.file}.`}>
                To change the adapter, edit the file; this tab is read-only. You can still start and stop the
                adapter and set its log level.
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
                  Edit
                </Button>
              </div>
            )}
            {may('testSavedAdapterConnection') && <TestConnection name={name} />}
            <CodeView
              text={prettyJson(documentText(reply.text))}
              label="Stored configuration; secrets are references"
            />
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
        <Notice
          kind="warning"
          title="The adapter runs with its previous configuration: the configuration below could not be applied."
        >
          {cause}
        </Notice>
      )}
      {!isActive && (
        <Notice
          kind="info"
          title="The active profile does not include this adapter, so the adapter does not run."
        />
      )}
    </>
  );
}
