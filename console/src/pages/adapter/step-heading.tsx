import { type ReactNode, useEffect, useRef } from 'react';

/** Renders the heading of a step. It has the focus when the step opens, so that Tab continues in the step. */
export function StepHeading({ children }: { readonly children: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
