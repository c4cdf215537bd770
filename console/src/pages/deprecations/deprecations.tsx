import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/raw-links.js';
import { Tabs } from '../../kit/tabs.js';
import { Clients } from './clients.js';
import { type DeprecationsReply, summaryOf } from './deprecation.js';
import { Operations } from './operations.js';

const PATH = '/deprecations';

/** Operations of previous releases, and their remaining callers. */
export function Deprecations(): ReactNode {
  const deprecations = useRead<DeprecationsReply>(PATH);
  return (
    <Page
      title="Deprecations"
      lead="Deprecated operations, their replacements, and the clients that still call them."
      actions={<RawLinks path={PATH} />}
    >
      <Read query={deprecations} what="the deprecated operations">
        {({ release, results }) => (
          <>
            <Notice kind="info" title={summaryOf(results)}>
              This server implements release {release}. Calls are counted since the server started. Before you
              remove an operation, wait until your least frequent client has called.
            </Notice>
            <Tabs
              label="Deprecations"
              tabs={[
                { key: 'operations', title: 'Operations', content: <Operations all={results} /> },
                { key: 'clients', title: 'Clients', content: <Clients all={results} /> },
              ]}
            />
          </>
        )}
      </Read>
    </Page>
  );
}
