// The living page of all controls: `npx vite build console --mode gallery`. It is no part of the product.
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../src/style/tokens.css';
import '../src/style/controls.css';
import '../src/style/console.css';
import { followTheme } from '../src/app/user-menu.js';
import { Button } from '../src/kit/button.js';
import { Segments } from '../src/kit/choices.js';
import { Dialog } from '../src/kit/dialog.js';
import { Facts } from '../src/kit/facts.js';
import { Empty, Loading, Notice } from '../src/kit/feedback.js';
import { CheckField, RowCheck, SelectField, TextAreaField, TextField } from '../src/kit/fields.js';
import { Menu } from '../src/kit/menu.js';
import { Actions, Page, Panel } from '../src/kit/page.js';
import { Pager, RowsTable } from '../src/kit/rows-table.js';
import { StatusLabel, Tag } from '../src/kit/status.js';
import { Toasts, useToast } from '../src/kit/toasts.js';
import { startTexts } from '../src/text/start-texts.js';

const KINDS = ['primary', 'secondary', 'danger', 'link', 'plain'] as const;
const STATES = ['good', 'warning', 'bad', 'busy', 'off'] as const;
const NOTICES = ['info', 'success', 'warning', 'danger'] as const;
const nothing = (): void => undefined;

/** Rows with names as network engineers give them, and numbers of four digits. */
const ROWS = Array.from({ length: 25 }, (_, at) => ({
  name: `edge-${['berlin', 'hamburg', 'frankfurt-am-main'][at % 3]}-${at}.example.com`,
  calls: 1234 * (at + 1),
  state: STATES[at % STATES.length] ?? 'off',
}));

function Gallery(): ReactNode {
  const [value, setValue] = useState('edge-berlin');
  const [segment, setSegment] = useState('1h');
  const [isOpen, setOpen] = useState(false);
  const showToast = useToast();
  return (
    <main>
      <Page title="Controls" lead="Every control in every state.">
        <Panel title="Buttons">
          {(['usual', 'busy', 'disabled', 'small'] as const).map((state) => (
            <Actions key={state}>
              {KINDS.map((kind) => (
                <Button
                  key={kind}
                  kind={kind}
                  label={`${kind} ${state}`}
                  isBusy={state === 'busy'}
                  isDisabled={state === 'disabled'}
                  isSmall={state === 'small'}
                  onPress={nothing}
                >
                  {kind === 'plain' ? '✕' : kind}
                </Button>
              ))}
            </Actions>
          ))}
          <Actions>
            <Segments
              label="Time span"
              value={segment}
              onChange={setSegment}
              options={['1h', '24h', '7d'].map((key) => ({ key, label: key }))}
            />
            <Menu
              label="Actions for edge-berlin"
              title="Actions"
              actions={[
                { key: 'test', title: 'Test now', onPress: nothing },
                { key: 'delete', title: 'Delete', isDangerous: true, isApart: true, onPress: nothing },
              ]}
            />
            <Button onPress={() => setOpen(true)}>Open a dialog</Button>
            <Button onPress={() => showToast('success', 'edge-berlin is reachable.')}>Show a message</Button>
          </Actions>
        </Panel>
        <Panel title="Fields">
          <TextField label="Name" isRequired value={value} onChange={setValue} help="1 to 64 letters." />
          <TextField label="URL" value={value} onChange={setValue} error="No URL." />
          <SelectField
            label="Level"
            value="info"
            onChange={nothing}
            options={[{ value: 'info', label: 'Info' }]}
          />
          <TextAreaField label="Reason" rows={2} value={value} onChange={setValue} />
          <CheckField label="Enabled" isChecked onChange={nothing} help="Takes calls." />
        </Panel>
        <Panel title="States">
          <Actions>
            {STATES.map((status) => (
              <StatusLabel key={status} status={status}>
                {status}
              </StatusLabel>
            ))}
            <Tag>site:berlin</Tag>
          </Actions>
          {NOTICES.map((kind) => (
            <Notice
              key={kind}
              kind={kind}
              title={`A notice: ${kind}`}
              actions={
                <Button kind="link" onPress={nothing}>
                  Try again
                </Button>
              }
            >
              <p>What happened, and what to do.</p>
            </Notice>
          ))}
          <Loading what="the adapters" />
          <Empty title="No adapters" actions={<Button onPress={nothing}>Register</Button>}>
            Adapters connect orchestrators.
          </Empty>
          <Facts facts={{ Version: '1.0.0', Started: '5 min. ago' }} />
        </Panel>
        <Panel title="Table">
          <RowsTable
            label="Adapters"
            rows={ROWS}
            keyOf={({ name }) => name}
            columns={[
              {
                key: 'pick',
                title: 'Select',
                cell: ({ name }) => <RowCheck label={`Select ${name}`} isChecked onChange={nothing} />,
              },
              { key: 'name', title: 'Name', cell: ({ name }) => name },
              {
                key: 'state',
                title: 'State',
                cell: ({ state }) => <StatusLabel status={state}>{state}</StatusLabel>,
              },
              { key: 'calls', title: 'Calls', isNumber: true, cell: ({ calls }) => `${calls}/min` },
              {
                key: 'actions',
                title: 'Actions',
                cell: ({ name }) => (
                  <Menu
                    label={`Actions for ${name}`}
                    actions={[{ key: 'stop', title: 'Stop', onPress: nothing }]}
                  />
                ),
              },
            ]}
          />
          <Pager total={205} size={50} page={2} onPage={nothing} />
        </Panel>
        <Dialog
          title="Stop edge-berlin"
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          actions={
            <Button kind="danger" onPress={() => setOpen(false)}>
              Stop
            </Button>
          }
        >
          <TextField label="Comment" value={value} onChange={setValue} />
        </Dialog>
      </Page>
    </main>
  );
}

followTheme();
await startTexts();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Toasts>
      <Gallery />
    </Toasts>,
  );
