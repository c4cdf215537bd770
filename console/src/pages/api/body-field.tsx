import type { ReactNode } from 'react';
import { CodeEditor } from '../../kit/code-editor.js';

export interface BodyFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Why it is no JSON. */
  readonly fault: string | undefined;
}

/** The body of a call as JSON. */
export function BodyField({ text, onChange, fault }: BodyFieldProps): ReactNode {
  const height = text.split('\n').length > 12 ? 'medium' : 'small';
  return (
    <div className="gh-stack">
      <p>
        Body <span className="gh-quiet">JSON, with what is required; the schema below tells the rest.</span>
      </p>
      <CodeEditor label="Body" value={text} onChange={onChange} height={height} />
      {fault !== undefined && <p role="alert">{fault}</p>}
    </div>
  );
}
