import { type ReactNode, useMemo, useState } from 'react';
import '../../style/forms.css';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { BulkActions } from './bulk-actions.js';
import { CreateDialog } from './create-dialog.js';
import { formColumns } from './form-columns.js';
import { ImportDialog } from './import-dialog.js';

const PATH = '/json-forms/forms';
const text = textOf('forms');

/** Renders the list of all forms, with actions on several forms at once. */
export function Forms(): ReactNode {
  const { may } = useSession();
  const forms = useRead<readonly StoredForm[]>(PATH);
  const [{ create }, setUrl] = useUrlState({ create: '' });
  const [dialog, setDialog] = useState<'create' | 'import' | undefined>(create === '' ? undefined : 'create');
  const close = () => {
    setDialog(undefined);
    if (create !== '') setUrl({ create: '' });
  };
  const importing = may('importForms') && (
    <Button onPress={() => setDialog('import')}>{text('import')}</Button>
  );
  const creating = may('createForm') && (
    <Button kind="primary" onPress={() => setDialog('create')}>
      {text('create')}
    </Button>
  );
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={importing}
      primary={creating}
      source={{ path: PATH }}
    >
      <Read query={forms} what={text('what')}>
        {(found) => (
          <FormList
            forms={found}
            actions={
              <>
                {importing}
                {creating}
              </>
            }
          />
        )}
      </Read>
      {dialog === 'create' && (
        <CreateDialog firstStart={create === 'template' ? 'template' : 'empty'} onClose={close} />
      )}
      {dialog === 'import' && <ImportDialog onClose={close} />}
    </Page>
  );
}

function FormList({
  forms,
  actions,
}: {
  readonly forms: readonly StoredForm[];
  readonly actions: ReactNode;
}): ReactNode {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => formColumns(picked, setPicked), [picked]);
  return (
    <DataTable
      label={text('title')}
      columns={columns}
      rows={forms}
      keyOf={({ id }) => id}
      sort="name"
      bulk={(found) => <BulkActions forms={found} total={forms.length} picked={picked} onPick={setPicked} />}
      empty={
        <Empty title={text('emptyTitle')} actions={actions}>
          {text('emptyHelp')}
        </Empty>
      }
    />
  );
}
