import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import '../../style/forms.css';
import { useParams } from 'wouter';
import { useReadReply } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import { digitsLost, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { runExamples } from '../../design/examples.js';
import { Button } from '../../kit/button.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { Tabs } from '../../kit/tabs.js';
import { rich } from '../../text/rich.js';
import { CheckTab } from './check-tab.js';
import { DesignTab } from './design-tab.js';
import { ExamplesTab } from './examples-tab.js';
import { FormLead } from './form-head.js';
import { LargeForm } from './large-form.js';
import { SaveBar, type Saving, useSave } from './save-bar.js';
import { type Design, useDesign } from './use-design.js';
import { VersionsTab } from './versions-tab.js';

/** Renders the page of a form: its fields, its preview, its findings, and its history; a large form from YANG in parts. */
export function Designer(): ReactNode {
  const { id = '' } = useParams();
  const found = useReadReply<StoredForm | null>(pathOf(['json-forms', 'forms', id], { schema: 'partial' }));
  const { data: form, text: json = '' } = found.data ?? {};
  if (form?.partial === true) return <LargeForm key={form.id} form={form} />;
  if (form) return <DesignerController key={form.id} read={form} json={json} />;
  return (
    <Page title={text('formTitle')}>
      <Read query={found} what={text('theForm')}>
        {() => (
          <Empty title={text('notFound')}>
            {rich(text, 'notFoundHelp', { link: (children) => <Link to="/forms">{children}</Link> })}
          </Empty>
        )}
      </Read>
    </Page>
  );
}

function DesignerController({ read, json }: { readonly read: StoredForm; readonly json: string }): ReactNode {
  const { may, id: user } = useSession();
  const canEdit = may('updateForm');
  const design = useDesign(read, { canEdit, user });
  const save = useSave(design);
  const latest = useRef({ design, save });
  latest.current = { design, save };
  useEffect(() => {
    const listeners = new AbortController();
    const on = { capture: true, signal: listeners.signal };
    let typedIn: EventTarget | null = null;
    document.addEventListener('keydown', (event) => designKey(event, latest, { canEdit, typedIn }), on);
    document.addEventListener('input', ({ target }) => (typedIn = target), on);
    document.addEventListener('focusin', () => (typedIn = null), on);
    return () => listeners.abort();
  }, [canEdit]);
  return (
    <div className="gh-design">
      <Page
        title={design.draft.name === '' ? text('formTitle') : design.draft.name}
        lead={<FormLead design={design} />}
        actions={<SaveBar design={design} save={save} />}
      >
        <Warnings design={design} read={read} json={json} isSaving={save.isBusy} />
        <Tabs label={text('parts')} tabs={tabsOf(design)} />
      </Page>
    </div>
  );
}

/**
 * Saves with Ctrl+S, and undoes and redoes edits of the form and of its preview with Ctrl+Z and Ctrl+Y, wherever the
 * focus is. The JSON editor, dialogs, and an input in which the person has typed have their own undo.
 */
function designKey(
  event: KeyboardEvent,
  latest: RefObject<{ readonly design: Design; readonly save: Saving }>,
  { canEdit, typedIn }: { readonly canEdit: boolean; readonly typedIn: EventTarget | null },
): void {
  const { design } = latest.current;
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !canEdit) return;
  if (key === 's') {
    applyPendingName(document.activeElement);
    if (latest.current.design.isChanged) latest.current.save.start();
  } else if (hasOwnUndo(event.target, typedIn)) return;
  else if (key === 'z' && !event.shiftKey) design.undo();
  else if (key === 'y' || key === 'z') design.redo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function hasOwnUndo(target: EventTarget | null, typedIn: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const isText = target.matches('textarea, input:not([type="checkbox"], [type="radio"])');
  return (isText && target === typedIn) || target.closest('.cm-editor, [role="dialog"]') !== null;
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
    { key: 'design', title: text('tabDesign'), content: <DesignTab design={design} /> },
    { key: 'check', title: checkTitle(design), content: <CheckTab design={design} /> },
    { key: 'examples', title: examplesTitle(design), content: <ExamplesTab design={design} /> },
    { key: 'versions', title: text('versions'), content: <VersionsTab design={design} /> },
  ];
}

function checkTitle({ findings }: Design): string {
  return text('tabCheck', { count: findings.length });
}

function examplesTitle({ draft }: Design): string {
  const results = runExamples(draft) ?? [];
  if (results.length === 0) return text('examples');
  const passed = results.filter((result) => result.passed).length;
  return text('tabExamples', { passed, total: results.length });
}

interface WarningsProps {
  readonly design: Design;
  readonly read: StoredForm;
  readonly json: string;
  /** True while a saved form may be read again before the response to saving has arrived. */
  readonly isSaving: boolean;
}

/**
 * Renders warnings before editing: unsaved changes of an earlier visit, changes of another user, and numbers
 * that would lose digits.
 */
function Warnings({ design, read, json, isSaving }: WarningsProps): ReactNode {
  const { form, isChanged, isRestored, rebase, saved } = design;
  const inexactNumbers = useMemo(() => digitsLost(json), [json]);
  const isOutdated = !isSaving && Date.parse(read.lastUpdated ?? '') > Date.parse(form.lastUpdated ?? '');
  return (
    <>
      {isOutdated && (
        <Notice
          kind="warning"
          title={text(lastEditorOf(read) === '' ? 'newer' : 'newerBy', { name: lastEditorOf(read) })}
          actions={
            <Button kind="link" onPress={() => rebase(read)}>
              {text(isChanged ? 'loadNewerDiscard' : 'loadNewer')}
            </Button>
          }
        />
      )}
      {isRestored && isChanged && !isOutdated && (
        <Notice
          kind="info"
          title={text('restored')}
          actions={
            <Button kind="link" onPress={() => design.change(saved)}>
              {text('discard')}
            </Button>
          }
        />
      )}
      {inexactNumbers.length > 0 && (
        <Notice kind="warning" title={text('digitsTitle')}>
          {text('digitsHelp', { numbers: inexactNumbers.slice(0, 5).join(', ') })}
        </Notice>
      )}
    </>
  );
}
