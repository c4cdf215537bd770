import { Component, type ReactNode } from 'react';

export interface GuardProps {
  readonly children: ReactNode;
  /** What is shown in their place when they cannot be drawn. */
  readonly broken: (error: Error) => ReactNode;
}

/** Keeps a fault in one part from taking the whole page away. A class, as React knows no other way. */
export class Guard extends Component<GuardProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.broken(error) : this.props.children;
  }
}
