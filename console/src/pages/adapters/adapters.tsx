import { type ReactNode, useState } from 'react';
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
import { ImportDialog, RegisterDialog } from './register-dialog.js';
import { withLiveRates } from './status.js';

const PATH = '/console/overview';
/** Interval between reads of the last day, in milliseconds. */
const TRAFFIC_MS = 60_000;

/** Renders all adapters: their state, their traffic of the last day, and actions. */
export function Adapters(): ReactNode {
  const { may } = useSession();
  const overview = useRead<OverviewReply>(PATH);
  const traffic = useRead<TrafficReply>('/console/traffic?span=24h&limit=200', {
    everyMs: TRAFFIC_MS,
    enabled: may('getTraffic'),
  });
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  const [openDialog, setOpenDialog] = useState<'register' | 'import'>();
  const close = () => setOpenDialog(undefined);
  const buttons = (
    <>
      {may('importAdapter') && <Button onPress={() => setOpenDialog('import')}>Import</Button>}
      {may('createAdapter') && (
        <Button kind="primary" onPress={() => setOpenDialog('register')}>
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
      {openDialog === 'register' && <RegisterDialog onClose={close} />}
      {openDialog === 'import' && <ImportDialog onClose={close} />}
    </Page>
  );
}
