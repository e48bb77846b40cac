import type { ComponentChildren } from 'preact';
import { Form } from './form.js';

interface FormCardProps {
  readonly action: string;
  readonly title: string;
  /** Without a heading, only screen readers get the title. */
  readonly hasHeading?: boolean;
  readonly submit: string;
  readonly submitClass?: 'primary' | 'danger';
  readonly children: ComponentChildren;
}

export function FormCard({ action, title, hasHeading = true, submit, submitClass, children }: FormCardProps) {
  return (
    <Form action={action} class="card stack" label={title}>
      {hasHeading && <h2>{title}</h2>}
      {children}
      <button type="submit" class={submitClass}>
        {submit}
      </button>
    </Form>
  );
}
