import { Component, type ReactNode } from 'react';

interface GuardProps {
  readonly children: ReactNode;
  /** Renders the replacement of children that threw an error. */
  readonly fallback: (error: Error) => ReactNode;
}

/**
 * Catches errors of its children, so that an error in one part does not break the page. React requires a
 * class for an error boundary.
 */
export class Guard extends Component<GuardProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error) : this.props.children;
  }
}
