import { type ReactNode, useState } from 'react';
import { problemOf } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { saveFile } from '../../kit/download.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { DuplicateButton } from './duplicate-button.js';
import { exportName } from './forms-text.js';
import { Usage } from './usage.js';

const text = textOf('forms');

interface BulkActionsProps {
  /** Forms that match the search; actions never change others. */
  readonly forms: readonly StoredForm[];
  /** Number of all forms. */
  readonly total: number;
  readonly picked: ReadonlySet<string>;
  readonly onPick: (picked: ReadonlySet<string>) => void;
}

/** Renders actions on the selected forms. */
export function BulkActions({ forms, total, picked, onPick }: BulkActionsProps): ReactNode {
  const { may } = useSession();
  const chosen = forms.filter(({ id }) => picked.has(id));
  const isAll = chosen.length === forms.length;
  const [only] = chosen;
  return (
    <>
      <Button kind="link" isSmall onPress={() => onPick(new Set(isAll ? [] : forms.map(({ id }) => id)))}>
        {isAll
          ? text('clear')
          : text(forms.length < total ? 'selectShown' : 'selectAll', { count: forms.length })}
      </Button>
      {chosen.length > 0 && (
        <>
          <span className="gh-quiet" role="status">
            {text('selected', { count: chosen.length })}
          </span>
          <ExportButton chosen={chosen} />
          {only && chosen.length === 1 && may('importForms') && <DuplicateButton id={only.id} />}
          {may('deleteForms') && <DeleteButton chosen={chosen} onDone={() => onPick(new Set())} />}
        </>
      )}
    </>
  );
}

function ExportButton({ chosen }: { readonly chosen: readonly StoredForm[] }): ReactNode {
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const texts: string[] = [];
      // Uses the server's text of each form, so that no number loses a digit.
      for (const { id } of chosen) {
        const { text: json } = await request({ path: pathOf(['json-forms', 'forms', id]) });
        texts.push(json);
      }
      const name = exportName(chosen.map((form) => form.name));
      saveFile({ name, type: 'application/json', text: `[${texts.join(',\n')}]\n` });
    } catch (error) {
      showToast('danger', problemOf(error).message);
    }
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onPress={() => void save()}>
      {text('export')}
    </Button>
  );
}

function DeleteButton({
  chosen,
  onDone,
}: {
  readonly chosen: readonly StoredForm[];
  readonly onDone: () => void;
}): ReactNode {
  const showToast = useToast();
  const remove = useWrite<{ readonly deleted: number }>(['/json-forms/forms']);
  const confirm = () =>
    remove.mutate(
      { method: 'DELETE', path: '/json-forms/forms', body: { ids: chosen.map(({ id }) => id) } },
      {
        onSuccess: ({ data }) => {
          showToast('success', text('deleted', { count: data.deleted }));
          onDone();
        },
        onError: (problem) => showToast('danger', problem.message),
      },
    );
  return (
    <ConfirmButton
      verb={text('delete')}
      title={text('deleteTitle', { count: chosen.length })}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={confirm}
    >
      <Usage forms={chosen} />
    </ConfirmButton>
  );
}
