import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useParams } from 'wouter';
import '../../style/forms.css';
import { useReadReply } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { digitsLost, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { flushSync } from 'react-dom';
import { useSession } from '../../app/session.js';
import { runExamples } from '../../design/examples.js';
import { Button } from '../../kit/button.js';
import { StatusLabel } from '../../kit/status.js';
import { Tabs } from '../../kit/tabs.js';
import { Ago } from '../../kit/time.js';
import { CheckTab } from './check-tab.js';
import { DesignTab } from './design-tab.js';
import { ExamplesTab } from './examples-tab.js';
import { SaveBar, type Saving, useSave } from './save-bar.js';
import { type Design, useDesign } from './use-design.js';
import { VersionsTab } from './versions-tab.js';

/** Renders the page of a form: its fields, its preview, its findings, and its history. */
export function Designer(): ReactNode {
  const { id = '' } = useParams();
  const found = useReadReply<StoredForm | null>(pathOf(['json-forms', 'forms', id]));
  const { data: form, text = '' } = found.data ?? {};
  if (form) return <DesignerController key={form.id} read={form} text={text} />;
  return (
    <Page title="Form">
      <Read query={found} what="the form">
        {() => (
          <Empty title="Form not found">
            The form may have been deleted. See the <Link to="/forms">list of forms</Link>.
          </Empty>
        )}
      </Read>
    </Page>
  );
}

/** Renders the designer of one form, with its state. */
function DesignerController({ read, text }: { readonly read: StoredForm; readonly text: string }): ReactNode {
  const canEdit = useSession().may('updateForm');
  const design = useDesign(read, canEdit);
  const save = useSave(design);
  const latest = useRef({ design, save });
  latest.current = { design, save };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => designKey(event, latest, canEdit);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [canEdit]);
  return (
    <div className="gh-design">
      <Page
        title={design.draft.name === '' ? 'Form' : design.draft.name}
        lead={<FormLead design={design} />}
        actions={<SaveBar design={design} save={save} />}
      >
        <Warnings design={design} read={read} text={text} isSaving={save.isBusy} />
        <Tabs label="Parts of the form" tabs={tabsOf(design)} />
      </Page>
    </div>
  );
}

/**
 * Saves with Ctrl+S, and undoes and redoes edits of the form with Ctrl+Z and Ctrl+Y, wherever the focus is. The
 * JSON editor and dialogs have their own keys.
 */
function designKey(
  event: KeyboardEvent,
  latest: RefObject<{ readonly design: Design; readonly save: Saving }>,
  canEdit: boolean,
): void {
  const { design } = latest.current;
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !canEdit) return;
  if (key === 's') {
    applyPendingName(document.activeElement);
    if (latest.current.design.isChanged) latest.current.save.start();
  } else if (hasOwnUndo(event.target)) return;
  else if (key === 'z' && !event.shiftKey) design.undo();
  else if (key === 'y' || key === 'z') design.redo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function hasOwnUndo(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.cm-editor, [role="dialog"]') !== null;
}

/**
 * A name is applied when its field loses the focus. Blurs the field briefly, so that the name is saved with
 * the rest.
 */
function applyPendingName(field: Element | null): void {
  if (!(field instanceof HTMLInputElement)) return;
  flushSync(() => field.blur());
  field.focus();
}

function tabsOf(design: Design) {
  return [
    { key: 'design', title: 'Design', content: <DesignTab design={design} /> },
    { key: 'check', title: checkTitle(design), content: <CheckTab design={design} /> },
    { key: 'examples', title: examplesTitle(design), content: <ExamplesTab design={design} /> },
    { key: 'versions', title: 'Versions', content: <VersionsTab design={design} /> },
  ];
}

function checkTitle({ findings }: Design): string {
  return findings.length === 0 ? 'Check' : `Check (${findings.length})`;
}

function examplesTitle({ draft }: Design): string {
  const results = runExamples(draft) ?? [];
  if (results.length === 0) return 'Examples';
  return `Examples (${results.filter(({ passed }) => passed).length} of ${results.length})`;
}

function FormLead({ design: { form, draft, isChanged, canEdit } }: { readonly design: Design }): ReactNode {
  return (
    <>
      <Link to="/forms">Forms</Link> · {draft.description === '' ? 'no description' : draft.description} ·{' '}
      <span className="gh-quiet">
        saved <Ago at={form.lastUpdated ?? form.created} />
        {lastEditorOf(form) !== '' && ` by ${lastEditorOf(form)}`}
      </span>{' '}
      {isChanged && <StatusLabel status="busy">unsaved changes</StatusLabel>}
      {!canEdit && <StatusLabel status="off">read-only</StatusLabel>}
    </>
  );
}

interface WarningsProps {
  readonly design: Design;
  readonly read: StoredForm;
  readonly text: string;
  /** True while a saved form may be read again before the response to saving has arrived. */
  readonly isSaving: boolean;
}

/**
 * Renders warnings before editing: unsaved changes of an earlier visit, changes of another user, and numbers
 * that would lose digits.
 */
function Warnings({ design, read, text, isSaving }: WarningsProps): ReactNode {
  const { form, isChanged, isRestored, rebase, saved } = design;
  const inexactNumbers = useMemo(() => digitsLost(text), [text]);
  const isOutdated = !isSaving && Date.parse(read.lastUpdated ?? '') > Date.parse(form.lastUpdated ?? '');
  return (
    <>
      {isOutdated && (
        <Notice
          kind="warning"
          title={`${lastEditorOf(read) || 'Another user'} saved a newer version of this form`}
          actions={
            <Button kind="link" onPress={() => rebase(read)}>
              {isChanged ? 'Discard my changes and load it' : 'Load it'}
            </Button>
          }
        />
      )}
      {isRestored && isChanged && !isOutdated && (
        <Notice
          kind="info"
          title="Unsaved changes of an earlier visit were restored"
          actions={
            <Button kind="link" onPress={() => design.change(saved)}>
              Discard changes
            </Button>
          }
        />
      )}
      {inexactNumbers.length > 0 && (
        <Notice kind="warning" title="Some numbers would lose digits">
          {inexactNumbers.slice(0, 5).join(', ')}: a browser cannot store these numbers exactly. Save this
          form with the API, or write the numbers as text.
        </Notice>
      )}
    </>
  );
}
