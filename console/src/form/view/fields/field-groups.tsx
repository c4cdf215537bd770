import { type ReactNode, useEffect, useRef } from 'react';
import { withCode } from '../../../text/inline-code.js';
import { type FormState, type Layout, layoutOf, type Row } from '../../model/index.js';
import { formText } from '../form-text.js';
import { editModeOf } from '../row-actions.js';
import { EntryCard, FieldSection, ListSection } from './field-section.js';
import { Field } from './field.js';
import { areMatrix, Matrix } from './matrix.js';

interface FieldGroupsProps {
  readonly state: FormState;
  /** The members of one container. */
  readonly nodes: readonly FieldNode[];
  readonly layout: Layout;
  /** Prefix of the ids of all fields. */
  readonly id: string;
}

/** The members of a container in its sections and columns. */
export function FieldGroups({ state, nodes, layout, id }: FieldGroupsProps): ReactNode {
  const { sections, columns } = layout;
  if (sections.length === 0) return <Columns state={state} nodes={nodes} columns={columns} id={id} />;
  const grouped = new Set(sections.flatMap(({ fields }) => fields));
  const rest = nodes.filter(({ row }) => !grouped.has(row.key));
  return (
    <>
      {sections.map((section) => {
        const members = section.fields.flatMap((name) => nodes.filter(({ row }) => row.key === name));
        if (members.length === 0) return null;
        const key = `${section.title} ${section.fields.join(' ')}`;
        const content = (
          <>
            {section.description !== undefined && (
              <p className="gf-notes gf-description" dir="auto">
                {withCode(section.description)}
              </p>
            )}
            <Columns state={state} nodes={members} columns={section.columns} id={id} />
          </>
        );
        if (section.isClosed)
          return (
            <ClosedSection key={key} title={section.title} members={members}>
              {content}
            </ClosedSection>
          );
        return (
          <fieldset key={key} className="gf-section">
            <legend dir="auto">{section.title}</legend>
            {content}
          </fieldset>
        );
      })}
      {rest.length > 0 && <Columns state={state} nodes={rest} columns={columns} id={id} />}
    </>
  );
}

interface ClosedSectionProps {
  readonly title: string;
  readonly members: readonly FieldNode[];
  readonly children: ReactNode;
}

/** A section that is closed at first, with the number of its members that have a value. It opens for an error. */
function ClosedSection({ title, members, children }: ClosedSectionProps): ReactNode {
  const errors = members.reduce((sum, { row }) => sum + row.errors.length + row.errorsBelow, 0);
  const filled = members.filter(({ row }) => row.filled).length;
  const section = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (errors > 0 && section.current) section.current.open = true;
  }, [errors]);
  return (
    <details ref={section} className="gf-folded">
      <summary>
        <span dir="auto">{title}</span>{' '}
        <span className="gf-count">{formText('filled', { count: filled })}</span>
      </summary>
      {children}
    </details>
  );
}

interface ColumnsProps extends Pick<FieldGroupsProps, 'state' | 'nodes' | 'id'> {
  readonly columns: number;
}

function Columns({ state, nodes, columns, id }: ColumnsProps): ReactNode {
  return (
    <div className="gf-columns-grid" data-columns={columns}>
      {nodes
        .filter(({ row }) => !isSetConstant(row))
        .map((node) => (
          <AnyField key={node.row.id} state={state} node={node} id={id} />
        ))}
    </div>
  );
}

/** Returns true for a constant that an alternative needs, and that was set with the alternative: there is nothing to enter. */
function isSetConstant({ editor, required, filled, errors }: Row): boolean {
  return editor.kind === 'constant' && required && filled && errors.length === 0;
}

interface AnyFieldProps {
  readonly state: FormState;
  readonly node: FieldNode;
  readonly id: string;
}

/** A field, a section for a container, or a list. */
function AnyField({ state, node, id }: AnyFieldProps): ReactNode {
  const { row, index, children } = node;
  const own = { row, index, id: `${id}-${index}` };
  const inner = () => {
    const layout = layoutOf(state, row.id);
    const questions = children.map((child) => child.row);
    if (layout.isMatrix && areMatrix(questions)) return <Matrix questions={questions} id={own.id} />;
    return <FieldGroups state={state} nodes={children} layout={layout} id={id} />;
  };
  if (row.editor.kind === 'checkboxes') return <Field {...own} />;
  if (row.list)
    return (
      <ListSection {...own}>
        {children.map((child) => (
          <AnyField key={child.row.id} state={state} node={child} id={id} />
        ))}
      </ListSection>
    );
  if (row.kind === 'entry') return <EntryCard {...own}>{row.open && inner()}</EntryCard>;
  if (row.expandable || row.addable || editModeOf(row) === 'choose' || row.kind === 'presence')
    return <FieldSection {...own}>{row.open && children.length > 0 && inner()}</FieldSection>;
  return editModeOf(row) === 'none' ? null : <Field {...own} />;
}

/** A row with the rows below it. */
export interface FieldNode {
  readonly row: Row;
  /** Index of the row among all visible rows. */
  readonly index: number;
  readonly children: readonly FieldNode[];
}

interface GrowingNode extends FieldNode {
  readonly children: GrowingNode[];
}

export function fieldTree(rows: readonly Row[]): readonly FieldNode[] {
  const top: GrowingNode[] = [];
  const path: GrowingNode[] = [];
  rows.forEach((row, index) => {
    while (path.length > 0 && (path.at(-1)?.row.level ?? 0) >= row.level) path.pop();
    const node: GrowingNode = { row, index, children: [] };
    (path.at(-1)?.children ?? top).push(node);
    path.push(node);
  });
  return top;
}
