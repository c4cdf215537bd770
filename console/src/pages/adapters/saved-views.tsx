import { type ReactNode, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { SubmitButton } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { EntryForm, TextField } from '../../kit/fields.js';
import { Menu, type MenuAction } from '../../kit/menu.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { readViews, type SavedView, viewQuery, withView, writeViews } from './views.js';

const text = textOf('adapters');

const storage = (): Storage => window.localStorage;

/** Renders the menu of the views that this browser keeps: named filters, which are also in the address. */
export function SavedViews(): ReactNode {
  const [views, setViews] = useState(() => readViews(storage));
  const [isNaming, setNaming] = useState(false);
  const showToast = useToast();
  const [, navigate] = useLocation();
  const query = viewQuery(useSearch());
  const store = (next: readonly SavedView[]): void => {
    setViews(next);
    if (!writeViews(storage, next)) showToast('danger', text('viewsNotStored'));
  };
  const current = views.find((view) => view.query === query);
  const open = (view: string) => navigate(view === '' ? '/adapters' : `/adapters?${view}`);
  const actions: readonly MenuAction[] = [
    { key: '-all', title: text('allAdapters'), isChosen: query === '', onPress: () => open('') },
    ...views.map((view) => ({
      key: `view ${view.name}`,
      title: view.name,
      isChosen: view === current,
      onPress: () => open(view.query),
    })),
    ...(query === '' || current
      ? []
      : [{ key: '-save', title: text('saveView'), isApart: true, onPress: () => setNaming(true) }]),
    ...(current
      ? [
          {
            key: '-delete',
            title: text('deleteView', { name: current.name }),
            isApart: true,
            onPress: () => store(views.filter((view) => view !== current)),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        label={current ? text('viewsOf', { name: current.name }) : text('views')}
        title={current?.name ?? text('views')}
        side="start"
        actions={actions}
      />
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => store(withView(views, { name, query }))}
        />
      )}
    </>
  );
}

function NameDialog({
  onName,
  onClose,
}: {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const submit = (): void => {
    if (name.trim() === '') {
      setError(text('viewNameMissing'));
      return;
    }
    onName(name.trim());
    onClose();
  };
  return (
    <Dialog
      title={text('saveView')}
      isOpen
      onClose={onClose}
      actions={<SubmitButton form="gh-view-name">{text('save')}</SubmitButton>}
    >
      <EntryForm id="gh-view-name" label={text('saveView')} onSubmit={submit}>
        <TextField
          label={text('viewName')}
          value={name}
          onChange={setName}
          help={text('viewHelp')}
          {...(error !== undefined && { error })}
        />
      </EntryForm>
    </Dialog>
  );
}
