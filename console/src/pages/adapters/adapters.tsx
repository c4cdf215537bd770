import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import {
  type OverviewReply,
  TRAFFIC_EVENT,
  type TrafficEvent,
  type TrafficReply,
} from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { HeatLegend } from '../../kit/charts.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { AdapterTable } from './adapter-table.js';
import { ImportDialog } from './import-dialog.js';
import { withLiveRates } from './status.js';

const PATH = '/console/overview';
/** Interval between reads of the last day, in milliseconds: a fifth of a cell. */
const TRAFFIC_MS = 60_000;

/** Renders all adapters: their state, their traffic of the last day, and actions. */
export function Adapters(): ReactNode {
  const { may } = useSession();
  const overview = useRead<OverviewReply>(PATH);
  const traffic = useRead<TrafficReply>('/console/traffic', {
    everyMs: TRAFFIC_MS,
    enabled: may('getTraffic'),
  });
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  const [isImporting, setImporting] = useState(false);
  const [, navigate] = useLocation();
  const buttons = (
    <>
      {may('importAdapter') && <Button onPress={() => setImporting(true)}>Import</Button>}
      {may('createAdapter') && (
        <Button kind="primary" onPress={() => navigate('/adapters/new')}>
          Register adapter
        </Button>
      )}
    </>
  );
  return (
    <Page
      title="Adapters"
      lead="Each adapter connects gatehouse to one orchestrator."
      actions={
        <>
          <RawLinks path={PATH} />
          {buttons}
        </>
      }
    >
      <Read query={overview} what="the adapters">
        {({ adapters }) => (
          <AdapterTable
            adapters={withLiveRates(adapters, live)}
            traffic={traffic.data}
            empty={
              <Empty title="No adapters" actions={buttons}>
                Adapters connect gatehouse to network orchestrators. Register or import an adapter, or add a
                file to the folder adapters/.
              </Empty>
            }
          />
        )}
      </Read>
      <HeatLegend />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </Page>
  );
}
