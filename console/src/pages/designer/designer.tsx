import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import '../../style/forms.css';
import { useReadWhole } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import type { StoredForm } from '../../design/draft.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { DesignerController } from './designer-controller.js';

/** The page of a form: its fields, its preview, its findings, and its history. */
export function Designer(): ReactNode {
  const { id = '' } = useParams();
  const found = useReadWhole<StoredForm | null>(pathOf(['json-forms', 'forms', id]));
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
